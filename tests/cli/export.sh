#!/bin/sh
# export.sh - the trace back.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "$top_srcdir/tests/cli/small.sh"
index=$work/small.json.t2t

run t2t export "$index" --to trace
expect_status 0
expect_empty err
expect_text out <<'END'
{"schemaVersion": 1, "distributedInfo": {"rank": 0}, "traceEvents": [
{"ph":"X","cat":"python_function","name":"nn.Module: Net_0","pid":1,"tid":2,"ts":10,"dur":90,"args":{"Python id":1}},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":2,"ts":20,"dur":30,"args":{"Sequence number":5,"Fwd thread id":0,"Input Dims":[[2,3],[]]}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":2,"ts":25,"dur":5,"args":{"correlation":7}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":40,"dur":50.5,"args":{"correlation":7,"stream":7}},
{"ph":"X","cat":"cpu_op","name":"autograd::engine::evaluate_function: MmBackward0","pid":1,"tid":2,"ts":60,"dur":10,"args":{"Sequence number":5,"Fwd thread id":1}},
{"ph":"M","name":"process_name","pid":1,"ts":0,"args":{"name":"python"}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy \u001b[31m\"x\"\ud800","pid":0,"tid":"s","ts":45,"dur":5000000,"args":{}},
17,
{"ph":"i","pid":1,"tid":2,"ts":"x"}
]}
END

# By the name of the trace, into a file, and that built again.
run t2t export --to trace -o "$work/again.json" "$work/small.json"
expect_status 0
expect_empty out
run t2t build -q "$work/again.json"
expect_status 0
run t2t export --to trace "$work/again.json"
expect_status 0
check "the export of the export is the same" cmp "$work/again.json" "$work/out"

run t2t export "$index"
expect_status 2
expect_empty out
expect_text err <<'END'
t2t: export needs --to trace; see 't2t help export'
END
for path in "$index" "$work/small.json"; do
    cp "$path" "$work/before"
    run t2t export "$index" --to trace -o "$path"
    expect_status 2
    check "${path##*/} is as it was" cmp "$work/before" "$path"
done

run t2t export "$work/none.t2t" --to trace
expect_status 3
expect_empty out

# A byte in the middle of the frames, which begin behind the header.
cp "$index" "$work/damaged.t2t"
printf 'x' | dd of="$work/damaged.t2t" bs=1 seek=160 conv=notrunc 2>/dev/null
run t2t export "$work/damaged.t2t" --to trace -o "$work/file"
expect_status 3
expect_match err '^t2t: .*damaged.t2t: index-damage: frame 0 is damaged \(at byte [0-9]+\)$'
expect_no_file "$work/file"
finish
