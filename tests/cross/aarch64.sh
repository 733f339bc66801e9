#!/bin/sh
# aarch64.sh - the decoder with NEON, compiled for aarch64 and run by qemu: its
# vector code and its layouts against plain C and tokens.
. "${top_srcdir:-.}/tests/cli/lib.sh"
cross=aarch64-linux-gnu-gcc
command -v $cross >/dev/null || skip "no $cross"
command -v qemu-aarch64 >/dev/null || skip 'no qemu-aarch64'
echo 'int main(void) { return 0; }' >"$work/empty.c"
$cross -static -o "$work/empty" "$work/empty.c" 2>/dev/null ||
    skip "$cross has no libc"

# Two libraries that are headers here, from where this machine has them.
mkdir "$work/include"
for header in jsmn.h xxhash.h; do
    [ -f /usr/include/$header ] || skip "no /usr/include/$header"
    cp /usr/include/$header "$work/include"
done

src=$top_srcdir/src
# compile TEST SOURCE...: tests/unit/TEST.c for aarch64
compile() {
    name=$1
    shift
    run_command $cross -static -std=gnu11 -O2 -Wall -D_GNU_SOURCE -DXXH_INLINE_ALL \
        -I"$top_srcdir/tests/cross" -I"$src" -I"$top_srcdir/include" \
        -I"${top_builddir:-.}/include" -I"$work/include" \
        -o "$work/$name" "$top_srcdir/tests/unit/$name.c" "$@"
    describe "compile $name"
    expect_status 0
    expect_empty err
}

# emulate TEST WORD...: runs it
emulate() {
    name=$1
    shift
    run_command qemu-aarch64 "$work/$name" "$@"
    describe "run $name"
    expect_status 0
    expect_no_match out '^not ok'
}

compile test_vector
emulate test_vector
expect_match out '2 kinds of machine'
compile test_digits
emulate test_digits
compile test_match "$src"/decode/*.c "$src"/model/*.c "$src/json/scalar.c" \
    "$src/json/text.c" "$src/json/token.c" "$src/base/arena.c" \
    "$src/base/buffer.c" "$src/base/intern.c" "$src/base/memory.c" \
    "$src/base/status.c" "$src/base/vec.c"
emulate test_match 1000
finish
