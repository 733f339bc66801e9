#!/bin/sh
# tables.sh - the commands of tables: text of any width, CSV, JSON, selections,
# order, wrong use.
# shellcheck disable=SC2317 # functions that every() calls
. "${top_srcdir:-.}/tests/cli/lib.sh"
need "$PYTHON"
cat >"$work/make.py" <<'END'
import json
import sys

ENGINE = "autograd::engine::evaluate_function: MmBackward0"
SHAPE = {"Input Dims": [[128, 256], [256, 64]], "Input type": ["float", "float"],
         "Input Strides": [[256, 1], [64, 1]], "Concrete Inputs": ["", ""]}
EXCHANGE = {"Process Group Name": "dp", "Process Group Ranks": [0, 1],
            "Collective name": "allreduce", "Group size": 2, "dtype": "Half",
            "In msg nelems": 100, "Out msg nelems": 100, "In split size": [], "Out split size": []}
ADD = ("void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
       "at::detail::Array<char*, 3>>")
events = []


def add(cat, name, ts, dur, pid=1, tid=1, **args):
    events.append({"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts,
                   "dur": dur, "args": args})


def gpu(name, ts, dur, number=None, at=0, thread=1, cat="kernel", pid=0, tid=7, **args):
    if number:
        args["correlation"] = number
        add("cuda_runtime", "cudaLaunchKernel", at, 1, tid=thread, correlation=number)
    add(cat, name, ts, dur, pid, tid, stream=tid, **args)


for n in range(2):
    add("user_annotation", "ProfilerStep#%d" % (n + 3), 1000 * n, 900)
add("python_function", "nn.Module: Net_0", 10, 400)
add("python_function", "nn.Module: Linear_0", 20, 100)
add("cpu_op", "aten::mm", 30, 40, **{"Sequence number": 1, "Fwd thread id": 0}, **SHAPE)
gpu("gemm_kernel<128, 64>", 500, 100, 1, at=40)
add("python_function", "nn.Module: Linear_1", 130, 100)
add("cpu_op", "aten::mm", 140, 40, **SHAPE)
gpu("gemm_kernel<128, 64>", 600, 60, 2, at=150)
add("cpu_op", "aten::add", 250, 40)
gpu(ADD, 650, 30, 3, at=260)
add("cpu_op", "c10d::allreduce_", 300, 40)
gpu("ncclDevKernel_AllReduce", 700, 40, 4, at=310, tid=20, **EXCHANGE)
add("cpu_op", ENGINE, 1020, 80, tid=2, **{"Sequence number": 1, "Fwd thread id": 1})
gpu("gemm_kernel<64, 64>", 1500, 80, 5, at=1030, thread=2)
gpu("ncclDevKernel_AllReduce", 1550, 50, 6, at=1110, thread=2, tid=20, **EXCHANGE)
gpu("Memcpy HtoD", 1700, 25, 7, at=1200, cat="gpu_memcpy", pid=1)
gpu("Memset", 1800, 5, cat="gpu_memset")
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

