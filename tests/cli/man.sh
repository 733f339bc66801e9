#!/bin/sh
# man.sh - the pages of the manual and the README say what the command prints
# and what the headers declare.
. "${top_srcdir:-.}/tests/cli/lib.sh"
AWK=${AWK:-awk}
tools=$top_srcdir/build-aux
man=$top_srcdir/doc/man
export T2T AWK

# --- commands ---------------------------------------------------------------
mkdir -p "$work/tree/doc/man"
cp "$top_srcdir/README.md" "$work/tree"
cp "$man"/*.scd "$work/tree/doc/man"
chmod -R u+w "$work/tree"
run_command sh "$tools/update-docs" "$work/tree"
what="make update-docs"
expect_status 0
expect_empty out # the files that it had to change
for page in README.md doc/man/*.scd; do
    diff "$top_srcdir/$page" "$work/tree/$page"
done | head -n 60 | sed 's/^/# /'

# screens FILE: what is in its blocks of screens, without the bytes of UTF-8 that
# take no column.
screens() {
    "$AWK" '/^```/ { on = !on; shown = 0 } /^\$ t2t / { shown = on }
        shown' "$1" | tr -d '\200-\277'
}
describe README.md
check "has a tree, a stack and what was found" test "$(screens \
    "$top_srcdir/README.md" | grep -cE '^\$ t2t (tree|stack|find) ')" -ge 3
screens "$top_srcdir/README.md" | grep -E '.{81}' >"$work/long"
check "its screens have 80 columns" cmp /dev/null "$work/long"

# A page that says something else is seen, and so is one that is missing.
sed -e 's/^\$ t2t tree .*/&\nnot what it prints/' \
    -e 's/^\*--depth\*/*--deep*/' "$man/t2t-tree.scd" \
    >"$work/tree/doc/man/t2t-tree.scd"
run_command sh "$tools/update-docs" "$work/tree"
what="make update-docs, another page"
expect_line out 'update-docs: doc/man/t2t-tree.scd'
check "it is as it was" cmp "$man/t2t-tree.scd" \
    "$work/tree/doc/man/t2t-tree.scd"
rm "$work/tree/doc/man/t2t-tree.scd"
run_command sh "$tools/update-docs" "$work/tree"
what="make update-docs, no page"
expect_status 1
expect_line err 'update-docs: no page doc/man/t2t-tree.scd'

# The same without that program: what the help lists stands in the page.
# options_of_help, options_of_page: the long options, sorted.
options_of_help() {
    grep -oE '^  (-.,|   ) --[a-z0-9-]+' | sed 's/.* --//' | sort
}
options_of_page() {
    sed '/^; end of help/q' |
        sed -n 's/^\(\*-.\*, \)\{0,1\}\*--\([a-z0-9-]*\)\*.*/\2/p' | sort
}
run t2t help
sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p' "$work/out" >"$work/commands"
check "there is tree" grep -qx tree "$work/commands"
while read -r name; do
    page=$man/t2t-$name.scd
    describe "t2t-$name.1"
    "$T2T" help "$name" | options_of_help >"$work/expected"
    options_of_page <"$page" >"$work/options"
    check "has the options of the help" cmp "$work/expected" "$work/options"
    check "is in the list of t2t.1" grep -Fqx "*t2t-$name*(1)" "$man/t2t.scd"
    check "says how it exits" grep -qx '# EXIT STATUS' "$page"
    check "is made" grep -q "doc/man/t2t-$name\.scd" "$top_srcdir/Makefile.am"
