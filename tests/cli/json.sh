#!/bin/sh
# json.sh - the keys of JSON: what is printed is explained, and nothing else.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "$top_srcdir/tests/cli/small.sh"
small=$work/small.json

run t2t help json
expect_status 0
expect_empty err
check 'lines have at most 80 columns, none ends with a space' awk '
    length > 80 || / $/ { print; bad = 1 } END { exit bad }' "$work/out"
cp "$work/out" "$work/help"
run t2t show --format json "$small" 0 1 2 3 4 5 6 7 8
cp "$work/out" "$work/show"
run t2t tree --format json --args x "$small"
cp "$work/out" "$work/tree"
run t2t find "$small" --format json --args x '' --outside
cp "$work/out" "$work/find"
run t2t stack --format json --args x "$small" 3
cp "$work/out" "$work/stack"
# what is lost, what is suspect
sed 's/^17,$/17 18,/; s/"ts": 45,/"ts": 0,/; s/"ts": \([1-9]\)/"ts": 9000000\1/' \
    "$small" >"$work/bad.json"
"$T2T" build --salvage -q "$work/bad.json"
run t2t info --format json --sections "$work/bad.json"
cp "$work/out" "$work/info"
run t2t check --format json "$work/bad.json" "$work/bad.json.t2t"
head -n 1 "$work/out" >"$work/check_trace"
head -c 500 "$work/small.json.t2t" >"$work/cut.t2t"
run t2t check --format json "$work/cut.t2t"
cp "$work/out" "$work/check_index"
cat >"$work/keys.py" <<'END'
import json
import re
import sys


def explained():
    parts = {}
    part = None
    for line in open("help", encoding="utf-8").read().split("\n"):
        if re.match(r"^(Node objects|The object)", line):
            part = parts.setdefault(line, set())
        elif part is not None and line.startswith("  "):
            part.add(line.split()[0])
    assert len(parts) == 5 and min(map(len, parts.values())) > 3, parts
    return parts.values()


def keys(value, deeper):
    """The keys of an object, and those of the objects in it that are ours."""
    found = set()
    for key, part in value.items():
        found.add(key)
        if key not in deeper:
            continue
        for inner in part if isinstance(part, list) else [part]:
            found |= {key + "." + k for k in inner}
    return found


def compare(what, printed, expected):
    if printed != expected:
        sys.exit(f"{what}: not explained {printed - expected}, not printed {expected - printed}")


node, show, info, check_trace, check_index = explained()
shown = [json.loads(line) for line in open("show", encoding="utf-8")]
compare("show", set().union(*(keys(d, {"lane", "kernel"}) for d in shown)), node | show)
by_id = {d["id"]: d for d in shown}
for name in "tree", "find", "stack":
    for d in json.load(open(name, encoding="utf-8")):
        got = keys(d, {"lane"})
        del d["args"]
        if d != {key: by_id[d["id"]][key] for key in d}:
            sys.exit(f"{name}: not what show says: {d}")
        compare(name, got, node if d["lane"] else {k for k in node if "." not in k})
lists = {"devices", "lanes", "categories", "members", "anomalies", "suspects", "losses", "sections"}
compare("info", keys(json.load(open("info", encoding="utf-8")), lists | {"source", "index"}), info)
check = json.load(open("check_trace", encoding="utf-8"))
lost = {"damages.lost." + key for d in check["damages"] for key in d["lost"] or ()}
places = {"odd.places"} | {"odd.places." + key for d in check["odd"] for p in d.pop("places") for key in p}
compare("check of a trace", keys(check, {"damages"}) | lost | places, check_trace)
for name in "anomalies", "suspects":
    there = check["odd" if name == "anomalies" else name]
    compare(name, {name + "." + key for key in there[0]}, {key for key in info if key.startswith(name + ".")})
compare("check of an index", keys(json.load(open("check_index", encoding="utf-8")), {"damages"}), check_index)
END
describe 'help json'
# shellcheck disable=SC2016 # sh expands it
check 'explains every key that is printed, and no other' \
    sh -c 'cd "$1" && "$2" keys.py' sh "$work" "$PYTHON"
finish