at 80 ops "$t"
expect_text out <<'END'
name                               count  direct (us)  subtree (us)  percent (%)
aten::mm                               2      160.000       160.000        53.33
autograd::engine…ion: MmBackward0      1       80.000        80.000        26.67
aten::add                              1       30.000        30.000        10.00
cudaLaunchKernel                       1       25.000        25.000         8.33
(unlinked)                             1        5.000         5.000         1.67
total                                  6      300.000
(2 columns not shown: categories, cumulative_percent; --format csv has them)
END
at 200 ops "$t"
expect_text out <<'END'
name                                              categories       count  direct (us)  subtree (us)  percent (%)             cumulative (%)
aten::mm                                          ["GEMM"]             2      160.000       160.000        53.33 █████▍               53.33
autograd::engine::evaluate_function: MmBackward0  ["other"]            1       80.000        80.000        26.67 ██▋                  80.00
aten::add                                         ["elementwise"]      1       30.000        30.000        10.00 █                    90.00
cudaLaunchKernel                                  ["other"]            1       25.000        25.000         8.33 ▉                    98.33
(unlinked)                                        ["other"]            1        5.000         5.000         1.67 ▏                   100.00
total                                                                  6      300.000
END
run t2t ops "$t" --top 2 --time-unit ms
expect_text out <<'END'
name                                              categories  count  direct (ms)  subtree (ms)  percent (%)             cumulative (%)
aten::mm                                          ["GEMM"]        2        0.160         0.160        53.33 #####                53.33
autograd::engine::evaluate_function: MmBackward0  ["other"]       1        0.080         0.080        26.67 ###                  80.00
total                                                             6        0.300
2 of 5 rows; the total is of all
END
at 80 ops "$t" --by category
expect_text out <<'END'
category     count  direct (us)  percent (%)             cumulative (%)
GEMM             2      160.000        53.33 █████▍               53.33
other            3      110.000        36.67 ███▋                 90.00
elementwise      1       30.000        10.00 █                   100.00
total            6      300.000
END
at 80 ops "$t" --by module
expect_text out <<'END'
module               count  direct (us)  subtree (us)  percent (%)
(no module)              3      110.000       110.000        36.67 ███▋
nn.Module: Linear_0      1      100.000       100.000        33.33 ███▍
nn.Module: Linear_1      1       60.000        60.000        20.00 ██
nn.Module: Net_0         1       30.000        30.000        10.00 █
total                    6      300.000
(1 column not shown: cumulative_percent; --format csv has them)
END
at 80 ops "$t" --by launcher
expect_text out <<'END'
index  name                      category     direct (us)  subtree (us)  kernels
    4  aten::mm                  GEMM             100.000       100.000        1
    8  aten::mm                  GEMM              60.000        60.000        1
   11  aten::add                 elementwise       30.000        30.000        1
   17  autograd::e… MmBackward0  other             80.000        80.000        1
   22  cudaLaunchKernel          other             25.000        25.000        1
   24  (unlinked)                other              5.000         5.000        1
total                                             300.000                      6
END
at 80 links "$t"
expect_text out <<'END'
forward  backward
      4        17
END
at 80 collectives "$t"
expect_text out <<'END'
group  collective   dtype   in (bytes)  out (bytes)  count  sum (us)  mean (us)
"dp"   "allreduce"  "Half"         200          200      2    90.000     45.000
(10 columns not shown: process_group_ranks, group_size, in_msg_nelems,
out_msg_nelems, in_split_size, out_split_size, stream, std, min_ns, max_ns;
--format csv has them)
END
at 200 collectives "$t"
expect_text out <<'END'
group  ranks  collective   size  dtype   in_nelems  out_nelems  in_split_size  out_split_size  stream  in (bytes)  out (bytes)  count  sum (us)  mean (us)  std (us)  min (us)  max (us)
"dp"   [0,1]  "allreduce"  2     "Half"  100        100         []             []              20             200          200      2    90.000     45.000     7.071    40.000    50.000
END
at 80 ops "$t" --step 3 --device 1
expect_text out <<'END'
selected: step 3, device "1", 0 of 8 GPU events
name  categories  count  direct (ns)  subtree (ns)  percent (%)  cumulative (%)
(no rows)
END

# ---- every table in every form ----------------------------------------------
# every COMMAND [ARGUMENT]...: calls the command with the words of each table.
every() {
    for words in timeline ops 'ops --by category' 'ops --by args' \
        'ops --by module' 'ops --by launcher' kernels 'kernels --by name' \
        'kernels --by duration' 'timeline --by step' 'timeline --recompute' \
        'timeline --micro-idle 10us' modules 'modules --by class' \
        'modules --by path' launches 'launches --by event' gaps 'gaps --by op' \
        'modules --forward-only' links collectives; do
        "$@" "$words"
    done
}

