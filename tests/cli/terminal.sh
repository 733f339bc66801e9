#!/bin/sh
# terminal.sh - on a terminal: width, colours, names of any length and script.
. "${top_srcdir:-.}/tests/cli/lib.sh"
need "$PYTHON"
cat >"$work/make.py" <<'END'
import json
import sys

wide = "\u30ab\u30fc\u30cd\u30eb" * 30
names = ["nn.Module: " + wide, "e\u0301" * 100, "head" + "x" * 20000 + "tail",
         "\u540d" * 5000 + "tail", "a" + "\u0301" * 20000 + "z", "plain"]
events = [{"ph": "X", "cat": "python_function", "name": n, "pid": 1, "tid": 1,
           "ts": 10 * i, "dur": 9 * 10 - 11 * i, "args": {"k": "v" * 300}}
          for i, n in enumerate(names)]
events.append({"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 1, "tid": 1,
               "ts": 200, "dur": 1, "args": {"correlation": 5}})
events.append({"ph": "X", "cat": "kernel", "name": "kernel \u001b[2J", "pid": 0, "tid": 7,
               "ts": 300, "dur": 1, "args": {"correlation": 5}})
events.append({"ph": "M", "name": "thread_name", "pid": 1, "tid": 1,
               "args": {"name": "t" * 500}})
json.dump(events, open(sys.argv[1], "w"))
END
cat >"$work/on_terminal.py" <<'END'
"""on_terminal.py COLUMNS COMMAND...: runs it on a terminal of that width, prints what it prints."""
import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
child = subprocess.Popen(sys.argv[2:], stdout=slave)
os.close(slave)
data = b""
while True:
    try:
        part = os.read(master, 65536)
    except OSError:
        part = b""
    if not part:
        break
    data += part
sys.stdout.buffer.write(data.replace(b"\r\n", b"\n"))
sys.exit(child.wait())
END
cat >"$work/width.py" <<'END'
"""width.py COLUMNS: no line of the input is wider, names use most of the room."""
import re
import sys
import unicodedata


def columns(line):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in line)


text = sys.stdin.buffer.read().decode("utf-8")
lines = [re.sub("\x1b\\[[0-9]*m", "", line) for line in text.split("\n")]
most = max(columns(line) for line in lines)
if "\x1b" in "".join(lines) or not int(sys.argv[1]) - 1 <= most <= int(sys.argv[1]):
    sys.exit(f"{most} columns: " + "\n".join(lines))
END
"$PYTHON" "$work/make.py" "$work/names.json"
"$T2T" build -q "$work/names.json" || exit 99
TERM=xterm
LC_ALL=C.UTF-8
export TERM LC_ALL

# on COLUMNS ARGUMENT...: runs t2t on a terminal.
on() {
    columns=$1
    shift
    describe "$columns columns:" "$@"
    "$PYTHON" "$work/on_terminal.py" "$columns" "$T2T" "$@" \
        >"$work/out" 2>"$work/err"
    status=$?
}
escape=$(printf '\033')

for width in 40 60 71 80 131 200; do
    for words in 'tree' 'tree --args k' 'find --layer any' \
        'find --layer python --args k' 'stack'; do
        node=
        [ "$words" != stack ] || node=3
        # shellcheck disable=SC2086 # words
        on $width $words "$work/names.json" $node
        expect_status 0
        # shellcheck disable=SC2016 # sh expands it
        check "no line is wider, one is as wide" sh -c '
            "$1" "$2/width.py" "$3" <"$2/out"' sh "$PYTHON" "$work" "$width"
        expect_match out "$escape\\[36m.*$escape\\[0m" # modules
    done
done
on 80 tree "$work/names.json"
expect_match out 'headx+…x+tail'
expect_match out 'tail$'
expect_match out "$escape\\[32m.*kernel .u001b\\[2J"
expect_match out '== thread 1 "t+…t+" of process 1'
on 80 show "$work/names.json" 7
expect_match out "$escape\\[32mkernel "

# Where the locale cannot show lines and ellipses they are ASCII: one rule.
for words in tree 'tree --args k' 'find --layer any' 'stack 3' 'show 3' \
    'modules --by path' info timeline; do
    node=${words#"${words%% [0-9]*}"}
    for locale in C C.UTF-8; do
        # shellcheck disable=SC2086 # words
        LC_ALL=$locale on 72 ${words% [0-9]*} "$work/names.json" $node
        if [ $locale = C ]; then
            expect_no_match out '│|…|█'
        else
            case $words in info) expect_match out ==\|Lanes ;; *) expect_match out '│|…|█' ;; esac
        fi
    done
done
LC_ALL=C on 80 tree "$work/names.json" --color never
expect_match out '\| \| headx+\.\.\.x+tail$'

# Each argument keeps its key, and the name is whole: the values are cut, or
# stand below the name.
"$PYTHON" - "$work/args.json" <<'END'
import json
import sys

