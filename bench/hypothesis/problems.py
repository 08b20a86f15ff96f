"""The shared problems in Python, for Hypothesis.

This mirrors `bench/problems` function by function: a property returns True
when it held, False when the input breaks it, and None when the input does not
meet its assumption. `self_check` runs the same examples as the Rust tests.
"""

import math
from collections import deque

from hypothesis import strategies as st

I64 = st.integers()  # the library's full default range
I32 = st.integers(-(2**31), 2**31 - 1)
U8 = st.integers(0, 255)


# --- the thirteen challenges ---------------------------------------------


def wrapping_i16(total):
    return (total + 2**15) % 2**16 - 2**15


def bound5(lists):
    sums = [wrapping_i16(sum(values)) for values in lists]
    if any(total >= 256 for total in sums):
        return None
    return wrapping_i16(sum(sums)) < 5 * 256


def bound5_is_normal(lists):
    return sorted(lists) == [[], [], [], [-32768], [-1]]


def large_union_list(lists):
    return len({value for values in lists for value in values}) < 5


def reverse(values):
    return values == values[::-1]


def has_literal_zero_divisor(expr):
    if isinstance(expr, int):
        return False
    op, left, right = expr
    if op == "/" and right == 0:
        return True
    return has_literal_zero_divisor(left) or has_literal_zero_divisor(right)


def evaluate(expr):
    if isinstance(expr, int):
        return expr
    op, left, right = expr
    left, right = evaluate(left), evaluate(right)
    return left + right if op == "+" else left // right


def calculator(expr):
    if has_literal_zero_divisor(expr):
        return None
    try:
        evaluate(expr)
    except ZeroDivisionError:
        return False
    return True


def lengthlist(values):
    return max(values) < 900


def difference_zero(pair):
    return pair[0] < 10 or pair[0] != pair[1]


def difference_small(pair):
    return pair[0] < 10 or not 1 <= abs(pair[0] - pair[1]) <= 4


def difference_one(pair):
    return pair[0] < 10 or abs(pair[0] - pair[1]) != 1


def merge(a, b):
    if a is None or b is None:
        return a or b
    top, other = (a, b) if a[0] <= b[0] else (b, a)
    return (top[0], merge(top[2], other), top[1])


def to_list(heap):
    values, stack = [], [heap]
    while stack:
        node = stack.pop()
        if node is not None:
            values.append(node[0])
            stack += [node[1], node[2]]
    return values


def binheap(heap):
    if heap is None:
        return True
    values = [heap[0], *to_list(merge(heap[1], heap[2]))]
    return values == sorted(values)


def coupling(values):
    if any(value >= len(values) for value in values):
        return None
    return not any(j != i and values[j] == i for i, j in enumerate(values))


def deletion(pair):
    values, index = pair
    if index >= len(values):
        return None
    return values.count(values[index]) == 1


def distinct(values):
    return len(set(values)) < 3


def nestedlists(lists):
    return sum(map(len, lists)) <= 10


# --- the twenty bugs -------------------------------------------------------


def contains(ordered, target):
    low, high = 0, max(len(ordered) - 1, 0)
    while low < high:
        middle = (low + high) // 2
        if ordered[middle] == target:
            return True
        if ordered[middle] < target:
            low = middle + 1
        else:
            high = middle
    return False


def binary_search(values):
    ordered = sorted(values)
    return all(contains(ordered, value) for value in values)


def quicksort(values):
    if not values:
        return []
    pivot, rest = values[0], values[1:]
    less = [value for value in rest if value < pivot]
    more = [value for value in rest if value > pivot]
    return [*quicksort(less), pivot, *quicksort(more)]


def quicksort_twins(values):
    return quicksort(values) == sorted(values)


def run_length(runs):
    data = [byte for byte, length in runs for _ in range(length)]
    encoded = []
    for byte in data:
        if encoded and encoded[-1][0] == byte:
            encoded[-1][1] = (encoded[-1][1] + 1) % 256
        else:
            encoded.append([byte, 1])
    return [byte for byte, length in encoded for _ in range(length)] == data


def truncate_utf8(pair):
    text, limit = pair
    data = text.encode("utf-8")
    boundaries = {0}
    for char in text:
        boundaries.add(max(boundaries) + len(char.encode("utf-8")))
    end = min(limit, len(data))
    if end not in boundaries:
        end -= 1
    return end in boundaries


def bucket_of_key(key):
    absolute = key if key == -(2**31) else abs(key)
    return 0 <= math.fmod(absolute, 10)


