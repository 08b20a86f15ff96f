"""The bounded stack of examples/contracts as Hypothesis tests it: a rule for each method.

    stateful.py [--seeds N]

Writes a line of JSON for each bug, each way of writing the test and each seed. `plain` has the
methods as they are: numbers are drawn, and observers do nothing, because no rule draws what a
function does. `by_hand` also has rules that someone wrote who knows the bug: push_n(capacity()),
and observers that pop or push.
"""

import argparse
import contextlib
import io
import json
import time

import hypothesis
from hypothesis import HealthCheck, Phase, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

BOUND = 10_000
EXAMPLES_MAX = 500
STEPS_MAX = 10


class Broken(AssertionError):
    """A contract that the stack broke."""


class Stack:
    """The stack with one of its bugs: 1 in capacity(), 2 in the observers' contract, 3 in push_n()."""

    def __init__(self, bug):
        self.bug = bug
        self.buffer = [0] * BOUND
        self.size = 0
        self.observers = []
        self.fuel = 0

    def capacity(self):
        return BOUND + (self.bug == 1) - self.size

    def is_empty(self):
        return self.size == 0

    def push(self, item):
        if self.capacity() < 1:
            raise Broken("push requires capacity")
        self.buffer[self.size] = item
        self.size += 1
        for observer in list(self.observers):
            if self.bug != 2 and self.is_empty():
                return
            if self.fuel > 0:
                self.fuel -= 1
                observer(self)
            if self.bug != 2 and self.is_empty():
                # The observer broke its contract: not the stack's fault.
                raise Ended
        if self.is_empty():
            raise Broken("push ensures that the stack is not empty")

    def pop(self):
        self.size -= 1
        return self.buffer[self.size]

    def push_n(self, n, item):
        for _ in range(n):
            self.push(item)


class Ended(Exception):
    """The test itself broke a contract."""


def nothing(_stack):
    pass


def pops(stack):
    if not stack.is_empty():
        stack.pop()


def pushes(stack):
    if stack.capacity() >= 1:
        stack.push(0)


class Count:
    """How many examples there were until the first failed, and the steps of the last one."""

    def __init__(self):
        self.examples = 0
        self.failed_at = None
        self.steps = 0


def machine(bug, by_hand, count):
    observers = [nothing, pops, pushes] if by_hand else [nothing]

    class Machine(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            count.examples += 1
            count.steps = 1
            self.stack = Stack(bug)
            self.is_over = False

        def do(self, call):
            if self.is_over:
                return
            count.steps += 1
            try:
                call()
            except Ended:
                self.is_over = True
            except (Broken, IndexError):
                count.failed_at = count.failed_at or count.examples
                raise

        @rule(item=st.integers(0, 255))
        def push(self, item):
            if self.stack.capacity() >= 1:
                self.do(lambda: self.stack.push(item))

        @rule()
        def pop(self):
            if not self.stack.is_empty():
                self.do(self.stack.pop)

        @rule(n=st.integers(0, BOUND + 1), item=st.integers(0, 255))
        def push_n(self, n, item):
            if self.stack.capacity() >= n:
                self.do(lambda: self.stack.push_n(n, item))

        @rule(observer=st.sampled_from(observers), fuel=st.integers(1, 4))
        def add_observer(self, observer, fuel):
            def add():
                self.stack.observers.append(observer)
                self.stack.fuel += fuel

            self.do(add)

    if by_hand:

        @rule(item=st.integers(0, 255))
        def fill(self, item):
            self.do(lambda: self.stack.push_n(self.stack.capacity(), item))

        Machine = type("Machine", (Machine,), {"fill": fill})
    return Machine


def run(bug, by_hand, seed):
    count = Count()
    hypothesis.core.global_force_seed = seed
    options = settings(
        max_examples=EXAMPLES_MAX,
        stateful_step_count=STEPS_MAX,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
    )
    begun = time.process_time()
    try:
        run_state_machine_as_test(machine(bug, by_hand, count), settings=options)
    except (Broken, IndexError):
        pass
    seconds = time.process_time() - begun
    failed_at = count.failed_at
    steps = count.steps if failed_at else None
    row = {"bug": bug, "by_hand": by_hand, "seed": seed, "programs": failed_at}
    print(json.dumps({**row, "cpu_s": seconds, "statements": steps}), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=20)
    arguments = parser.parse_args()
    print(json.dumps({"version": hypothesis.__version__}), flush=True)
    for by_hand in (False, True):
        for bug in (1, 2, 3):
            for seed in range(arguments.seeds):
                run(bug, by_hand, seed)


if __name__ == "__main__":
    # Falsifying examples are printed for people; only our lines go out.
    with contextlib.redirect_stderr(io.StringIO()):
        main()
