"""Hypothesis, measured on the shared problems.

    bench.py generate|find|shrink|self-check [--seeds N] [--only PROBLEM]

Prints the same lines of JSON as the Rust binaries. Only the interpreter's CPU
time is measured, never wall clock. A second report of another bug is switched
off, so that every execution after the first failure is shrinking.
"""

import argparse
import json
import time

import hypothesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

import problems

CASES_MAX = 10_000


class Failed(Exception):
    """The property is broken."""


class Trial:
    """Counts the executions of one run."""

    def __init__(self, check):
        self.check = check
        self.executions = 0
        self.first_failure = None
        self.last_failure = None

    def run(self, value):
        self.executions += 1
        if self.first_failure is None and self.executions > CASES_MAX:
            return
        held = self.check(value)
        if held is None:
            hypothesis.reject()
        if not held:
            self.first_failure = self.first_failure or self.executions
            self.last_failure = value
            raise Failed


def run(body, strategy, seed_value, cases, phases):
    """Runs a property through Hypothesis' normal runner."""
    options = settings(
        max_examples=cases,
        database=None,
        deadline=None,
        phases=phases,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
    )
    test = seed(seed_value)(options(given(strategy)(lambda value: body(value))))
    try:
        test()
    except Failed:
        pass
    except hypothesis.errors.Unsatisfiable:
        pass


def report(bench, problem, **figures):
    line = {
        "bench": bench,
        "library": "hypothesis",
        "version": hypothesis.__version__,
        "problem": problem,
    }
    print(json.dumps(line | figures), flush=True)


def find(name, strategy, check, seeds):
    for seed_value in range(seeds):
        trial = Trial(check)
        run(trial.run, strategy, seed_value, CASES_MAX, [Phase.generate])
        cases = trial.first_failure
        report("find", name, seed=seed_value, found=cases is not None, cases=cases or CASES_MAX)


def shrink(name, strategy, check, is_normal, seeds):
    for seed_value in range(seeds):
        trial = Trial(check)
        run(trial.run, strategy, seed_value, CASES_MAX, [Phase.generate, Phase.shrink])
        found = trial.first_failure is not None
        report(
            "shrink",
            name,
            seed=seed_value,
            found=found,
            executions=trial.executions - trial.first_failure if found else 0,
            normal=found and is_normal(trial.last_failure),
            final=repr(trial.last_failure) if found else None,
        )


TEXTS = st.text(max_size=12)
ORDERS = st.fixed_dictionaries(
    {
        "id": st.integers(0, 2**64 - 1),
        "customer": st.tuples(TEXTS, st.none() | TEXTS, problems.U8),
        "lines": st.lists(st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 2**16 - 1)), max_size=4),
        "paid": st.booleans(),
    }
)
INT64 = st.integers(-(2**63), 2**63 - 1)


def order_size(order):
    name, email, _ = order["customer"]
    return 3 + len(name) + len(email or "") + 2 * len(order["lines"])


def tree_size(tree):
    return 1 if isinstance(tree, int) else 1 + sum(map(tree_size, tree))


# name: (strategy, size of a value)
SHAPES = {
    "i64": (INT64, lambda value: 1),
    "vec": (st.lists(INT64, max_size=12), len),
    "vec_default": (st.lists(INT64), len),
    "string": (st.text(), len),
    "struct": (ORDERS, order_size),
    "tree": (st.recursive(INT64, lambda trees: st.lists(trees, max_size=4)), tree_size),
}


def generate(name, strategy, size, cases=1_000):
    sizes = []
    run(lambda value: sizes.append(size(value)), strategy, 0, cases, [Phase.generate])
    rounds = []
    for _ in range(3):
        count = []
        start = time.process_time_ns()
        run(lambda value: count.append(None), strategy, 0, cases, [Phase.generate])
        rounds.append((time.process_time_ns() - start) / len(count))
    report("generate", name, cases=cases, cpu_ns=min(rounds), size=sum(sizes) / len(sizes))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bench", choices=["generate", "find", "shrink", "self-check"])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--only")
    args = parser.parse_args()
    wants = lambda table: {k: v for k, v in table.items() if args.only in (None, k)}
    if args.bench == "self-check":
        problems.self_check()
    elif args.bench == "generate":
        for name, (strategy, size) in wants(SHAPES).items():
            generate(name, strategy, size)
    elif args.bench == "find":
        for name, problem in wants(problems.CHALLENGES | problems.BUGS).items():
            find(name, problem[0], problem[1], args.seeds)
    else:
        for name, (strategy, check, is_normal) in wants(problems.CHALLENGES).items():
            shrink(name, strategy, check, is_normal, args.seeds)


if __name__ == "__main__":
    main()