done <"$work/commands"
for page in "$man"/t2t-*.scd; do
    name=${page##*/t2t-}
    describe "${page##*/}"
    check "is of a command that is there" grep -qx "${name%.scd}" \
        "$work/commands"
done

# explained PAGE: each key of the JSON object in out has its place in PAGE.
explained() {
    expect_status 0
    "$PYTHON" -c '
import json, sys
page = open(sys.argv[1]).read().replace("\\_", "_")
keys = json.load(sys.stdin)
print(*[key for key in keys if "*" + key + "*" not in page])
sys.exit(not keys)' "$man/$1" <"$work/out" | tr -d '\n' >"$work/absent"
    check "$1 explains its keys" cmp /dev/null "$work/absent"
}
if [ "$PYTHON" = no ]; then
    skip_one "the keys of JSON" "python is missing"
else
    cp "$top_srcdir/examples/two_steps.json" "$work/trace.json"
    "$T2T" build -q "$work/trace.json" || exit 99
    run t2t show --format json "$work/trace.json" 14
    explained t2t-show.scd
    run t2t info --format json --sections "$work/trace.json"
    explained t2t-info.scd
fi

# --- the library and the format ---------------------------------------------
describe libtrace2tree.3
version_h=$top_builddir/include/trace2tree/version.h
"$AWK" -v top="$top_srcdir" -f "$tools/headers-to-scd.awk" \
    "$man/libtrace2tree.scd.in" "$top_srcdir"/include/trace2tree/*.h \
    "$version_h" >"$work/libtrace2tree"
check "is made of the headers" test -s "$work/libtrace2tree"
# Names in it are escaped, but for those in literal blocks, as these are.
cat "$top_srcdir"/include/trace2tree/*.h "$version_h" |
    grep -oE '(t2t_[a-z0-9_]+ ?\(|T2T_[A-Z0-9_]+|(struct|enum) t2t_[a-z0-9_]+)' |
    grep -vE '^T2T_(API|STATUS_MAP|)$' | sort -u >"$work/declared"
check "there are functions" grep -q '^t2t_index_open($' "$work/declared"
sed 's/\\_/_/g' "$work/libtrace2tree" >"$work/plain"
while IFS= read -r word; do
    grep -Fq "$word" "$work/plain" || echo "$word"
done <"$work/declared" >"$work/absent"
check "has each function, type and constant" cmp /dev/null "$work/absent"
grep -n '^; ' "$work/libtrace2tree" >"$work/absent"
check "is complete" cmp /dev/null "$work/absent"

describe trace2tree-index.5
{
    cat "$man/trace2tree-index.scd.in"
    "$AWK" -f "$tools/md-to-scd.awk" "$top_srcdir/doc/format.md"
} >"$work/trace2tree-index"
rows=$(grep -c '^| ' "$top_srcdir/doc/format.md")
check "has every row of every table" test "$rows" = \
    "$(grep -c '^[[|][[ ] ' "$work/trace2tree-index")"
check "there are rows" test "$rows" -gt 50

# --- as pages ---------------------------------------------------------------
if ! command -v scdoc >/dev/null; then
    skip_one "pages out of scdoc" "scdoc is missing"
    finish
fi
if command -v man >/dev/null && command -v groff >/dev/null; then
    renderer='man'
elif command -v mandoc >/dev/null; then
    renderer=mandoc
else
    renderer=none
    skip_one "pages as a person sees them" "neither man with groff nor mandoc"
fi
page=$top_builddir/doc/man/t2t.1
if [ -f "$page" ]; then
    version=$("$T2T" version)
    describe "${page##*/}, as built"
    check "names the version" grep -q "^\.TH .*\"trace2tree ${version#t2t }\"" \
        "$page"
fi
for page in "$man"/*.scd "$work/libtrace2tree" "$work/trace2tree-index"; do
    run_command scdoc <"$page"
    describe "scdoc ${page##*/}"
    expect_status 0
    expect_empty err
    cp "$work/out" "$work/page"
    [ $renderer != none ] || continue
    describe "$renderer ${page##*/}"
    case $renderer in
    man) MANWIDTH=80 man --warnings -E UTF-8 -l "$work/page" ;;
    mandoc) mandoc -T lint -W error "$work/page" ;;
    esac >"$work/out" 2>"$work/err"
    status=$?
    expect_status 0
    expect_empty err
done
finish
