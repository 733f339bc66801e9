#!/bin/sh
# anonymous.sh - build --anonymous: what is left out, and that the rest is there.
. "${top_srcdir:-.}/tests/cli/lib.sh"
need gzip
cat >"$work/node7_4711.json" <<'END'
{"schemaVersion": 1, "hostname": "node7", "username": "alice",
"distributedInfo": {"rank": 3}, "traceName": "/home/alice/run/x.json",
"metadata": {"argv": ["train.py", "--data", "/mnt/alice/d"], "n": [1, 2]},
"record_shapes": 1, "number": 17, "traceEvents": [
{"ph": "X", "cat": "python_function", "name": "/home/alice/run/train.py(3): main", "pid": 1, "tid": 2, "ts": 1, "dur": 9, "args": {"Python id": 1}},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 2, "ts": 2, "dur": 3, "args": {"kernel_file": "/tmp/alice/k.py", "list": ["/home/alice", 1], "Input type": ["float", ""]}},
{"ph": "X", "cat": "cpu_op", "name": "/home/alice/x", "pid": 1, "tid": "/scratch/alice/7", "ts": 20, "dur": 3},
{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "python /home/alice/run/train.py"}},
"/data/alice/note", 5],
"trace_id": "ABC", "deviceProperties": [{"id": 0, "name": "GPU"}], "log": "alice@node7 \"\\\u00e9"}
END
gzip -c "$work/node7_4711.json" >"$work/node7_4711.json.gz"

run t2t build -q --anonymous -o "$work/x.t2t" "$work/node7_4711.json"
expect_status 0
run t2t check "$work/x.t2t"
expect_status 0
run t2t export --to trace "$work/x.t2t"
expect_status 0
check 'nothing of it is in the trace' sh -c "! grep -E 'alice|node7|ABC|argv' '$work/out'"
describe 'what is there'
for text in '"schemaVersion":1' '"rank":3' '"hostname":null' '"username":null' \
    '"metadata":null' '"number":null' '"record_shapes":1' '"log":null' \
    '"name":"GPU"' '"_/train.py(3): main"' '"aten::mm"' '"_/k.py"' \
    '\["_/_",1]' '"_/x"' '"tid":"_/7"' '"python _/train.py"' '"_/note"' \
    '"Input type":\["float",""]'; do
    check "$text" sh -c "tr -d '\n' <'$work/out' | sed 's/\": */\":/g' | grep -q -e '$text'"
done
describe 'the index'
cp "$work/out" "$work/y.json"
run t2t info --format json "$work/x.t2t"
expect_status 0
check 'nothing of it is in info' sh -c "! grep -E 'alice|node7|ABC|argv' '$work/out'"
check 'nothing of it is in its strings' sh -c "! grep -aE 'alice|node7|argv' '$work/x.t2t'"

for way in '-j1 --chunk 64' '-j4' '--no-layouts' '--salvage'; do
    # shellcheck disable=SC2086 # words
    run t2t build -q --anonymous $way -o "$work/z.t2t" "$work/node7_4711.json"
    expect_status 0
    check 'the same index' cmp "$work/x.t2t" "$work/z.t2t"
done
run t2t build -q --anonymous -o "$work/z.t2t" "$work/node7_4711.json.gz"
expect_status 0
"$T2T" export --to trace "$work/z.t2t" >"$work/out"
check 'the same trace' cmp "$work/y.json" "$work/out"

describe 'what is anonymous stays as it is'
run t2t build -q --anonymous -o "$work/z.t2t" "$work/y.json"
"$T2T" export --to trace "$work/z.t2t" >"$work/out"
check 'the same trace' cmp "$work/y.json" "$work/out"

describe 'escapes are no part of a path'
cat >"$work/escapes.json" <<'END'
{"traceEvents": [{"ph": "X", "name": "D:\temp\new.py", "ts": 1, "dur": 1, "ts": 1, "args": {"a": "at\n/home/me/x.py", "b": "C:\\\\Users\\\\me\\\\y.py"}},
{"ph": "X", "cat": "cpu_op", "name": "n", "pid": ["at\n/home/me/x"], "tid": "{C:\\me\\b", "ts": 1, "dur": 3}]}
END
run t2t build -q --anonymous "$work/escapes.json"
expect_status 0
run t2t check "$work/escapes.json.t2t"
expect_status 0
run t2t export --to trace "$work/escapes.json.t2t"
expect_match out '"pid":\["at\\n_/x"],"tid":"\{_/b"'
expect_match out '"D:\\temp\\new.py".*"a":"at\\n_/x.py","b":"_/y.py"'
run t2t info --all "$work/escapes.json.t2t"
check 'nothing of it is in the lanes' sh -c "! grep -E 'home|C:' '$work/out'"

describe 'an index that is there'
run t2t build -q -o "$work/w.t2t" "$work/node7_4711.json"
expect_status 0
check 'it says whose it is' grep -qa alice "$work/w.t2t"
run t2t build --anonymous -o "$work/w.t2t" "$work/node7_4711.json"
expect_status 0
check 'it is built again' cmp "$work/x.t2t" "$work/w.t2t"
run t2t build --anonymous -o "$work/w.t2t" "$work/node7_4711.json"
expect_status 0
expect_match err ': is there and fits its trace '