cat >"$work/forms.py" <<'END'
"""forms.py FOLDER: of each TABLE.csv and TABLE.json both are the same table, and
no line of TABLE.WIDTH is wider.  All at once, as python takes its time to start."""
import csv
import json
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
tables = sorted(folder.glob("*.csv"))
assert len(tables) > 20, tables
for path in tables:
    with open(path, encoding="utf-8", newline="") as f:
        rows = list(csv.reader(f))
    table = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert list(table) == ["table", "trace", "selection", "columns", "rows"], list(table)
    assert table["trace"] == "t.json"
    # nothing is selected; what an option takes is said
    assert set(table["selection"]) <= {"shorter_than_ns", "short_gpu_events",
                                       "micro_idle_ns"}
    assert [c["name"] for c in table["columns"]] == rows[0], rows[0]
    for c in table["columns"]:
        assert set(c) <= {"name", "unit", "type", "help"} and c["type"] in ("integer", "real", "string"), c
        assert c.get("unit") == "ns" or not c["name"].endswith("_ns"), c
    assert len(table["rows"]) == len(rows) - 1 > 0
    cell = lambda v: "" if v is None else v if isinstance(v, str) else repr(v)
    for a, b in zip(table["rows"], rows[1:]):
        assert [cell(v) for v in a] == b, (path, a, b)
    for width in 30, 80, 131, 200:
        text = path.with_suffix(".%d" % width).read_text(encoding="utf-8")
        most = max(map(len, text.split("\n")))
        assert most <= width, "%s: %d columns:\n%s" % (path, most, text)
END
mkdir "$work/forms"

# check_forms WORDS: text as narrow as it gets and into a file, CSV, JSON.
check_forms() {
    form=$work/forms/$(printf '%s' "$1" | tr -c 'a-z0-9-' _)
    for width in 30 80 131 200; do
        # shellcheck disable=SC2086 # words
        at $width $1 "$t"
        cp "$work/out" "$form.$width"
    done
    # shellcheck disable=SC2086
    run t2t $1 "$t"
    expect_status 0
    expect_no_match out 'not shown|…'
    # shellcheck disable=SC2086
    run t2t $1 "$t" --format json
    expect_status 0
    mv "$work/out" "$form.json"
    # shellcheck disable=SC2086
    run t2t $1 "$t" --format csv
    expect_status 0
    expect_empty err
    cp "$work/out" "$form.csv"
    # shellcheck disable=SC2086
    run_command env COLUMNS=9 "$T2T" $1 "$t" --format csv --time-unit s
    check 'CSV has no width and no unit' cmp "$form.csv" "$work/out"
}
every check_forms
describe 'every table'
check 'JSON is what CSV is, and no line of text is wider' \
    "$PYTHON" "$work/forms.py" "$work/forms"

# check_full WORDS: the disk is full.
check_full() {
    for format in text csv json; do
        describe "$1 --format $format" '>/dev/full'
        # shellcheck disable=SC2086 # words
        "$T2T" $1 "$t" --format $format >/dev/full 2>"$work/err"
        status=$?
        expect_status 5
        expect_text err <<'END'
t2t: standard output: no-space: cannot write: No space left on device
END
    done
    # shellcheck disable=SC2086
    run t2t $1 "$t" -o /dev/full
    expect_status 5
    expect_line err 't2t: /dev/full: no-space: cannot write: No space left on device'
}
[ ! -c /dev/full ] || every check_full

# ---- which rows -------------------------------------------------------------
# The cells of columns `want` of CSV, with blanks between them.
cat >"$work/rows.awk" <<'END'
{
    count = 0
    for (rest = $0 ","; rest != ""; cell[++count] = text) {
        text = ""
        if (rest !~ /^"/) {
            at = index(rest, ",")
            text = substr(rest, 1, at - 1)
            rest = substr(rest, at + 1)
            continue
        }
        while (match(rest, /^"[^"]*"/)) {
            text = text (text == "" ? "" : "\"") substr(rest, 2, RLENGTH - 2)
            rest = substr(rest, RLENGTH + 1)
        }
        rest = substr(rest, 2)
    }
}
NR == 1 {
    for (i = 1; i <= count; i++)
        place[cell[i]] = i
    columns = split(want, name, ",")
    next
}
{
    for (i = 1; i <= columns; i++)
        printf "%s%s", cell[place[name[i]]], i < columns ? " " : "\n"
}
END
# rows COLUMNS ARGUMENT...: cells of the rows are what stands on standard input.
rows() {
    columns=$1
    shift
    run t2t "$@" "$t" --format csv
    expect_status 0
    "${AWK:-awk}" -v want="$columns" -f "$work/rows.awk" "$work/out" \
        >"$work/rows"
    mv "$work/rows" "$work/out"
    expect_text out
}

