#!/bin/sh
# idle.sh - t2t launches and gaps: text of any width, CSV, JSON, selections,
# order, wrong use.
. "${top_srcdir:-.}/tests/cli/lib.sh"
need "$PYTHON"
cat >"$work/make.py" <<'END'
import json
import sys

events = []


def add(cat, name, ts, dur, pid=1, tid=1, **args):
    events.append({"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts,
                   "dur": dur, "args": args})


def launch(number, ts, dur, call="cudaLaunchKernel", tid=1):
    add("cuda_runtime", call, ts, dur, tid=tid, correlation=number)


def gpu(number, name, ts, dur, tid=7, cat="kernel"):
    add(cat, name, ts, dur, 0, tid, **({"correlation": number} if number else {}))


add("user_annotation", "ProfilerStep#1", 1, 100)
add("user_annotation", "ProfilerStep#2", 101, 400)
add("python_function", "train.py(5): step", 1, 450)
add("cpu_op", "aten::mm", 10, 20)
launch(1, 12, 4)
launch(2, 18, 4)
add("cpu_op", "aten::item", 60, 80)
add("cuda_runtime", "cudaStreamSynchronize", 65, 70)
add("cpu_op", "aten::add", 150, 20)
launch(3, 155, 5)
add("cpu_op", "c10d::allreduce_", 180, 20)
launch(4, 185, 5)
add("cpu_op", "aten::mul", 210, 20)
launch(5, 215, 5, "cudaMemcpyAsync")
launch(6, 300, 9)
gpu(None, "from before", 5, 10)
gpu(1, "gemm<128, 64>", 20, 40)
gpu(2, "gemm<128, 64>", 61, 60)
gpu(3, "elementwise_kernel<add>", 162, 30)
gpu(4, "ncclDevKernel_AllReduce", 195, 105, tid=20)
gpu(5, "Memcpy DtoD", 305, 10, cat="gpu_memcpy")
gpu(6, "behind its clock", 298, 2)
json.dump({"traceEvents": events}, open(sys.argv[1], "w"))
END
"$PYTHON" "$work/make.py" "$work/t.json"
"$T2T" build -q "$work/t.json" || exit 99
t=$work/t.json

# ---- word for word ----------------------------------------------------------
# at WIDTH ARGUMENT...: as on a terminal of that width that shows UTF-8.
at() {
    width=$1
    shift
    describe "$width columns:" "$@"
    COLUMNS=$width LC_ALL=C.UTF-8 "$T2T" "$@" >"$work/out" 2>"$work/err"
    status=$?
    expect_status 0
    expect_empty err
}

at 80 gaps "$t"
expect_text out <<'END'
stream  waits for  count  time (us)  share (%)  mostly             of it (%)
7       host           2    147.000      47.42  train.py(5): step     100.00
7       stream         0      0.000       0.00  -                          -
7       other          3     11.000       3.55                        100.00
7       busy           6    152.000      49.03  -                          -
20      host           0      0.000       0.00  -                          -
20      stream         0      0.000       0.00  -                          -
20      other          0      0.000       0.00  -                          -
20      busy           1    105.000     100.00  -                          -
(3 columns not shown: device, mean, max_ns; --format csv has them)
END

at 200 gaps "$t"
expect_text out <<'END'
device  stream  waits for  count  time (us)  mean (us)  longest (us)  share (%)             mostly             of it (%)
0       7       host           2    147.000     73.500       106.000      47.42 ████▊       train.py(5): step     100.00
0       7       stream         0      0.000          -             -       0.00             -                          -
0       7       other          3     11.000      3.667         5.000       3.55 ▍                                 100.00
0       7       busy           6    152.000          -             -      49.03 ████▉       -                          -
0       20      host           0      0.000          -             -       0.00             -                          -
0       20      stream         0      0.000          -             -       0.00             -                          -
0       20      other          0      0.000          -             -       0.00             -                          -
0       20      busy           1    105.000          -             -     100.00 ██████████  -                          -
END

at 80 gaps "$t" --by cause
expect_text out <<'END'
waits for  cause              holes  time (us)  longest (us)  share (%)  node
host       train.py(5): step      2    147.000       106.000      93.04     0
other                             3     11.000         5.000       6.96     -
total                             5    158.000
(2 columns not shown: mean, next_id; --format csv has them)
END