many = [[64, 1024], [1024, 512], []]
events = [{"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": i, "dur": 20 - 2 * i,
           "args": args} for i, (name, args) in enumerate([
               ("aten::linear", {"Input Dims": many, "Input type": ["float", "float", ""]}),
               ("aten::addmm", {"Input Dims": many * 8, "Input type": ["float"], "Id": 1}),
               ("aten::t", {"Id": 7}), ("aten::view", {}),
               ("esc" + "\x01" * 40, {"Id": "\x02" * 40}), ("n" * 100, {"Id": 1})])]
json.dump(events, open(sys.argv[1], "w"))
END
"$T2T" build -q "$work/args.json" || exit 99
COLUMNS=80 run t2t tree "$work/args.json" --args 'Input Dims,Input type,Id'
expect_text out <<'END'
      id   duration GPU ev.    GPU sum  name (=> on a GPU)

== thread 1 of process 1
       0  20.000 us                     aten::linear
          Input Dims=[[64,1024],[1024,512],[]]
          Input type=["float","float",""]
       1  18.000 us                     │ aten::addmm
          Input Dims=[[64,1024],[1024,512],[],[64,…],[],[64,1024],[1024,512],[]]
          Input type=["float"]
          Id=1
       2  16.000 us                     │ │ aten::t  Id=7
       3  14.000 us                     │ │ │ aten::view
       4  12.000 us                     │ │ │ │ esc\u0001\u0001…\u0001\u0001
          Id="\u0002\u0002\u0002\u0002\u0002…\u0002\u0002\u0002\u0002\u0002"
       5  10.000 us                     5 │ │ │ nnnnnnnnnnnnnnnn…nnnnnnnnnnnnnnn
          Id=1
END
COLUMNS=120 run t2t tree "$work/args.json" --args 'Input Dims,Input type,Id'
expect_text out <<'END'
      id   duration GPU ev.    GPU sum  name (=> on a GPU)

== thread 1 of process 1
       0  20.000 us                     aten::linear  Input Dims=[[64,1024],…4,512],[]]  Input type=["float","float",""]
       1  18.000 us                     │ aten::addmm  Input Dims=[[64,1024],[1…024,512],[]]  Input type=["float"]  Id=1
       2  16.000 us                     │ │ aten::t  Id=7
       3  14.000 us                     │ │ │ aten::view
       4  12.000 us                     │ │ │ │ esc\u0001\u0001\u0001\u0001\u0001…\u0001\u0001\u0001\u0001\u0001\u0001
          Id="\u0002\u0002\u0002\u0002\u0002\u0002\u0002\u0002…\u0002\u0002\u0002\u0002\u0002\u0002\u0002\u0002\u0002"
       5  10.000 us                     │ │ │ │ │ nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn…nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn
          Id=1
END
COLUMNS=200 run t2t tree "$work/args.json" --args 'Input Dims,Input type,Id'
expect_text out <<'END'
      id   duration GPU ev.    GPU sum  name (=> on a GPU)

== thread 1 of process 1
       0  20.000 us                     aten::linear  Input Dims=[[64,1024],[1024,512],[]]  Input type=["float","float",""]
       1  18.000 us                     │ aten::addmm  Input Dims=[[64,1024],[1024,512],[],[64,1024],[1024,512],[],[64,…,[],[64,1024],[1024,512],[],[64,1024],[1024,512],[]]  Input type=["float"]  Id=1
       2  16.000 us                     │ │ aten::t  Id=7
       3  14.000 us                     │ │ │ aten::view
       4  12.000 us                     │ │ │ │ esc\u0001\u0001\u0001\u0001\u0001\u0001\u0001\u0001\u0001\u0001\u0001\u0001…\u0001\u0001\u0001\u0001\u0001\u0001\u0001\u0001\u0001\u0001\u0001\u0001
          Id="\u0002\u0002\u0002\u0002\u0002\u0002\u0002\u0002\u0002\u0002\u0002\u0002\u0002\u0002\u0002…\u0002\u0002\u0002\u0002\u0002\u0002\u0002\u0002\u0002\u0002\u0002\u0002\u0002\u0002\u0002"
       5  10.000 us                     │ │ │ │ │ nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn  Id=1
END
COLUMNS=80 run t2t stack "$work/args.json" 1 --args 'Input Dims,Input type,Id'
expect_text out <<'END'
      id   duration  kind    name
== thread 1 of process 1
       1  18.000 us  op      aten::addmm
          Input Dims=[[64,1024],[1024,512],[],[64,…],[],[64,1024],[1024,512],[]]
          Input type=["float"]
          Id=1
       0  20.000 us  op      aten::linear
          Input Dims=[[64,1024],[1024,512],[]]
          Input type=["float","float",""]
END
run t2t stack "$work/args.json" 1 --args 'Input type,Id'
expect_text out <<'END'
      id   duration  kind    name
== thread 1 of process 1
       1  18.000 us  op      aten::addmm  Input type=["float"]  Id=1
       0  20.000 us  op      aten::linear  Input type=["float","float",""]
END

# A cut is not inside an escape.
for width in 40 41 42 43 44 45 46 47 48 49 50; do
    COLUMNS=$width run t2t tree "$work/args.json" --args Id
    expect_no_match out '\\u?[0-9a-f]{0,3}(…|$)|…u?[0-9a-f]{1,4}[\\]'
done

# What a terminal obeys or hides is escaped wherever text is for people, on one
# or not; dump, CSV and JSON, which are for programs, do so on a terminal.
cat >"$work/hidden.py" <<'END'
"""hidden.py WHAT: writes such a trace, or says what the input has of these."""
import json
import sys

codes = [*range(0x7f, 0xa0), 0x61c, *range(0x200b, 0x2010), *range(0x2028, 0x202f),
         *range(0x2066, 0x206a), 0xfeff]
name = "k" + "".join(map(chr, codes))
event = {"ph": "X", "pid": 1, "tid": 1, "ts": 1, "dur": 9, "cat": "cpu_op", "name": name,
         "args": {"correlation": 5, name: name}}
if sys.argv[1] == "make":
    json.dump({"traceEvents": [
        {**event, "cat": "python_function", "name": "nn.Module: " + name}, event,
        {**event, "cat": "cuda_runtime"},
        {**event, "cat": "kernel", "pid": 0, "tid": name, "ts": 2},
        {"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": name}}],
        name: name}, sys.stdout)