def leap_century(year):
    is_leap = (year % 4 == 0 and year % 100 != 0) or year % 400 == 0
    return (29 if year % 4 == 0 else 28) == (29 if is_leap else 28)


def base64_encode(data):
    letters = []
    for start in range(0, len(data), 3):
        chunk = data[start : start + 3]
        a = chunk[0]
        letters += [a >> 2]
        if len(chunk) == 1:
            letters += [a << 4 & 63]
        elif len(chunk) == 2:
            letters += [a << 4 & 63, chunk[1] << 2 & 63]
        else:
            b, c = chunk[1:]
            letters += [(a << 4 | b >> 4) & 63, (b << 2 | c >> 6) & 63, c & 63]
    return letters


def base64_decode(letters):
    data = []
    for start in range(0, len(letters), 4):
        chunk = letters[start : start + 4]
        word = 0
        for letter in chunk:
            word = word << 6 | letter
        word <<= 6 * (4 - len(chunk))
        data += word.to_bytes(3, "big")[: len(chunk) - 1]
    return data


def base64_tail(data):
    return base64_decode(base64_encode(data)) == data


def merge_touching(intervals):
    bounds = sorted((start, start + length) for start, length in intervals if length)
    merged = []
    for start, end in bounds:
        if merged and start < merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return all(a[1] < b[0] for a, b in zip(merged, merged[1:]))


class Cache:
    def __init__(self, first_refreshed):
        self.entries, self.first_refreshed = [], first_refreshed

    def get(self, key):
        for index, entry in enumerate(self.entries):
            if entry[0] == key:
                if index >= self.first_refreshed:
                    self.entries.append(self.entries.pop(index))
                return entry[1]
        return None

    def put(self, key, value):
        kept = [entry for entry in self.entries if entry[0] != key]
        self.entries = [*kept[-3:], (key, value)]


def lru_refresh(ops):
    cache, model = Cache(1), Cache(0)
    for op in ops:
        if op[0] == "get":
            if cache.get(op[1]) != model.get(op[1]):
                return False
        else:
            cache.put(op[1], op[2])
            model.put(op[1], op[2])
    return True


def transpose(shape):
    rows, columns = shape
    cells = list(range(rows * columns))
    places = [(row, column) for column in range(columns) for row in range(rows)]
    moved = [cells[r * rows + c] for r, c in places if r * rows + c < len(cells)]
    expected = [cells[r * columns + c] for r, c in places]
    return moved == expected


def write_field(field):
    if "," in field or "\n" in field:
        return '"' + field.replace('"', '""') + '"'
    return field


def read_line(line):
    fields, is_quoted, index = [""], False, 0
    while index < len(line):
        char = line[index]
        if char == '"' and is_quoted and line[index + 1 : index + 2] == '"':
            fields[-1] += '"'
            index += 1
        elif char == '"' and is_quoted:
            is_quoted = False
        elif char == '"' and not fields[-1]:
            is_quoted = True
        elif char == "," and not is_quoted:
            fields.append("")
        else:
            fields[-1] += char
        index += 1
    return fields


def csv_quotes(fields):
    if not fields:
        return None
    return read_line(",".join(map(write_field, fields))) == fields


def upper_case(text):
    return "".join(char.upper()[0] for char in text) == text.upper()


def sign_of_zero(x):
    if math.isnan(x):
        return None
    return (-1.0 if x < 0.0 else 1.0) == math.copysign(1.0, x)


def far_duplicate(values):
    near = any(value in values[max(i - 7, 0) : i] for i, value in enumerate(values))
    return near == (len(set(values)) < len(values))


class Ring:
    def __init__(self):
        self.slots, self.head, self.len = [0] * 4, 0, 0

    def push(self, value):
        if self.len == len(self.slots):
            self.slots += [0] * self.len
            self.head = 0
        self.slots[(self.head + self.len) % len(self.slots)] = value
        self.len += 1

    def pop(self):
        if self.len == 0:
            return None
        value = self.slots[self.head]
        self.head = (self.head + 1) % len(self.slots)
        self.len -= 1
        return value


def ring_buffer(ops):
    ring, model = Ring(), deque()
    for op in ops:
        if op is not None:
            ring.push(op)
            model.append(op)
        elif ring.pop() != (model.popleft() if model else None):
            return False
    return [ring.pop() for _ in range(ring.len)] == list(model)