describe 'every string of an element'
cat >"$work/all.json" <<'END'
[{"ph": "/home/alice/p", "cat": "/home/alice/c", "name": "n", "pid": 1, "tid": 2, "ts": 1, "dur": 1, "id": "/home/alice/i", "/home/alice/k": 1, "args": {"/home/alice/a": {"/home/alice/b": 2}}},
{"ph": ["/home/alice/p"], "cat": {"c": "/home/alice/c"}, "name": ["/home/alice/n"], "pid": {"/home/alice/p": 1}, "tid": "\\\\alice\\share\\t", "ts": "/home/alice/t", "dur": ["/home/alice/d"], "args": "/home/alice/a"},
{"ph": "s", "cat": "ac2g", "name": "n", "pid": 1, "tid": 2, "ts": 1, "id": ["at\n/home/alice/x", "C:\\Users\\alice"]},
{"ph": "f", "cat": "ac2g", "name": "\\\\alice\\share\\n", "pid": 1, "tid": 2, "ts": 1, "id": {"i": "~alice/x\t\\\\alice\\share"}},
{"ph": "X", "cat": "cpu_op", "name": "\\/home\\/alice", "pid": 1, "tid": 2, "ts": 1, "dur": 1, "args": {"u": "\\\\alice\\share\\x", "l": ["\\\\?\\C:\\Users\\alice\\x"], "j": "{\"f\": \"\\/home\\/alice\\/x\", \"u\": \"\\\\\\\\alice\\\\s\\\\x\"}", "s": "\/home\/alice"}},
{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "\\\\alice\\share\\python"}},
{"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "\\/home\\/alice"}}]
END
run t2t build -q --anonymous "$work/all.json"
expect_status 0
check 'nothing of it is in its strings' sh -c "! grep -a alice '$work/all.json.t2t'"
run t2t check "$work/all.json.t2t"
expect_status 0
run t2t export --to trace "$work/all.json.t2t"
expect_status 0
check 'nothing of it is in the trace' sh -c "! grep -a alice '$work/out'"
expect_match out '^.?\{"ph":"_/p","cat":"_/c",.*"id":"_/i","_/k":1,"args":\{"_/a":\{"_/b":2}}},?$'
expect_match out '"id":\["at\\n_/x","_/_"]'
expect_match out '"name":"_/_".*"u":"_/x","l":\["_/x"],"j":"\{\\"f\\": \\"_/x\\", \\"u\\": \\"_/x\\"}","s":"_/_"'
cp "$work/out" "$work/again.json"
run t2t build -q --anonymous --force --no-layouts -o "$work/z.t2t" "$work/all.json"
check 'the same index' cmp "$work/all.json.t2t" "$work/z.t2t"
run t2t build -q --anonymous "$work/again.json"
"$T2T" export --to trace "$work/again.json" >"$work/out"
check 'it stays so' cmp "$work/again.json" "$work/out"

describe 'slashes behind each other'
printf '%s' '[{"args":{"a":["l\n/home/alice/x","\u000a~alice/y\t//home//alice/z"]}}]' \
    >"$work/escape.json"
run t2t build -q --anonymous "$work/escape.json"
expect_status 0
run t2t export --to trace "$work/escape.json.t2t"
expect_match out '"l\\n_/x","\\n_/y\\t_/z"'

describe 'members that are cut and long'
{
    printf '{"secret": "'
    head -c 300000 /dev/zero | tr '\0' s
    printf '", "schemaVersion": 1, "n": -12.5, "traceEvents": [], "m": [[{}]]}'
} >"$work/long.json"
run t2t build -q --anonymous "$work/long.json"
expect_status 0
run t2t export --to trace "$work/long.json.t2t"
tr -d '\n ' <"$work/out" >"$work/flat"
cp "$work/flat" "$work/out"
expect_match out '^\{"secret":null,"schemaVersion":1,"n":null,"traceEvents":\[],"m":null}$'
run t2t check "$work/long.json.t2t"
expect_status 0

describe 'damage inside of what is left out'
for value in '["alice" x]' '{"alice":[1,2}' '[alice,1]'; do
    printf '{"a": 1, "user": %s, "traceEvents": [%s], "c": 3}' "$value" \
        '{"ph": "X", "name": "n", "ts": 1, "dur": 2}' >"$work/damaged.json"
    run t2t build -q --anonymous --salvage "$work/damaged.json"
    expect_status 4
    run t2t check "$work/damaged.json.t2t"
    expect_status 0
    run t2t export --to trace "$work/damaged.json.t2t"
    expect_status 0
    tr -d '\n ' <"$work/out" >"$work/flat"
    cp "$work/flat" "$work/out"
    expect_match out '^\{"a":null,"traceEvents":\[\{"ph":"X","name":"n","ts":1,"dur":2}],"c":null}$'
done
finish
