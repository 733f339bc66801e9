#!/bin/sh
# find.sh - t2t find and t2t stack, word for word.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "$top_srcdir/tests/cli/small.sh"
small=$work/small.json

run t2t find "$small" mm
expect_status 0
expect_empty err
expect_text out <<'END'
      id      start   duration GPU ev.    GPU sum  kind    name
       1  10.000 us  30.000 us       1  50.500 us  op      aten::mm
       3  30.000 us  50.500 us                     kernel  gemm

2 found among 6 nodes of the tree (--outside: everywhere)
END

run t2t find "$small" --layer gpu --sort dur --top 1 --time-unit ms
expect_text out <<'END'
      id start (ms)   dur (ms)  kind    name
       5      0.035   5000.000  memcpy  Memcpy \u001b[31m"x"�

1 of 2 found among 6 nodes of the tree (--outside: everywhere)
END

run t2t find "$small" '' --outside --sort start --args 'Input Dims,none,stream'
expect_text out <<'END'
      id      start   duration GPU ev.    GPU sum  kind               name
       6 -10.000 us       0 ns                     -                  process_name
       0       0 ns  90.000 us       1  50.500 us  module             nn.Module: Net_0
       1  10.000 us  30.000 us       1  50.500 us  op                 aten::mm  Input Dims=[[2,3],[]]
       2  15.000 us   5.000 us       1  50.500 us  launch             cudaLaunchKernel
       3  30.000 us  50.500 us                     kernel             gemm  stream=7
       5  35.000 us    5.000 s                     memcpy             Memcpy \u001b[31m"x"�
       4  50.000 us  10.000 us                     op                 autograd::engine::evaluate_function: MmBackward0
       7          -       0 ns                     -                  (no name)
       8          -       0 ns                     -                  (no name)

9 found among 9 elements
END

run t2t find "$small" nothing
expect_status 0
expect_text out <<'END'
nothing found among 6 nodes of the tree (--outside: everywhere)
END
for format in text json; do
    run t2t find "$small" --module Other --format $format
    expect_status 2
    expect_empty out
    expect_text err <<'END'
t2t: no module 'Other': there are Net, Net_0; see 't2t help find'
END
done
run t2t find "$small" nothing --module Net
expect_status 0
expect_text out <<'END'
nothing found among 6 nodes of the tree (--outside: everywhere)
END
for args in ',' 'a,' ',a' 'a,,b' ',,'; do
    for command in find tree stack; do
        run t2t $command "$small" 1 --args "$args"
        expect_status 2
        expect_text err <<END
t2t: --args takes KEY[,KEY]..., not '$args'; see 't2t help $command'
END
    done
done
printf '%s' '[{"ph":"X","cat":"cpu_op","name":"nn","pid":1,"tid":1,"ts":1,"dur":2},' \
    '{"ph":"X","cat":"python_function","name":"nn.Module: X_0\u0000","pid":1,"tid":1,"ts":1,"dur":1},' \
    '{"ph":"i","name":"early","pid":1,"tid":1,"ts":0.6}]' >"$work/odd.json"
run t2t find "$work/odd.json" --module X_0
expect_status 2
expect_line err "t2t: no module 'X_0': there is only X_0\\u0000; see 't2t help find'"
run t2t find "$work/odd.json" early --outside --time-unit ms
expect_match out ' 0\.000 '
expect_no_match out '-0\.000'
run t2t find "$work/odd.json" early --outside --time-unit us
expect_match out ' -0\.400 '
printf '[{"ph":"X","cat":"cpu_op","name":"n","pid":1,"tid":1,"ts":1,"dur":80}]' \
    >"$work/one.json"
run t2t build --force "$work/one.json"
expect_match err '^t2t: .*: 1 event, 1 in the tree, '
run t2t find "$work/one.json" --min-dur 80.00000us
expect_line out '1 found among 1 node of the tree (--outside: everywhere)'
run t2t find "$work/one.json" --outside n
expect_line out '1 found among 1 element'
run t2t check "$work/one.json.t2t"
expect_match out ' bytes, 1 event$'

ids() { # ids IDS ARGUMENT...: what is found, by id
    ids=$1
    shift
    run t2t find "$small" --format json "$@"
    expect_status 0
    check "finds $ids" "$PYTHON" -c '
import json, sys
ids = " ".join(str(d["id"]) for d in json.load(open(sys.argv[1])))
print(ids)
sys.exit(ids != sys.argv[2])' "$work/out" "$ids"
}
ids '1' aten
ids '' ATEN
ids '1' -i ATEN
ids '1 2' -E '^(aten::|cuda)'
ids '1 2' --regex -i '^(ATEN::|CUDA)'
ids '3' --cat kernel
ids '2' --layer launch
ids '0 1 2 3 4 5' --layer any
ids '0 1 2 3 4' --module Net
ids '1 4' --module Net_0 --layer operation
ids '0 3 5' --min-dur 50.5us
ids '1 2' --between 10 15.001us
ids '1' --between 10us 15us
ids '' --between 0 0
ids '' --between -1.5ms -1ms
ids '0 1' --between -1.5ms 15us
ids '0 1 2' --between -9223372036s 15.001us
ids '5 0 3 1 4 2' '' --sort dur
ids '5 0 1 2 3 4' --sort gpu --top 6
ids '0 1' --top 2
ids '' --outside --between 5s 6s
run t2t find "$small" gemm --format json --args stream
check 'has the arguments that were asked for' "$PYTHON" -c '
import json, sys
d, = json.load(open(sys.argv[1]))
assert d["args"] == {"stream": 7} and d["launch"] == 2 and d["module"] == 0, d' "$work/out"

describe 'a category outside the tree'
printf '%s\n' '[{"ph":"X","cat":"user_annotation","name":"step","pid":1,"tid":1,"ts":1,"dur":2},' \
    '{"ph":"X","cat":"cpu_op","name":"step","pid":1,"tid":1,"ts":1,"dur":2}]' >"$work/step.json"
"$T2T" build -q "$work/step.json" || exit 99
run t2t find "$work/step.json" --cat user_annotation
expect_match out '^       1       0 ns   2.000 us  user_annotation    step$'
run t2t find "$work/step.json" step
expect_no_match out 'user_annotation'

wrong() { # wrong LINE ARGUMENT...
    line=$1
    shift
    run t2t "$@"
    expect_status 2
    expect_empty out
    expect_text err <<END
t2t: $line
END
}
for times in '-1ms -2ms' '--1ms 2ms' '-1ms -'; do
    # shellcheck disable=SC2086 # two words
    wrong "--between takes two times such as 10ms 1.5s, the first not the later one, not '${times% *}' '${times#* }'; see 't2t help find'" \
        find "$small" --between $times
done
wrong "no regular expression: missing closing parenthesis; see 't2t help find'" \
    find "$small" -E '('
wrong "a path of modules with an empty part; see 't2t help find'" \
    find "$small" --module a//b
wrong "find takes a PATTERN ('' for all), or an option that says what to find; see 't2t help find'" \
    find "$small"
wrong "--regex needs a PATTERN; see 't2t help find'" \
    find "$small" --regex --cat kernel
wrong "--top takes 1 or more, not '0'; see 't2t help find'" find "$small" --top 0
wrong "--backward is for text: JSON always names backward events; see 't2t help tree'" \
    tree --backward --format json "$small"

run t2t stack "$small" 3
expect_status 0
expect_empty err
expect_text out <<'END'
      id   duration  kind    name
== stream 7 of GPU 0
       3  50.500 us  kernel  gemm
== thread 2 of process 1 "python"
       2   5.000 us  launch  cudaLaunchKernel
       1  30.000 us  op      aten::mm
       0  90.000 us  module  nn.Module: Net_0
END
run t2t stack "$small" --time-unit ms --args 'Sequence number' @4 0 -b
expect_text out <<'END'
      id   dur (ms)  kind    name
== thread 2 of process 1 "python"
       4      0.010  op      autograd::engine::evaluate_function: MmBackward0  Sequence number=5
-- 4 is backward of 1:
       1      0.030  op      aten::mm  Sequence number=5
       0      0.090  module  nn.Module: Net_0

== thread 2 of process 1 "python"
       0      0.090  module  nn.Module: Net_0
END
run t2t stack "$small" 4
expect_no_match out 'aten::mm'
expect_match out '^       0 '
run t2t stack --format json "$small" 4 3 --through-backward --args stream
check 'is an array a node' "$PYTHON" -c '
import json, sys
stacks = [json.loads(line) for line in open(sys.argv[1])]
assert [[d["id"] for d in s] for s in stacks] == [[4, 1, 0], [3, 2, 1, 0]], stacks
assert stacks[1][0]["args"] == {"stream": 7}' "$work/out"
wrong "element @5 is outside the tree; see 't2t help stack'" \
    stack "$small" --format json @5
finish
