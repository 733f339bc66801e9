# shellcheck shell=sh
# shellcheck disable=SC2154 # work is that of lib.sh
# small.sh - for other tests: writes $work/small.json, a trace of nine elements,
# and builds its index.  A test of its own when it is run: that this works.
# Ids: 0 module, 1 aten::mm, 2 launch, 3 gemm, 4 backward, 5 Memcpy.
case $0 in
*/small.sh) . "${top_srcdir:-.}/tests/cli/lib.sh" ;;
esac
cat >"$work/small.json" <<'TRACE'
{"schemaVersion": 1, "distributedInfo": {"rank": 0}, "traceEvents": [
{"ph": "X", "cat": "python_function", "name": "nn.Module: Net_0", "pid": 1, "tid": 2, "ts": 10, "dur": 90, "args": {"Python id": 1}},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 2, "ts": 20, "dur": 30, "args": {"Sequence number": 5, "Fwd thread id": 0, "Input Dims": [[2, 3], []]}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 2, "ts": 25, "dur": 5, "args": {"correlation": 7}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 40, "dur": 50.5, "args": {"correlation": 7, "stream": 7}},
{"ph": "X", "cat": "cpu_op", "name": "autograd::engine::evaluate_function: MmBackward0", "pid": 1, "tid": 2, "ts": 60, "dur": 10, "args": {"Sequence number": 5, "Fwd thread id": 1}},
{"ph": "M", "name": "process_name", "pid": 1, "ts": 0, "args": {"name": "python"}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy \u001b[31m\"x\"\ud800", "pid": 0, "tid": "s", "ts": 45, "dur": 5000000, "args": {}},
17,
{"ph": "i", "pid": 1, "tid": 2, "ts": "x"}]}
TRACE
"$T2T" build -q "$work/small.json" || exit 99
case $0 in
*/small.sh)
    run t2t dump "$work/small.json"
    expect_status 0
    finish
    ;;
esac