at 80 gaps "$t" --by op
expect_text out <<'END'
op                holes  time (us)  for host (us)  share (%)             next
cudaLaunchKernel      1    106.000        106.000      67.09 ██████▊       18
aten::add             1     41.000         41.000      25.95 ██▋           10
aten::mm              2      6.000          0.000       3.80 ▍              3
aten::mul             1      5.000          0.000       3.16 ▍             16
total                 5    158.000        147.000
(4 columns not shown: stream_ns, other_ns, mean, max_ns; --format csv has them)
END

at 80 gaps "$t" --by hole
expect_text out <<'END'
start (us)  idle (us)  waits for  stream  cause              op             node
   191.000    106.000  host       7       train.py(5): step  cudaLa…Kernel     0
   120.000     41.000  host       7       train.py(5): step  aten::add         0
    14.000      5.000  other      7                          aten::mm          -
   299.000      5.000  other      7                          aten::mul         -
    59.000      1.000  other      7                          aten::mm          -
(7 columns not shown: device, next, delay_ns, in_call_ns, next_id, before_id,
host_id; --format csv has them)
END

at 200 gaps "$t" --by hole --top 2
expect_text out <<'END'
start (us)  idle (us)  waits for  device  stream  cause              op                next                     delay (us)  in call (us)  next id  before id  host id  node
   191.000    106.000  host       0       7       train.py(5): step  cudaLaunchKernel  behind its clock             -2.000       106.000       18         10        0     0
   120.000     41.000  host       0       7       train.py(5): step  aten::add         elementwise_kernel<add>       7.000        41.000       10          5        0     0
2 of 5 rows
END

at 80 gaps "$t" --by hole --min 5us
expect_text out <<'END'
selected: min 5us, short holes 1, short 1us
start (us)  idle (us)  waits for  stream  cause              op             node
   191.000    106.000  host       7       train.py(5): step  cudaLa…Kernel     0
   120.000     41.000  host       7       train.py(5): step  aten::add         0
    14.000      5.000  other      7                          aten::mm          -
   299.000      5.000  other      7                          aten::mul         -
(7 columns not shown: device, next, delay_ns, in_call_ns, next_id, before_id,
host_id; --format csv has them)
END

at 80 gaps "$t" --min 5us --device 0 --time-unit ms
expect_text out <<'END'
selected: device "0", 7 of 7 GPU events, min 5us, short holes 1, short 1us
stream  waits for  count  time (ms)  share (%)  mostly             of it (%)
7       host           2      0.147      47.42  train.py(5): step     100.00
7       stream         0      0.000       0.00  -                          -
7       other          2      0.010       3.23                        100.00
7       short          1      0.001       0.32                        100.00
7       busy           6      0.152      49.03  -                          -
20      host           0      0.000       0.00  -                          -
20      stream         0      0.000       0.00  -                          -
20      other          0      0.000       0.00  -                          -
20      short          0      0.000       0.00  -                          -
20      busy           1      0.105     100.00  -                          -
(3 columns not shown: device, mean, max_ns; --format csv has them)
END

at 80 launches "$t"
expect_text out <<'END'
op                events  delay (us)  p99 (us)  negative  depth  empty (%)
aten::mm               2      25.500    43.000         0   1.00       0.00
aten::add              1       7.000     7.000         0   0.00     100.00
c10d::allreduce_       1      10.000    10.000         0   0.00     100.00
aten::mul              1      90.000    90.000         0   0.00     100.00
cudaLaunchKernel       1      -2.000    -2.000         1   1.00       0.00
total                  6                               1
(8 columns not shown: launches, host_ns, delay_mean, delay_min_ns, delay_max_ns,
depth_max, empty, slowest_id; --format csv has them)
END

