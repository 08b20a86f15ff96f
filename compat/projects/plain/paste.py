"""Pastes the `keep:` lines of a report above the properties of a file.

usage: paste.py REPORT SOURCE RESULT
"""
import re
import sys

report, source, result = sys.argv[1:]
text = open(report, encoding="utf-8").read()
source = open(source, encoding="utf-8").read()
keep = dict(
    re.findall(r"`(\w+)` failed\n.*?^  keep: +(#\[example\(.*?\)\])$", text, re.S | re.M)
)
rows = dict(re.findall(r"^    (\w+): (.*),$", source, re.M))
macro, _, _ = source.partition("differs! {")
lines = []
for name, kind in rows.items():
    lines.append(f"""
{keep[name]}
#[rebut::test(cases = 1)]
fn {name}(value: {kind}) {{
    let simplest: {kind} = rebut::simplest(&rebut::any());
    assert_eq!(format!("{{value:?}}"), format!("{{simplest:?}}"));
}}""")
# `#[example]` stands below the attribute that reads it.
text = "\n".join(lines)
text = re.sub(r"(#\[example\(.*?\)\])\n(#\[rebut::test.*?\])", r"\2\n\1", text)
open(result, "w", encoding="utf-8").write(text + "\n")
