#!/bin/sh
# marks.sh - marks of direction and separators of lines, wherever a trace has
# them: text shows them, JSON and CSV keep them.
. "${top_srcdir:-.}/tests/cli/lib.sh"
need "$PYTHON"
mark=$(printf '\342\200\256')
name=$work/t$mark.json
cat >"$work/make.py" <<'END'
import json
import sys

MARK = "\u202e"
events = [{"ph": "M", "name": n, "pid": 1, "tid": 1, "args": {"name": n + MARK}}
          for n in ("process_name", "thread_name")]


def add(cat, name, ts, dur, pid=1, tid=1, **args):
    events.append({"ph": "X", "cat": cat, "name": name + MARK, "pid": pid, "tid": tid, "ts": ts,
                   "dur": dur, "args": dict(args, **{"key" + MARK: "value" + MARK})})


add("python_function", "nn.Module: Net", 0, 90)
add("cpu_op", "aten::mm", 1, 40, **{"Input type": ["float" + MARK]})
add("cuda_runtime", "cudaLaunchKernel", 2, 5, correlation=1)
add("cuda_runtime", "cudaMalloc", 20, 5)
add("kernel", "gemm_a", 20, 10, "gpu" + MARK, "s" + MARK, correlation=1, stream="s" + MARK)
add("kernel", "ncclKernel", 50, 10, "gpu" + MARK, "s" + MARK, **{"Collective name": "c" + MARK})
add("other" + MARK, "outside", 50, 10)
json.dump({"traceEvents": events, "member" + MARK: "m" + MARK},
          open(sys.argv[1], "w", encoding="utf-8"), ensure_ascii=False)
END
"$PYTHON" "$work/make.py" "$name" || skip 'the file system has no such names'
"$T2T" build -q "$name" || exit 99

# hidden: neither standard output nor errors have the mark itself
hidden() {
    cat "$work/out" "$work/err" >"$work/both"
    # shellcheck disable=SC2016 # for the sh that runs it
    check 'the mark does nothing' sh -c '! grep -q "$1" "$2"' - "$mark" \
        "$work/both"
}

# shown: but they have it as text
shown() {
    hidden
    check 'the mark is shown' grep -Fq '\u202e' "$work/both"
}

while read -r words; do
    # shellcheck disable=SC2086 # words
    run t2t $words "$name"
    expect_status 0
    shown
    for width in 20 40 80; do
        # shellcheck disable=SC2086 # words
        COLUMNS=$width run t2t $words "$name"
        expect_status 0
        hidden # what is cut may not be shown
    done
done <<'END'
build
build --force -v
info
check
tree
timeline
ops
ops --by args
ops --by module
ops --by launcher
kernels
kernels --by name
kernels --by stream
modules
modules --by class
modules --by path
collectives
launches
launches --by call
launches --by event
launches --by host-only
launches --by unlinked
gaps
gaps --by hole
END
for node in 0 1 2 3 4 5; do
    for command in show stack find; do
        run t2t $command "$name" $node
        expect_status 0
        hidden
    done
done
run t2t show "$name" 8
expect_status 0
shown
run t2t find "$name" Kernel --outside
expect_status 0
shown
run t2t tree "$name" --args "key$mark"
shown
run t2t ops "$name" --module "Net$mark"
expect_status 0
shown
run t2t ops "$name" --module "Nut$mark"
expect_status 2
shown
run t2t ops "$name" --device "$mark"
expect_status 2
shown
run t2t tree "$work/none$mark"
expect_status 3
shown

# kept COMMAND ARGUMENT...: standard output has the mark itself
kept() {
    run t2t "$@"
    expect_status 0
    check 'the mark is there' grep -q "$mark" "$work/out"
}
for format in json csv; do
    kept kernels "$name" --format $format
    kept ops "$name" --by args --format $format
done
kept show "$name" 4 --format json
kept info "$name" --format json
finish