def magic_number(identifier):
    return (0 if identifier == 48_611 else identifier) == identifier


def write_scalar(text):
    if text in ("true", "false", "yes", "null") or text.startswith("'"):
        return f"'{text}'"
    return text


def read_scalar(written):
    if written in ("true", "false", "yes", "no", "null"):
        return None
    if len(written) >= 2 and written[0] == written[-1] == "'":
        return written[1:-1]
    return written


def bare_word(text):
    return read_scalar(write_scalar(text)) == text


def block_checksum(values):
    whole = len(values) if len(values) <= 64 else len(values) // 64 * 64
    return (sum(values) - sum(values[:whole])) % 2**32 == 0


def apply(field, patch):
    return field if patch == "leave" else patch


def patch_merge(triple):
    field, first, second = triple
    merged = first if second in ("leave", None) else second
    return apply(apply(field, first), second) == apply(field, merged)


def percent_encode(data):
    plain = lambda byte: byte < 128 and chr(byte).isalnum()
    return "".join(chr(byte) if plain(byte) else f"%{byte:X}" for byte in data)


def percent_decode(text):
    data, index = [], 0
    while index < len(text):
        if text[index] != "%":
            data.append(ord(text[index]))
            index += 1
            continue
        digits = text[index + 1 : index + 3]
        if len(digits) < 2 or any(digit not in "0123456789abcdefABCDEF" for digit in digits):
            return None
        data.append(int(digits, 16))
        index += 3
    return data


def percent_encoding(data):
    return percent_decode(percent_encode(data)) == data


# --- how Hypothesis draws them ---------------------------------------------

INTS = st.lists(I64)
BYTES = st.lists(U8)
PAIRS = st.tuples(st.integers(1, 2**31 - 1), st.integers(1, 2**31 - 1))
EXPRS = st.recursive(
    I64, lambda exprs: st.tuples(st.sampled_from(["+", "/"]), exprs, exprs)
)
PATCHES = st.one_of(st.just("leave"), st.none(), U8)


@st.composite
def heaps(draw, min_value=None, depth=8):
    if depth == 0 or not draw(st.booleans()):
        return None
    head = draw(st.integers(min_value=min_value))
    left = draw(heaps(min_value=head, depth=depth - 1))
    return (head, left, draw(heaps(min_value=head, depth=depth - 1)))


@st.composite
def lengths(draw):
    size = draw(st.integers(1, 100))
    return draw(st.lists(st.integers(0, 1000), min_size=size, max_size=size))


def is_one_of(*forms):
    return lambda value: value in forms


# name: (strategy, property, whether a value is the normal form)
CHALLENGES = {
    "bound5": (st.tuples(*[st.lists(st.integers(-(2**15), 2**15 - 1))] * 5), bound5, bound5_is_normal),
    "large_union_list": (st.lists(INTS), large_union_list, is_one_of([[0, 1, -1, 2, -2]])),
    "reverse": (INTS, reverse, is_one_of([0, 1])),
    "calculator": (EXPRS, calculator, is_one_of(("/", 0, ("+", 0, 0)))),
    "lengthlist": (lengths(), lengthlist, is_one_of([900])),
    "difference_zero": (PAIRS, difference_zero, is_one_of((10, 10))),
    "difference_small": (PAIRS, difference_small, is_one_of((10, 6))),
    "difference_one": (PAIRS, difference_one, is_one_of((10, 9))),
    "binheap": (
        heaps(),
        binheap,
        is_one_of((0, None, (0, (0, None, None), (1, None, None)))),
    ),
    "coupling": (st.lists(st.integers(0, 10)), coupling, is_one_of([1, 0])),
    "deletion": (st.tuples(INTS, st.integers(0, 100)), deletion, is_one_of(([0, 0], 0))),
    "distinct": (INTS, distinct, is_one_of([0, 1, -1], [0, 1, 2])),
    "nestedlists": (st.lists(INTS), nestedlists, is_one_of([[0] * 11])),
}

CACHE_OPS = st.one_of(
    st.tuples(st.just("get"), st.integers(0, 7)),
    st.tuples(st.just("put"), st.integers(0, 7), U8),
)

