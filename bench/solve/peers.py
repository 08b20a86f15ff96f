"""The four queries of the paper (Tables 1 to 4), asked of solvers over a pipe.

    peers.py [--limit SECONDS] [--only QUERY] [--solver z3|cvc5]

Prints a line of JSON for each solver and encoding: the CPU seconds of the solver's process,
without those of a session that asks nothing, or null if it gave no answer within the limit.
The encodings are those of section 8: one model at a time, each asked to differ from all that
came before ("loop"); one query with `distinct`; one query with a constraint for each pair
("at once"). Answers are checked.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
BIN = os.path.dirname(os.path.abspath(sys.executable))

SOLVERS = {
    "z3": [os.path.join(BIN, "z3"), "-in", "-smt2"],
    "cvc5": [sys.executable, os.path.join(HERE, "cvc5_pipe.py")],
}

OPENING = ["(set-option :produce-models true)"]
MIN, MAX = -(2**31), 2**31 - 1


class NoAnswer(Exception):
    """The solver died, gave up or ran out of time."""


class Session:
    """A solver that is asked over a pipe."""

    def __init__(self, solver, limit):
        def limited():
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))

        self.process = subprocess.Popen(
            SOLVERS[solver],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            preexec_fn=limited,
        )
        # A busy machine may take much longer than the CPU time that is granted.
        self.timer = threading.Timer(3 * limit + 10, self.process.kill)
        self.timer.start()
        if solver == "cvc5":
            self.say("(set-option :incremental true)")
        for line in OPENING:
            self.say(line)
        if solver == "cvc5":
            self.say("(set-logic ALL)")

    def say(self, line):
        try:
            self.process.stdin.write(line + "\n")
        except BrokenPipeError as error:
            raise NoAnswer from error

    def hear(self):
        try:
            self.process.stdin.flush()
        except BrokenPipeError as error:
            raise NoAnswer from error
        line = self.process.stdout.readline()
        if not line or line.startswith(("unknown", "(error")):
            raise NoAnswer(line)
        return line

    def check(self):
        self.say("(check-sat)")
        answer = self.hear().strip()
        if answer != "sat":
            raise NoAnswer(answer)

    def values(self, names):
        """The values of variables, as texts; an answer may span lines."""
        self.say(f"(get-value ({' '.join(names)}))")
        answer = self.hear()
        while answer.count("(") > answer.count(")"):
            answer += self.process.stdout.readline()
        found = re.findall(r'\((\w+) ("(?:[^"]|"")*"|\(- \d+\)|#[xb]\w+|[\w-]+)\)', answer)
        return dict(found)

    def end(self):
        self.timer.cancel()
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            self.process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def integer(text):
    if text.startswith("#"):
        value = int(text[2:], 16 if text[1] == "x" else 2)
        return value - 2**32 if value >= 2**31 else value
    if text.startswith("(- "):
        return -int(text[3:-1])
    return int(text)


def constant(value, kind):
    if kind == "bv":
        return f"#x{value % 2**32:08x}"
    return str(value) if value >= 0 else f"(- {-value})"


def declare_numbers(session, names, kind):
    for name in names:
        if kind == "bv":
            session.say(f"(declare-const {name} (_ BitVec 32))")
        else:
            session.say(f"(declare-const {name} Int)")
            session.say(f"(assert (<= {constant(MIN, kind)} {name} {MAX}))")


def far(left, right, kind):
    """At least ten apart; bit-vectors are widened so that nothing wraps."""
    if kind == "bv":
        left, right = (f"((_ sign_extend 1) {term})" for term in (left, right))
        ten = "#b" + format(10, "033b")
        return f"(or (bvsle {ten} (bvsub {left} {right})) (bvsle {ten} (bvsub {right} {left})))"
    return f"(or (<= 10 (- {left} {right})) (<= 10 (- {right} {left})))"


def differ(left, right, kind):
    return f"(not (= {left} {right}))"


def number_loop(session, count, kind, relation):
    declare_numbers(session, ["x"], kind)
    found = []
    for _ in range(count):
        session.check()
        found.append(integer(session.values(["x"])["x"]))
        session.say(f"(assert {relation('x', constant(found[-1], kind), kind)})")
    return found


def numbers_at_once(session, count, kind, relation):
    names = [f"x{at}" for at in range(count)]
    declare_numbers(session, names, kind)
    for at, name in enumerate(names):
        for other in names[:at]:
            session.say(f"(assert {relation(name, other, kind)})")
    session.check()
    return [integer(value) for value in session.values(names).values()]


def numbers_distinct(session, count, kind):
    names = [f"x{at}" for at in range(count)]
    declare_numbers(session, names, kind)
    session.say(f"(assert (distinct {' '.join(names)}))")
    session.check()
    return [integer(value) for value in session.values(names).values()]


LETTERS = '(re.* (re.range "a" "z"))'


def text_loop(session, count):
    session.say("(declare-const s String)")
    session.say(f"(assert (str.in_re s {LETTERS}))")
    found = []
    for _ in range(count):
        session.check()
        found.append(session.values(["s"])["s"][1:-1])
        session.say(f"(assert (not (= (str.len s) {len(found[-1])})))")
    return found


def texts_together(session, count, is_distinct):
    names = [f"s{at}" for at in range(count)]
    for name in names:
        session.say(f"(declare-const {name} String)")
        session.say(f"(assert (str.in_re {name} {LETTERS}))")
    lengths = [f"(str.len {name})" for name in names]
    if is_distinct:
        session.say(f"(assert (distinct {' '.join(lengths)}))")
    else:
        for at, length in enumerate(lengths):
            for other in lengths[:at]:
                session.say(f"(assert (not (= {length} {other})))")
    session.check()
    return [value[1:-1] for value in session.values(names).values()]


# [_a-zA-Z][_a-zA-Z0-9]+ as a tree of choices: which range each character is of, and whether
# another follows. With six characters there are more than the thousand ways that are wanted.
DEPTH = 6
RANGES = ['(str.to_re "_")', '(re.range "a" "z")', '(re.range "A" "Z")', '(re.range "0" "9")']


def declare_tree(session, name):
    """The text and the choices: two bits for a range, one for going on."""
    session.say(f"(declare-const {name} String)")
    for at in range(DEPTH):
        session.say(f"(declare-const {name}c{at} String)")
        for bit in ("p", "q", "m"):
            session.say(f"(declare-const {name}{bit}{at} Bool)")
    parts = " ".join(f"{name}c{at}" for at in range(DEPTH))
    session.say(f"(assert (= {name} (str.++ {parts})))")
    for at in range(DEPTH):
        char, p, q = f"{name}c{at}", f"{name}p{at}", f"{name}q{at}"
        member = [f"(str.in_re {char} {one})" for one in RANGES]
        chosen = f"(ite {p} (ite {q} {member[0]} {member[1]}) (ite {q} {member[2]} {member[3]}))"
        if at == 0:
            session.say(f"(assert (and {chosen} (or {p} {q}) {name}m0))")
        else:
            before = f"{name}m{at - 1}"
            session.say(f"(assert (ite {before} {chosen} (= {char} \"\")))")
            session.say(f"(assert (=> {name}m{at} {before}))")
    session.say(f"(assert (not {name}m{DEPTH - 1}))")


def tree_names(name):
    bits = [f"{name}{bit}{at}" for at in range(DEPTH) for bit in ("p", "q", "m")]
    return [name, *bits]


def other_way(name, known):
    """Somewhere along the way that a model took, another choice is made."""
    flips = []
    for at in range(DEPTH):
        for bit in ("p", "q", "m"):
            term = f"{name}{bit}{at}"
            flips.append(f"(not {term})" if known[term] == "true" else term)
        if known[f"{name}m{at}"] == "false":
            break
    return f"(or {' '.join(flips)})"


def tree_loop(session, count):
    declare_tree(session, "s")
    found = []
    for _ in range(count):
        session.check()
        model = session.values(tree_names("s"))
        found.append(model["s"][1:-1])
        session.say(f"(assert {other_way('s', model)})")
    return found


def trees_at_once(session, count):
    names = [f"s{at}" for at in range(count)]
    for name in names:
        declare_tree(session, name)
    for at, name in enumerate(names):
        for other in names[:at]:
            ways = " ".join(
                f"(xor {name}{bit}{place} {other}{bit}{place})"
                for place in range(DEPTH)
                for bit in ("p", "q", "m")
            )
            session.say(f"(assert (or {ways}))")
    session.check()
    return [value[1:-1] for value in session.values(names).values()]


def ranges_of(text):
    return tuple(0 if c == "_" else 1 if c.islower() else 2 if c.isupper() else 3 for c in text)


def are_different(found, count):
    return len(found) == count == len(set(found)) and all(MIN <= x <= MAX for x in found)


def are_far(found, count):
    ordered = sorted(found)
    return len(found) == count and all(b - a >= 10 for a, b in zip(ordered, ordered[1:]))


def have_lengths(found, count):
    fits = all(re.fullmatch("[a-z]*", text) for text in found)
    return fits and len({len(text) for text in found}) == count


def are_covering(found, count):
    fits = all(re.fullmatch("[_a-zA-Z][_a-zA-Z0-9]+", text) for text in found)
    return fits and len({ranges_of(text) for text in found}) == count


# Query, number of models, its check, and the encodings.
QUERIES = [
    (
        "T1",
        600,
        are_different,
        {
            "loop, Int": lambda s, n: number_loop(s, n, "int", differ),
            "loop, BV": lambda s, n: number_loop(s, n, "bv", differ),
            "distinct, Int": lambda s, n: numbers_distinct(s, n, "int"),
            "at once, Int": lambda s, n: numbers_at_once(s, n, "int", differ),
        },
    ),
    (
        "T2",
        400,
        are_far,
        {
            "loop, Int": lambda s, n: number_loop(s, n, "int", far),
            "loop, BV": lambda s, n: number_loop(s, n, "bv", far),
            "at once, Int": lambda s, n: numbers_at_once(s, n, "int", far),
        },
    ),
    (
        "T3",
        200,
        have_lengths,
        {
            "loop": text_loop,
            "distinct": lambda s, n: texts_together(s, n, True),
            "at once": lambda s, n: texts_together(s, n, False),
        },
    ),
    ("T4", 1000, are_covering, {"loop": tree_loop, "at once": trees_at_once}),
]


def cpu_seconds(run):
    """What children used while something ran, and what it gave."""
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = run()
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime, result


def measure(solver, ask, count, limit):
    def run():
        session = Session(solver, limit)
        try:
            return ask(session, count)
        except NoAnswer:
            return None
        finally:
            session.end()

    return cpu_seconds(run)


def nothing(session, _count):
    session.check()
    return []


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--limit", type=int, default=15)
    arguments.add_argument("--only")
    arguments.add_argument("--solver", choices=SOLVERS)
    options = arguments.parse_args()
    for solver in [options.solver] if options.solver else SOLVERS:
        idle = min(measure(solver, nothing, 0, 10)[0] for _ in range(3))
        for query, count, fits, encodings in QUERIES:
            if options.only not in (None, query):
                continue
            for encoding, ask in encodings.items():
                # The loop is what the paper settled on: it gets three times as long.
                limit = options.limit * (3 if encoding.startswith("loop") else 1)
                seconds, found = measure(solver, ask, count, limit)
                if found is not None and not fits(found, count):
                    sys.exit(f"{solver}, {query}, {encoding}: the answer is wrong")
                line = {
                    "solver": solver,
                    "query": query,
                    "encoding": encoding,
                    "seconds": None if found is None else max(seconds - idle, 0.0),
                    "limit": limit,
                }
                print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