at 200 launches "$t"
expect_text out <<'END'
op                events  launches  in calls (us)  mean (us)  delay (us)  p99 (us)  min (us)  max (us)  negative  depth  deepest  empty  empty (%)             slowest
aten::mm               2         2          8.000     25.500      25.500    43.000     8.000    43.000         0   1.00        1      0       0.00                   5
aten::add              1         1          5.000      7.000       7.000     7.000     7.000     7.000         0   0.00        0      1     100.00 ██████████       10
c10d::allreduce_       1         1          5.000     10.000      10.000    10.000    10.000    10.000         0   0.00        0      1     100.00 ██████████       13
aten::mul              1         1          5.000     90.000      90.000    90.000    90.000    90.000         0   0.00        0      1     100.00 ██████████       16
cudaLaunchKernel       1         1          9.000     -2.000      -2.000    -2.000    -2.000    -2.000         1   1.00        1      0       0.00                  18
total                  6         6         32.000                                                              1                      3
END

at 80 launches "$t" --by call
expect_text out <<'END'
call              events  delay (us)  p99 (us)  negative  depth  empty (%)
cudaLaunchKernel       5       8.000    43.000         1   0.60      40.00
cudaMemcpyAsync        1      90.000    90.000         0   0.00     100.00
total                  6                               1
(8 columns not shown: launches, host_ns, delay_mean, delay_min_ns, delay_max_ns,
depth_max, empty, slowest_id; --format csv has them)
END

at 80 launches "$t" --by event
expect_text out <<'END'
id  kernel                   op                delay (us)  depth  duration (us)
16  Memcpy DtoD              aten::mul             90.000      0         10.000
 5  gemm<128, 64>            aten::mm              43.000      1         60.000
13  ncclDevKernel_AllReduce  c10d::allreduce_      10.000      0        105.000
 3  gemm<128, 64>            aten::mm               8.000      1         40.000
10  elementwise_kernel<add>  aten::add              7.000      0         30.000
18  behind its clock         cudaLaunchKernel      -2.000      1          2.000
(4 columns not shown: device, stream, launch_id, launch_ns; --format csv has
them)
END

at 80 launches "$t" --by host-only
expect_text out <<'END'
call                   count  in calls (us)  mean (us)  max (us)  percent (%)
cudaStreamSynchronize      1         70.000     70.000    70.000       100.00
(1 column not shown: longest_id; --format csv has them)
END

at 80 launches "$t" --by unlinked
expect_text out <<'END'
device  stream  category  kernel       count  sum (us)  mean (us)  early  first
0       7       kernel    from before      1    10.000     10.000      1     19
END

at 80 launches "$t" --sort delay_max_ns --top 2
expect_text out <<'END'
op         events  delay (us)  p99 (us)  max (us)  negative  depth  empty (%)
aten::mul       1      90.000    90.000    90.000         0   0.00     100.00
aten::mm        2      25.500    43.000    43.000         0   1.00       0.00
total           6                                         1
2 of 5 rows; the total is of all
(7 columns not shown: launches, host_ns, delay_mean, delay_min_ns, depth_max,
empty, slowest_id; --format csv has them)
END

# ---- for programs -----------------------------------------------------------

run t2t gaps "$t" --by hole --format csv
expect_status 0
expect_text out <<'END'
start_ns,dur_ns,class,device,stream,cause,op,next,delay_ns,host,in_call_ns,next_id,before_id,host_id,cause_id
191000,106000,host,0,7,train.py(5): step,cudaLaunchKernel,behind its clock,-2000,train.py(5): step,106000,18,10,0,0
120000,41000,host,0,7,train.py(5): step,aten::add,elementwise_kernel<add>,7000,train.py(5): step,41000,10,5,0,0
14000,5000,other,0,7,,aten::mm,"gemm<128, 64>",8000,aten::mm,5000,3,19,1,
299000,5000,other,0,7,,aten::mul,Memcpy DtoD,90000,cudaLaunchKernel,5000,16,18,17,
59000,1000,other,0,7,,aten::mm,"gemm<128, 64>",43000,aten::item,1000,5,3,6,
END

run t2t gaps "$t" --by cause --format csv --sort count --top 1
expect_status 0
expect_text out <<'END'
class,cause,count,sum_ns,mean,max_ns,percent,next_id,cause_id
other,,3,11000,3666.6666666666665,5000,6.962025316455696,3,
END