kernels=first_index,sum_ns
rows $kernels kernels <<'END'
6 160000
19 80000
21 50000
16 40000
13 30000
23 25000
24 5000
END
rows $kernels kernels --top 2 <<'END'
6 160000
19 80000
END
rows $kernels kernels --top 9 --sort first_index <<'END'
24 5000
23 25000
21 50000
19 80000
16 40000
13 30000
6 160000
END
rows kernel,max_ns kernels --sort kernel --top 3 <<'END'
Memcpy HtoD 25000
Memset 5000
gemm_kernel<128, 64> 100000
END
rows $kernels kernels --linked-only --sort sum_ns <<'END'
6 160000
19 80000
21 50000
16 40000
13 30000
23 25000
END
rows $kernels kernels --step 4 <<'END'
19 80000
21 50000
23 25000
24 5000
END
rows $kernels kernels --step 4 --linked-only --device 0 <<'END'
19 80000
21 50000
END
rows $kernels kernels --step 0-18446744073709551615 --device 1 <<'END'
23 25000
END
# times count from the first node, at 10 us of the trace's clock
rows $kernels kernels --between 590 690us <<'END'
10 60000
13 30000
END
rows $kernels kernels --between 0.00059s 0.641ms <<'END'
10 60000
13 30000
END
rows $kernels kernels --between 590 640us <<'END'
10 60000
END
rows $kernels kernels --between 1790 9s <<'END'
24 5000
END
rows $kernels kernels --module Linear <<'END'
6 160000
19 80000
END
rows $kernels kernels --module Net_0/Linear_1 <<'END'
10 60000
END
rows name,direct_ns ops --device 1 <<'END'
cudaLaunchKernel 25000
END
rows category,direct_ns ops --by category --module Net --step 3 <<'END'
GEMM 160000
elementwise 30000
END
rows name,input_dims,direct_ns_sum ops --by args --module Linear_0 <<'END'
aten::mm [[128,256],[256,64]] 100000
autograd::engine::evaluate_function: MmBackward0 null 80000
END
rows name,gpu_ns,gpu_ns_bwd modules --sort gpu_ns_bwd <<'END'
nn.Module: Net_0 300000 80000
nn.Module: Linear_0 180000 80000
nn.Module: Linear_1 60000 0
END
rows name,gpu_ns,gpu_events modules --step 4 --top 1 <<'END'
nn.Module: Net_0 80000 1
END
rows count,sum_ns,in_msg_bytes collectives --step 4 <<'END'
1 50000 200
END
rows count collectives --device 1 <<'END'
END
rows device,time_ns timeline --device 1 --top 9 <<'END'
all 0
all 0
all 25000
all 25000
all 0
all 25000
all 0
all 25000
1 0
END
rows forward,backward links --top 1 --sort backward <<'END'
4 17
END
describe 'what was selected'
run t2t kernels "$t" --linked-only --step 3-4 --between 0 1s --device 0 \
    --module Net/Linear --top 1 --format json
expect_status 0
check 'is in JSON' "$PYTHON" -c '
import json, sys
d = json.load(open(sys.argv[1]))
assert d["selection"] == {
    "linked_only": True, "step": [3, 4], "between_ns": [0, 1000000000], "device": "0",
    "module": "Net/Linear", "gpu_events": 3, "gpu_events_of": 8}, d["selection"]
assert d["rows_of"] == 2 and len(d["rows"]) == 1, d' "$work/out"
run t2t ops "$t" --step 3 --top 1
expect_line out 'selected: step 3, 4 of 8 GPU events'
run t2t ops "$t" --step 3-4 --between -1.5 1200us
expect_line out 'selected: step 3-4, between -1.5us 1.2ms, 4 of 8 GPU events'