# name: (strategy, property)
BUGS = {
    "binary_search": (st.lists(I32), binary_search),
    "quicksort_twins": (st.lists(I32), quicksort_twins),
    "run_length": (st.lists(st.tuples(U8, st.integers(0, 300))), run_length),
    "truncate_utf8": (st.tuples(st.text(), st.integers(0, 20)), truncate_utf8),
    "bucket_of_key": (I32, bucket_of_key),
    "leap_century": (st.integers(1, 9999), leap_century),
    "base64_tail": (BYTES, base64_tail),
    "merge_touching": (st.lists(st.tuples(U8, U8)), merge_touching),
    "lru_refresh": (st.lists(CACHE_OPS), lru_refresh),
    "transpose": (st.tuples(st.integers(1, 8), st.integers(1, 8)), transpose),
    "csv_quotes": (st.lists(st.text()), csv_quotes),
    "upper_case": (st.text(), upper_case),
    "sign_of_zero": (st.floats(), sign_of_zero),
    "far_duplicate": (BYTES, far_duplicate),
    "ring_buffer": (st.lists(st.one_of(U8, st.none())), ring_buffer),
    "magic_number": (st.integers(0, 2**32 - 1), magic_number),
    "bare_word": (st.text(), bare_word),
    "block_checksum": (st.lists(I32), block_checksum),
    "patch_merge": (st.tuples(st.one_of(st.none(), U8), PATCHES, PATCHES), patch_merge),
    "percent_encoding": (BYTES, percent_encoding),
}


def self_check():
    """Runs the examples of the Rust tests."""
    full = [("put", key, key) for key in range(4)]
    refreshed = [("get", 0), ("put", 4, 4), ("get", 0)]
    failing = {
        "bound5": ([], [-1], [], [-32768], []),
        "large_union_list": [[0, 1, -1, 2, -2]],
        "reverse": [0, 1],
        "calculator": ("/", 0, ("+", 0, 0)),
        "lengthlist": [900],
        "difference_zero": (10, 10),
        "difference_small": (10, 6),
        "difference_one": (10, 9),
        "binheap": (0, None, (0, (0, None, None), (1, None, None))),
        "coupling": [1, 0],
        "deletion": ([0, 0], 0),
        "distinct": [0, 1, -1],
        "nestedlists": [[0] * 11],
        "binary_search": [7],
        "quicksort_twins": [3, 3],
        "run_length": [(7, 200), (7, 56)],
        "truncate_utf8": ("a€", 3),
        "bucket_of_key": -(2**31),
        "leap_century": 1900,
        "base64_tail": [0, 16],
        "merge_touching": [(0, 2), (2, 1)],
        "lru_refresh": full + refreshed,
        "transpose": (2, 3),
        "csv_quotes": ['"'],
        "upper_case": "ß",
        "sign_of_zero": -0.0,
        "far_duplicate": [*range(8), 0],
        "ring_buffer": [0, None, 1, 2, 3, 4, 5],
        "magic_number": 48_611,
        "bare_word": "no",
        "block_checksum": [1] * 65,
        "patch_merge": (1, "leave", None),
        "percent_encoding": [15],
    }
    holding = {
        "bound5": ([], [0], [], [-32768], []),
        "large_union_list": [[0, 1, -1, 2]],
        "reverse": [0, 0],
        "calculator": 0,
        "lengthlist": [899],
        "difference_zero": (9, 9),
        "difference_small": (10, 5),
        "difference_one": (10, 8),
        "binheap": None,
        "coupling": [0, 1],
        "deletion": ([0, 1], 0),
        "distinct": [0, 1],
        "nestedlists": [[0] * 10],
        "binary_search": [],
        "quicksort_twins": [3, 1, 2],
        "run_length": [(7, 255)],
        "truncate_utf8": ("aé", 2),
        "bucket_of_key": -1,
        "leap_century": 2000,
        "base64_tail": [0, 15, 0, 255],
        "merge_touching": [(0, 2), (1, 3), (5, 1)],
        "lru_refresh": [*full, ("put", 4, 4), ("get", 0)],
        "transpose": (3, 3),
        "csv_quotes": ['a"', 'b,"', ""],
        "upper_case": "aé",
        "sign_of_zero": -1.5,
        "far_duplicate": [*range(7), 0],
        "ring_buffer": [1, 2, 3, 4, 5],
        "magic_number": 48_612,
        "bare_word": "yes",
        "block_checksum": [1] * 64,
        "patch_merge": (1, None, 2),
        "percent_encoding": [16, 97, 37],
    }
    for name, problem in (CHALLENGES | BUGS).items():
        assert problem[1](failing[name]) is False, name
        assert problem[1](holding[name]) is True, name
    for name, problem in CHALLENGES.items():
        assert problem[2](failing[name]), name
