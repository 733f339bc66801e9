#!/bin/sh
# report.sh - t2t report: the files, the folder, what is left behind.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "$top_srcdir/tests/cli/small.sh"
small=$work/small.json

# What a report has, and the command that prints the same.
tables='timeline:timeline
timeline-by-step:timeline --by step
launchers:ops --by launcher
ops-by-category:ops --by category
ops-by-name:ops --by name
ops-by-args:ops --by args
ops-by-module:ops --by module
kernels:kernels
kernels-by-name:kernels --by name
modules:modules --forward-only
modules-with-backward:modules
modules-folded:modules --by path
links:links
collectives:collectives
launches-by-op:launches
launches-host-only:launches --by host-only
launches-unlinked:launches --by unlinked
gaps-by-stream:gaps
gaps-by-cause:gaps --by cause'
names=$(printf '%s\n' "$tables" | sed 's/:.*/.csv/' | sort |
    tr '\n' ' ')

# files_in FOLDER: their names, each with a blank behind it.
files_in() {
    find "$1" -mindepth 1 -printf '%f\n' | sort | tr '\n' ' '
}

# is_report FOLDER [ARGUMENT]...: it has the files and no other, and they are
# what the commands print.
is_report() {
    folder=$1
    shift
    check 'all tables are there, and nothing else' \
        test "$(files_in "$folder")" = "$names"
    printf '%s\n' "$tables" | while IFS=: read -r name words; do
        # shellcheck disable=SC2086 # words
        if [ "$name" = links ]; then
            "$T2T" $words "$small" --format csv
        elif ! "$T2T" $words "$small" --format csv "$@" 2>"$work/why"; then
            # of what cannot have rows the command says so, and a report has
            # none
            grep -q ' is of ' "$work/why" &&
                "$T2T" $words "$small" --format csv | head -n 1
        fi >"$work/expected"
        check "$name.csv is $words" cmp "$work/expected" "$folder/$name.csv"
    done
}

run t2t report "$small" --csv-dir "$work/new"
expect_status 0
expect_empty out
expect_empty err
is_report "$work/new"

describe 'a folder that is there'
mkdir "$work/old"
echo mine >"$work/old/mine.txt"
echo old >"$work/old/kernels.csv"
run t2t report "$small" --csv-dir "$work/old/" --linked-only --device 0
expect_status 0
check 'what else is in it stays' grep -q mine "$work/old/mine.txt"
rm "$work/old/mine.txt"
is_report "$work/old" --linked-only --device 0
run t2t report "$small" --csv-dir "$work/old" --between 0 1 --module Net
expect_status 0
is_report "$work/old" --between 0 1 --module Net

describe 'an empty trace'
echo '[]' >"$work/t0.json"
run t2t report "$work/t0.json" --csv-dir "$work/t0"
expect_status 0
check 'has a header each' test "$(cat "$work/t0"/*.csv | wc -l)" = 27

# ---- wrong use --------------------------------------------------------------
# refuses TEXT ARGUMENT...: says that, and makes no folder.
refuses() {
    said=$1
    shift
    run t2t report "$@"
    expect_status 2
    expect_line err "t2t: $said; see 't2t help report'"
    expect_no_file "$work/not"
}
refuses 'report needs --csv-dir DIR' "$small"
refuses "--csv-dir takes DIR, not ''" "$small" --csv-dir ''
refuses "--step takes N or N-M, not 'x'" "$small" --csv-dir "$work/not" \
    --step x
refuses 'a path of modules with an empty part' "$small" \
    --csv-dir "$work/not" --module A//
refuses "no step '0-9': there is none" "$small" --csv-dir "$work/not" \
    --step 0-9
refuses "no device '7': there is only 0" "$small" --csv-dir "$work/not" \
    --device 7
refuses "no option '--top'" "$small" --csv-dir "$work/not" --top 3
refuses "no option '--format'" "$small" --csv-dir "$work/not" --format json
refuses 'report takes INDEX' --csv-dir "$work/not"
run t2t report "$work/none.json" --csv-dir "$work/not"
expect_status 3
expect_no_file "$work/not"

# ---- what cannot be written ---------------------------------------------------
describe 'a folder that cannot be made'
run t2t report "$small" --csv-dir "$work/no/folder"
expect_status 5
expect_line err "t2t: $work/no/folder: io: cannot make it: No such file or directory"
expect_no_file "$work/no"

describe 'a file in its place'
run t2t report "$small" --csv-dir "$small"
expect_status 5
expect_line err "t2t: $small/timeline.csv: io: cannot open it: Not a directory"

describe 'a folder that cannot be written'
mkdir "$work/locked"
chmod 555 "$work/locked"
if [ -w "$work/locked" ]; then
    skip_one 'a folder that cannot be written' 'this user may write everywhere'
else
    run t2t report "$small" --csv-dir "$work/locked"
    expect_status 5
    expect_line err "t2t: $work/locked/timeline.csv: io: cannot open it: Permission denied"
    check 'nothing is in it' test -z "$(files_in "$work/locked")"
fi

describe 'a folder in the place of a table'
mkdir -p "$work/half/kernels.csv"
echo old >"$work/half/links.csv"
run t2t report "$small" --csv-dir "$work/half"
expect_status 5
expect_line err "t2t: $work/half/kernels.csv: io: cannot open it: Is a directory"
rmdir "$work/half/kernels.csv"
check 'the tables before it are there, and nothing else' \
    test "$(files_in "$work/half")" = \
    'launchers.csv links.csv ops-by-args.csv ops-by-category.csv ops-by-module.csv ops-by-name.csv timeline-by-step.csv timeline.csv '
check 'the tables behind it are as they were' grep -qx old "$work/half/links.csv"
for name in launchers ops-by-args ops-by-category ops-by-module ops-by-name \
    timeline timeline-by-step; do
    check "$name.csv is whole" cmp "$work/new/$name.csv" \
        "$work/half/$name.csv"
done

# A limit on files ends every table in its middle, as a full disk does.  What is
# said goes through a pipe, which has no limit.
describe 'a disk that is full'
mkdir "$work/full"
echo old >"$work/full/timeline.csv"
{
    (
        # a sanitizer has files of its own before the command begins
        [ -z "${T2T_SANITIZER-}" ] || trap '' XFSZ
        ulimit -f 0
        "$T2T" report "$small" --csv-dir "$work/full" 2>&1
        echo $? >&3
    ) | cat >"$work/err"
} 3>&1 | cat >"$work/status"
status=$(cat "$work/status")
expect_status 5
expect_line err "t2t: $work/full/timeline.csv: no-space: cannot write: File too large"
check 'nothing half is left' test "$(files_in "$work/full")" = 'timeline.csv '
check 'the old table is as it was' grep -qx old "$work/full/timeline.csv"
(
    [ -z "${T2T_SANITIZER-}" ] || trap '' XFSZ
    ulimit -f 0
    "$T2T" report "$small" --csv-dir "$work/none" 2>&1
) | cat >"$work/err"
expect_line err "t2t: $work/none/timeline.csv: no-space: cannot write: File too large"
expect_no_file "$work/none" # that it made, and in which nothing is

describe 'the trace in the place of a table'
mkdir "$work/same"
cp "$small" "$work/same/kernels.csv"
"$T2T" build -q "$work/same/kernels.csv"
run t2t report "$work/same/kernels.csv" --csv-dir "$work/same"
expect_status 2
expect_line err "t2t: -o $work/same/kernels.csv is the trace of the index; see 't2t help report'"
check 'the trace is as it was' cmp "$small" "$work/same/kernels.csv"
finish