else:
    text = sys.stdin.buffer.read().decode()
    raw = sum(chr(c) in text for c in codes)
    escaped = sum("\\u%04x" % c in text for c in codes)
    print(raw, escaped, len(codes))
    sys.exit(not (raw if sys.argv[1] == "raw" else not raw and escaped == len(codes)))
END
"$PYTHON" "$work/hidden.py" make >"$work/hidden.json"
"$T2T" build -q "$work/hidden.json" || exit 99
for words in tree 'show 0' 'show 1' 'stack 3' 'find k' 'info --all' ops 'ops --by name' \
    kernels launches 'launches --by event' modules gaps 'check --all' dump \
    'tree --format json' 'show 1 --format json' 'stack 3 --format json' \
    'find k --format json' 'info --format json' 'kernels --format csv' \
    'ops --format json'; do
    node=${words#"${words%% *}"}
    case $node in *' --'*) options=--${node#*--} node=${node%%--*} ;; *) options= ;; esac
    # shellcheck disable=SC2086 # words
    on 10000 ${words%% *} "$work/hidden.json" $node $options
    case $words in
    check* | gaps) check 'nothing of it is raw' sh -c "! LC_ALL=C grep -q '$(printf '\302\233')' '$work/out'" ;;
    *) check 'all of it is escaped' "$PYTHON" "$work/hidden.py" shown <"$work/out" ;;
    esac
    case $words in dump | *--format*) continue ;; esac
    # shellcheck disable=SC2086
    run t2t ${words%% *} "$work/hidden.json" $node $options
    check 'nothing of it is raw' sh -c "! LC_ALL=C grep -q '$(printf '\302\233')' '$work/out'"
done
for words in dump 'tree --format json' 'kernels --format csv' 'kernels --format json'; do
    # shellcheck disable=SC2086
    run t2t $words "$work/hidden.json"
    check 'it is as it was' "$PYTHON" "$work/hidden.py" raw <"$work/out"
done

describe 'colours'
on 80 tree "$work/names.json" --color never
expect_no_match out "$escape"
NO_COLOR=1 on 80 tree "$work/names.json"
expect_no_match out "$escape"
NO_COLOR=1 on 80 tree "$work/names.json" --color always
expect_match out "$escape"
NO_COLOR='' on 80 find "$work/names.json" kernel
expect_match out "$escape"
for words in tree info 'find --layer any' stack show timeline ops check; do
    node=
    case $words in stack | show) node=7 ;; esac
    # shellcheck disable=SC2086 # words
    TERM=dumb on 80 $words "$work/names.json" $node
    expect_no_match out "$escape"
done
on 80 info "$work/names.json"
expect_match out "$escape\\[1mLanes$escape\\[0m"
for words in tree info 'find --layer any' 'stack' 'show'; do
    node=
    case $words in stack | show) node=7 ;; esac
    # shellcheck disable=SC2086 # words
    run t2t $words "$work/names.json" $node
    expect_no_match out "$escape"
    # shellcheck disable=SC2086
    run t2t $words "$work/names.json" $node --color always
    expect_match out "$escape"
    # shellcheck disable=SC2086
    run t2t $words "$work/names.json" $node --format json
    expect_no_match out "$escape"
done
finish