# ---- a trace without GPU ----------------------------------------------------
echo '[]' >"$work/t0.json"
"$T2T" build -q "$work/t0.json"
check_empty() {
    # shellcheck disable=SC2086 # words
    run t2t $1 "$work/t0.json" --format csv
    expect_status 0
    case $1 in
    'timeline --by step' | [!t]*)
        check 'has a header only' test "$(wc -l <"$work/out")" = 1
        ;;
    *)
        check 'has no time' test "$(grep -cv ',0,nan$' "$work/out")" = 1
        ;;
    esac
}
every check_empty

# ---- wrong use --------------------------------------------------------------
# wrong TEXT ARGUMENT...: refuses with that message and prints nothing.
wrong() {
    said=$1
    shift
    run t2t "$@"
    expect_status 2
    expect_line err "t2t: $said"
    expect_empty out
}
check_wrong() {
    name=${1%% *}
    [ "$name" = "$1" ] || return 0
    see="; see 't2t help $name'"
    # shellcheck disable=SC2086 # words
    {
        wrong "--top takes 1 or more, not '-1'$see" $1 "$t" --top -1
        wrong "--top takes 1 or more, not '0'$see" $1 "$t" --top 0
        wrong "--top takes 1 or more, not '1.5'$see" $1 "$t" --top 1.5
        columns=$("$T2T" $1 "$t" --format csv | head -n 1 | tr , '|')
        wrong "--sort takes $columns, not 'nothing'$see" $1 "$t" --sort nothing
        wrong "--sort takes $columns, not 'Sum_ns'$see" $1 "$t" --sort Sum_ns
        wrong "--format takes text|csv|json, not 'yaml'$see" \
            $1 "$t" --format yaml
        wrong "--time-unit takes ns|us|ms|s|auto, not 'h'$see" \
            $1 "$t" --time-unit h
        wrong "--output takes FILE, not ''$see" $1 "$t" -o ''
        wrong "no option '--csv-dir'$see" $1 "$t" --csv-dir x
        wrong "$name takes INDEX$see" $1
        wrong "$name takes INDEX$see" $1 "$t" "$t"
        if [ "$1" = links ]; then
            wrong "no option '--step'$see" $1 "$t" --step 3
            return
        fi
        wrong "--step takes N[-M], not ''$see" $1 "$t" --step ''
        for step in x 5-3 3- -3 3-x 3-4-5 18446744073709551616; do
            wrong "--step takes N or N-M, not '$step'$see" \
                $1 "$t" --step "$step"
        done
        wrong "--between takes two times such as 10ms 1.5s, the first not the later one, not '9' '5'$see" \
            $1 "$t" --between 9 5
        wrong "a path of modules with an empty part$see" \
            $1 "$t" --module A//B
        wrong "no module 'Lniear': the closest are Linear, Linear_0, Linear_1, Net$see" \
            $1 "$t" --module Lniear
        wrong "no module 'Linear/Net': there is only Net_0$see" \
            $1 "$t" --module Linear/Net --format csv
        wrong "no device '2': there are 0, 1$see" \
            $1 "$t" --device 2 --format json
        wrong "no step '1-2': there are 3-4$see" \
            $1 "$t" --step 1-2 -o "$work/not"
        expect_no_file "$work/not"
        wrong "--module takes MODULE, not ''$see" $1 "$t" --module ''
        wrong "--device takes DEVICE, not ''$see" $1 "$t" --device ''
    }
}
every check_wrong
wrong "--by takes category|name|args|module|launcher, not 'x'; see 't2t help ops'" \
    ops "$t" --by x
run t2t ops "$work/none.json"
expect_status 3
describe 'what is sorted by is shown'
COLUMNS=40 run t2t kernels "$t" --sort max_ns
expect_match out ' max \('
COLUMNS=80 run t2t ops "$t" --by args --sort direct_ns_std
expect_match out ' direct_std \('
run t2t kernels "$t" --short-us 5ms
expect_match out '^selected: shorter than 5ms, short gpu events [0-9]'
run t2t timeline "$t" --micro-idle 5
expect_line out 'selected: micro idle 5us'

wrong "--short-us takes a time above 0 such as 1.5ms, not '0'; see 't2t help kernels'" \
    kernels "$t" --short-us 0
wrong "--micro-idle takes a time above 0 such as 1.5ms, not '0'; see 't2t help timeline'" \
    timeline "$t" --micro-idle 0

finish