run t2t launches "$t" --by unlinked --format json
expect_status 0
expect_text out <<'END'
{"table":"launches-unlinked","trace":"t.json","selection":{},"columns":[{"name":"device","unit":"","type":"string"},{"name":"stream","unit":"","type":"string"},{"name":"category","unit":"","type":"string"},{"name":"kernel","unit":"","type":"string"},{"name":"count","unit":"","type":"integer"},{"name":"sum_ns","unit":"ns","type":"integer"},{"name":"mean","unit":"ns","type":"real"},{"name":"early","unit":"","type":"integer"},{"name":"first_id","unit":"","type":"integer"}],"rows":[
["0","7","kernel","from before",1,10000,10000.0,1,19]]}
END

run t2t gaps "$t" --by cause --format json --min 2us --step 2
expect_status 0
expect_text out <<'END'
{"table":"gaps-by-cause","trace":"t.json","selection":{"step":2,"gpu_events":4,"gpu_events_of":7,"min_ns":2000,"short_holes":0,"short_ns":0},"columns":[{"name":"class","unit":"","type":"string"},{"name":"cause","unit":"","type":"string"},{"name":"count","unit":"","type":"integer"},{"name":"sum_ns","unit":"ns","type":"integer"},{"name":"mean","unit":"ns","type":"real"},{"name":"max_ns","unit":"ns","type":"integer"},{"name":"percent","unit":"%","type":"real"},{"name":"next_id","unit":"","type":"integer"},{"name":"cause_id","unit":"","type":"integer"}],"rows":[
["host","train.py(5): step",2,147000,73500.0,106000,96.71052631578948,18,0],
["other","",1,5000,5000.0,5000,3.289473684210526,16,null]]}
END

run t2t launches "$t" --by event --linked-only --step 2 --format csv
expect_status 0
expect_text out <<'END'
id,kernel,op,device,stream,launch_id,launch_ns,delay_ns,depth,dur_ns
16,Memcpy DtoD,aten::mul,0,7,15,214000,90000,0,10000
13,ncclDevKernel_AllReduce,c10d::allreduce_,0,20,12,184000,10000,0,105000
10,elementwise_kernel<add>,aten::add,0,7,9,154000,7000,0,30000
18,behind its clock,cudaLaunchKernel,0,7,17,299000,-2000,1,2000
END

run t2t launches "$t" --by host-only --between 60us 70us --format csv
expect_status 0
expect_text out <<'END'
call,count,host_ns,mean,max_ns,percent,longest_id
cudaStreamSynchronize,1,70000,70000.0,70000,100.0,7
END

# ---- what does not go ---------------------------------------------------------
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
wrong "--by takes stream|cause|op|hole, not 'kernel'; see 't2t help gaps'" \
    gaps "$t" --by kernel
wrong "--by takes op|call|event|host-only|unlinked, not 'name'; see 't2t help launches'" \
    launches "$t" --by name
wrong "--min takes a time above 0 such as 1.5ms, not 'short'; see 't2t help gaps'" \
    gaps "$t" --min short
wrong "--min takes a time above 0 such as 1.5ms, not '0'; see 't2t help gaps'" gaps "$t" --min 0
wrong "no step '9': there are 1-2; see 't2t help gaps'" gaps "$t" --step 9
wrong "no device '1': there is only 0; see 't2t help launches'" \
    launches "$t" --by event --device 1
see="; see 't2t help launches'"
wrong "--by host-only is of calls of the host, which --device leaves out$see" \
    launches "$t" --by host-only --device 0
wrong "--by unlinked is of what --linked-only leaves out$see" \
    launches "$t" --by unlinked --linked-only
wrong "--by unlinked is of GPU events without a launch, which are in no module$see" \
    launches "$t" --by unlinked --module Linear
wrong "--sort takes device|stream|class|count|sum_ns|mean|max_ns|percent|cause|cause_percent, not 'depth'; see 't2t help gaps'" \
    gaps "$t" --sort depth
wrong "gaps takes INDEX; see 't2t help gaps'" gaps
run t2t gaps "$t" --top 1 --by hole
expect_match out '^start'

# Ids are those of show and stack.
run t2t gaps "$t" --by cause --top 1 --format csv
node=$(sed -n '2s/.*,//p' "$work/out")
run t2t stack "$t" "$node"
expect_status 0
expect_match out 'train\.py\(5\): step'

finish
