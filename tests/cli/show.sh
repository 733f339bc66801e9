#!/bin/sh
# show.sh - t2t tree, show, info, dump and timeline, word for word.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "$top_srcdir/tests/cli/small.sh"
small=$work/small.json

run t2t tree "$small"
expect_status 0
expect_empty err
expect_text out <<'END'
      id   duration GPU ev.    GPU sum  name (=> on a GPU)

== thread 2 of process 1 "python"
       0  90.000 us       1  50.500 us  nn.Module: Net_0
       1  30.000 us       1  50.500 us  | aten::mm
       2   5.000 us       1  50.500 us  | | cudaLaunchKernel
       3  50.500 us                     | | | => gemm
       4  10.000 us                     | autograd::engine::evaluate_function: MmBackward0

== stream s of GPU 0, without a launch
       5    5.000 s                     => Memcpy \u001b[31m"x"�
END

run t2t tree "$small" --depth 1 --time-unit ms --args 'Input Dims,stream,Input Dims'
expect_text out <<'END'
      id   dur (ms) GPU ev.   sum (ms)  name (=> on a GPU)

== thread 2 of process 1 "python"
       0      0.090       1      0.051  nn.Module: Net_0
       1      0.030       1      0.051  | aten::mm  Input Dims=[[2,3],[]]
       4      0.010                     | autograd::engine::evaluate_function: MmBackward0

== stream s of GPU 0, without a launch
       5   5000.000                     => Memcpy \u001b[31m"x"�
END

run t2t tree "$small" 1 --gpu-only
expect_text out <<'END'
      id   duration GPU ev.    GPU sum  name (=> on a GPU)

== thread 2 of process 1 "python"
       1  30.000 us       1  50.500 us  aten::mm
       2   5.000 us       1  50.500 us  | cudaLaunchKernel
       3  50.500 us                     | | => gemm
END

run t2t tree "$small" --min-dur 50.1us --depth 3
expect_text out <<'END'
      id   duration GPU ev.    GPU sum  name (=> on a GPU)

== thread 2 of process 1 "python"
       0  90.000 us       1  50.500 us  nn.Module: Net_0
       1  30.000 us       1  50.500 us  | aten::mm
       2   5.000 us       1  50.500 us  | | cudaLaunchKernel
       3  50.500 us                     | | | => gemm

== stream s of GPU 0, without a launch
       5    5.000 s                     => Memcpy \u001b[31m"x"�
END

run t2t tree "$small" 1 --backward --depth 0
expect_text out <<'END'
      id   duration GPU ev.    GPU sum  name (=> on a GPU)

== thread 2 of process 1 "python"
       1  30.000 us       1  50.500 us  aten::mm
       4  10.000 us                     | <= backward: autograd::engine::evaluate_function: MmBackward0
END
run t2t tree "$small" 1 --backward --gpu-only --depth 0
expect_no_match out '<= backward'
run t2t tree "$small" 1 --backward --min-dur 11 --depth 0
expect_no_match out '<= backward'

COLUMNS=80 run t2t tree "$small"
check 'lines have at most 80 columns' "$PYTHON" -c '
import sys
sys.exit(any(len(l.rstrip("\n")) > 80 for l in open(sys.argv[1], encoding="utf-8")))' "$work/out"
expect_match out '^       4 .*autograd::engin.+MmBackward0$'

run t2t tree "$small" @5
expect_status 2
expect_line err "t2t: element @5 is outside the tree; see 't2t help tree'"
run t2t tree "$small" 9
expect_status 2
expect_match err '^t2t: no element 9: .* has 9; '
run t2t tree "$small" one
expect_status 2
expect_match err "^t2t: 'one' is no NODE"

run t2t show "$small" 1
expect_status 0
expect_text out <<'END'
1  aten::mm
  category     cpu_op (layer operation, root)
  start        10.000 us
  duration     30.000 us
  on           thread 2 of process 1 "python"
  position     @1, at byte 204 of the trace
  module              0  90.000 us  nn.Module: Net_0
  backward            4  10.000 us  autograd::engine::evaluate_function: MmBackward0

  arguments
    Sequence number         5
    Fwd thread id           0
    Input Dims              [[2,3],[]]

  called by, outermost first
                      0  90.000 us  nn.Module: Net_0

  children
                      2   5.000 us  cudaLaunchKernel

  GPU events below: 1, together 50.500 us
                      3  50.500 us  gemm
END

run t2t show "$small" 7 @8
expect_text out <<'END'
7  (no name)
  category     - (outside the tree)
  start        -
  duration     0 ns
  position     @7, at byte 1038 of the trace

8  (no name)
  category     - (outside the tree)
  start        -
  duration     0 ns
  on           thread 2 of process 1 "python"
  position     @8, at byte 1042 of the trace

  other fields
    ts                      "x"
END

run t2t show "$small" 3 0
expect_text out <<'END'
3  gemm
  category     kernel (layer gpu)
  start        30.000 us
  duration     50.500 us
  on           stream 7 of GPU 0
  position     @3, at byte 507 of the trace
  module              0  90.000 us  nn.Module: Net_0
  launch              2   5.000 us  cudaLaunchKernel

  arguments
    correlation             7
    stream                  7

  called by, outermost first
                      0  90.000 us  nn.Module: Net_0
                      1  30.000 us  aten::mm
                      2   5.000 us  cudaLaunchKernel

0  nn.Module: Net_0
  category     python_function (layer python)
  start        0 ns
  duration     90.000 us
  on           thread 2 of process 1 "python"
  position     @0, at byte 70 of the trace
  class        Net

  arguments
    Python id               1

  children
                      1  30.000 us  aten::mm
                      4  10.000 us  autograd::engine::evaluate_function: MmBackward0

  GPU events below: 1, together 50.500 us
                      3  50.500 us  gemm
END

describe 'JSON'
run t2t show --format json "$small" 1
expect_text out <<'END'
{"id":1,"position":1,"name":"aten::mm","category":"cpu_op","layer":"operation","phase":"X","in_tree":true,"start_ns":10000,"dur_ns":30000,"parent":0,"size":3,"flags":["root-operation"],"module":0,"class":null,"launch":null,"forward":null,"backward":[4],"gpu_events":1,"gpu_sum_ns":50500,"lane":{"side":"host","pid":1,"tid":2,"process_name":"python","thread_name":null},"offset":204,"kernel":{},"ancestors":[0],"children":[2],"gpu_event_ids":[3],"args":{"Sequence number":5,"Fwd thread id":0,"Input Dims":[[2,3],[]]},"fields":{}}
END
run t2t tree --format json --args stream,none,stream "$small"
check 'is an array of objects with keys of show' "$PYTHON" -c '
import json, subprocess, sys
rows = json.load(open(sys.argv[1]))
for id, row in enumerate(rows):
    out = subprocess.run([sys.argv[2], "show", "--format", "json", sys.argv[3], str(id)], capture_output=True, check=True)
    show = json.loads(out.stdout)
    args = row.pop("args")
    assert row == {k: show[k] for k in row}, (row, show)
    assert args == {k: v for k, v in show["args"].items() if k == "stream"}
assert len(rows) == 6
' "$work/out" "$T2T" "$small"
run t2t info --format json --sections "$small"
check 'is an object' "$PYTHON" -c '
import json, sys
d = json.load(open(sys.argv[1]))
assert d["source"]["name"] == "small.json" and d["elements"] == 9 and d["nodes"] == 6, d
assert d["gpu_events"] == 2 and d["linked_gpu_events"] == 1 and d["forward_links"] == 1
assert [m["member"] for m in d["members"]] == ["schemaVersion", "distributedInfo"]
assert d["members"][1]["value"] == {"rank": 0}
assert [(l["side"], l["pid"], l["tid"], l["nodes"]) for l in d["lanes"][:3]] == [("host", 1, 2, 5), ("gpu", 0, 7, 0), ("gpu", 0, "s", 1)], d["lanes"]
assert d["devices"] == [{"device": 0, "name": None, "process": None, "streams": 2, "events": 2}]
assert d["anomalies"][0]["kind"] == "not-an-object" and d["anomalies"][0]["first_offset"] == 1038
assert d["sections"][0]["section"] == "START" and d["origin_ns"] == 10000
for s in d["sections"]:
    assert abs(s["bytes_per_element"] - s["bytes"] / 9) < 1e-9, s
    assert abs(s["bytes_per_node"] - s["bytes"] / 6) < 1e-9, s
' "$work/out"

run t2t info "$small"
expect_status 0
expect_line out 'events     9, 6 of them in the tree'
expect_line out 'GPU events 2, 1 of them under a launch'
expect_match out '^distributedInfo +11  \{"rank": 0\}$'
expect_match out '^not-an-object +1 +7 +1038  element is no object$'
expect_no_match out '^START'
run t2t info "$small" --sections
expect_match out '^ 1  START +9 +72 +[0-9.]+ +8\.00 +12\.00$'
expect_match out '^ 8  PARENT +6 +24 +[0-9.]+ +2\.67 +4\.00$'
expect_match out '^ -  total +- +[0-9]+ +100\.00 +[0-9.]+ +[0-9.]+$'
# shellcheck disable=SC2016 # awk's
check 'the bytes add up' awk '
    $2 == "total" { total = $4 }
    on && $2 != "total" { sum += $(NF - 3) }
    /^id  section/ { on = 1 }
    END { exit !total || sum != total }' "$work/out"

cat >"$work/named.json" <<'END'
{"deviceProperties": [{"id": 1, "name": "Other"}, {"a": [{"id": 0}], "name" : "GPU \"0\"", "id" : 0 }],
"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 2},
{"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "worker"}},
{"ph": "s", "id": "a\u001b", "cat": "ac2g", "name": "f", "pid": 1, "tid": 1, "ts": 5, "bp": {"e": ["]"]}, "dur": "x", "args": [1]}]}
END
"$T2T" build -q "$work/named.json" || exit 99
run t2t info "$work/named.json"
expect_match out '^0 +GPU ."0." +worker +1 +1$'
describe 'fields that are not known'
run t2t show "$work/named.json" @2
sed -n '/other fields/,$p' "$work/out" >"$work/fields"
mv "$work/fields" "$work/out"
expect_text out <<'END'
  other fields
    id                      "a\u001b"
    bp                      {"e":["]"]}
    dur                     "x"
    args                    [1]
END
run t2t show --format json "$work/named.json" @2
check 'has them in JSON' "$PYTHON" -c '
import json, sys
d = json.load(open(sys.argv[1]))
assert d["fields"] == {"id": "a\u001b", "bp": {"e": ["]"]}, "dur": "x", "args": [1]}, d["fields"]
assert d["args"] == {}' "$work/out"

describe 'what names of GPU events say'
"$PYTHON" - >"$work/kernels.json" <<'END'
import json
names = ["void at::native::fill_kernel<4, a::b<int> >(int, a::b<int>)",
         "void cutlass::Kernel<cutlass_80_tensorop_f16_s16816gemm_f16_96x64_32x3_nt_align8>(int)",
         "Cijk_Alik_Bljk_BSS_BH_MT48x32x16_SN", "triton_poi_fused__to_copy_add_3", "plain", None]
events = [{"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": i, "dur": 1} for i, name in enumerate(names)]
events.append({"ph": "X", "cat": "cpu_op", "name": "nvjet_tst(int)", "pid": 1, "tid": 1, "ts": 9, "dur": 1})
print(json.dumps({"traceEvents": events}))
END
"$T2T" build -q "$work/kernels.json" || exit 99
run t2t show "$work/kernels.json" @0 @1 @2 @3 @4 @5 @6
expect_status 0
grep '^  name ' "$work/out" >"$work/lines"
mv "$work/lines" "$work/out"
expect_text out <<'END'
  name         base at::native::fill_kernel; family at-native
  name         base cutlass::Kernel; family cutlass; gemm NT 96x64x32 fp16
  name         family tensile; gemm TN 48x32x16 bf16->fp32
  name         family triton; pointwise of _to_copy_add
END
run t2t show --format json "$work/kernels.json" @0 @1 @2 @3 @4 @5 @6
check 'are in JSON' "$PYTHON" -c '
import json, sys
kernels = [json.loads(line)["kernel"] for line in open(sys.argv[1])]
tile = ["tile_m", "tile_n", "tile_k"]
types = ["type_a", "type_b", "type_out", "type_compute"]
keys = (["base_name", "family", "gemm", "transpose_a", "transpose_b"] + tile + types
        + ["triton_kind", "triton_ops", "triton_number"])
assert [list(k) for k in kernels] == [keys] * 5 + [[]] * 2, kernels
rows = [[k[key] for key in keys] for k in kernels[:5]]
none = [None] * 9
assert rows == [
    ["at::native::fill_kernel", "at-native", False] + none + [None] * 3,
    ["cutlass::Kernel", "cutlass", True, False, True, 96, 64, 32, "fp16", "fp16", "fp16", "fp32"] + [None] * 3,
    ["Cijk_Alik_Bljk_BSS_BH_MT48x32x16_SN", "tensile", True, True, False, 48, 32, 16,
     "bf16", "bf16", "fp32", "fp32"] + [None] * 3,
    ["triton_poi_fused__to_copy_add_3", "triton", False] + none + ["pointwise", "_to_copy_add", 3],
    ["plain", None, False] + none + [None] * 3], rows' "$work/out"

run t2t dump "$small"
printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' \
    0 python_function 'nn.Module: Net_0' -1 -1 -1 P 1 -1 \
    1 cpu_op aten::mm 0 -1 -1 PR 1 0 \
    2 cuda_runtime cudaLaunchKernel 1 -1 -1 P 1 0 \
    3 kernel gemm 2 2 -1 GL 0 0 \
    4 cpu_op 'autograd::engine::evaluate_function: MmBackward0' 0 -1 1 PR 0 0 \
    5 - process_name -1 -1 -1 - 0 -1 \
    6 gpu_memcpy 'Memcpy \u001b[31m\"x\"�' -1 -1 -1 G 0 -1 \
    7 - - -1 -1 -1 - 0 -1 \
    8 - - -1 -1 -1 - 0 -1 >"$work/lines"
expect_text out <"$work/lines"

run t2t timeline "$small" --linked-only
expect_text out <<'END'
selected: linked only, 1 of 2 GPU events
device  type                 time (us)  percent (%)
all     computation_time        50.500       100.00 ##########
all     exposed_comm_time        0.000         0.00
all     exposed_memcpy_time      0.000         0.00
all     busy_time               50.500       100.00 ##########
all     idle_time                0.000         0.00
all     total_time              50.500       100.00 ##########
all     total_comm_time          0.000         0.00
all     total_memcpy_time        0.000         0.00
0       computation_time        50.500       100.00 ##########
0       exposed_comm_time        0.000         0.00
0       exposed_memcpy_time      0.000         0.00
0       busy_time               50.500       100.00 ##########
0       idle_time                0.000         0.00
0       total_time              50.500       100.00 ##########
0       total_comm_time          0.000         0.00
0       total_memcpy_time        0.000         0.00
END
for locale in C C.UTF-8; do
    run_command env COLUMNS=28 LC_ALL=$locale "$T2T" timeline "$small"
    sed -n '1,2p;18,$p' "$work/out" >"$work/lines"
    cp "$work/lines" "$work/out"
    [ $locale = C ] && cut='com...time' || cut='comp…_time'
    expect_text out <<END
device  type        time (s)
all     $cut     0.000
(1 column not shown:
percent; --format csv has
them)
END
done
run t2t timeline "$small" --format csv
expect_line out 'device,type,time_ns,percent'
expect_line out '0,exposed_memcpy_time,4999954500,99.99899000101'
run t2t timeline "$small" --format json
check 'is JSON' "$PYTHON" -c '
import json, sys
d = json.load(open(sys.argv[1]))
assert d["table"] == "timeline" and d["trace"] == "small.json" and d["selection"] == {}
assert d["rows"][0] == ["all", "computation_time", 50500, d["rows"][0][3]], d
' "$work/out"
describe 'names of many GPUs'
"$PYTHON" - >"$work/gpus.json" <<'END'
import json
n = 3000
names = [{"id": i, "name": f"gpu {i}"} for i in reversed(range(n)) if i != 7]
names += [{"id": 5, "name": "second"}, {"id": "7", "name": "text"}, 3, {}]
events = [{"ph": "X", "cat": "kernel", "name": "k", "pid": i, "tid": 7, "ts": i + 1,
           "dur": 1, "args": {"device": i, "stream": 7}} for i in range(n)]
print(json.dumps({"deviceProperties": names, "traceEvents": events}))
END
"$T2T" build -q "$work/gpus.json"
run t2t info --format json "$work/gpus.json"
expect_status 0
check 'each has its own, the first of several' "$PYTHON" -c '
import json, sys
rows = json.load(open(sys.argv[1]))["devices"]
assert len(rows) == 3000
for row in rows:
    i = row["device"]
    assert row["name"] == (None if i == 7 else f"gpu {i}"), row' "$work/out"

describe 'a key that is asked for twice'
run t2t tree --format json --args stream,stream,correlation,stream "$small"
expect_match out '"args":\{"stream":7,"correlation":7\}'
expect_no_match out '"stream":7.*"stream":7'

describe 'a key that is no string, of one byte'
sed 's/"ph":"X"/1,   "X"/g' "$work/small.json.t2t" >"$work/forged.t2t"
# shellcheck disable=SC2016 # for the sh that runs it
check 'the index is another one' \
    sh -c '! cmp -s "$1" "$2"' - "$work/small.json.t2t" "$work/forged.t2t"
run t2t show "$work/forged.t2t" @2
expect_status 0
expect_match out '^    1                       "X"$'
finish
