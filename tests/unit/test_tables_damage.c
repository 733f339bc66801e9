/* test_tables_damage.c - analyze.h and idle.h of an index with any byte of it
 * changed */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu_trace.h"
#include "index/reader.h"

#define NAME "test_tables_damage"
#define PATH NAME ".t2t"

#define ENGINE "autograd::engine::evaluate_function: B"

static const struct said events[] = {
    STEP("3", "0", "100"),
    PY("nn.Module: A_0", "10", "80"),
    PY("torch/utils/checkpoint.py(1): recompute_fn", "10", "40"),
    PY("nn.Module: B_0", "11", "20"),
    OP("fwd", "12", "9", "\"Sequence number\":1,\"Fwd thread id\":0"),
    LAUNCH("13", "1"),
    KERNEL("k", "400", "1", "1"),
    LAUNCH("50", "2"),
    KERNEL("nccl", "400", "2", "2"),
    {"cpu_op", ENGINE, "1", "2", "120", "9",
     "\"Sequence number\":1,\"Fwd thread id\":1"},
    {"cuda_runtime", "l", "1", "2", "121", "1", "\"correlation\":4"},
    KERNEL("k", "430", "8e6", "4"),
    {"cuda_runtime", "cudaStreamWaitEvent", "1", "2", "123", "1", ""},
    {"gpu_memcpy", "m", "\"x\"", "8", "350", "32", ""},
};

static const struct t2t_selection everything = {.steps = true,
                                                .last_step = UINT64_MAX,
                                                .between = true,
                                                .from_ns = INT64_MIN,
                                                .to_ns = INT64_MAX,
                                                .module = "A/B"};

static const struct t2t_timeline_options timelines[] = {
    {.micro_idle_ns = 1000},
    {.recompute = true},
    {.by_step = true, .micro_idle_ns = 1000, .recompute = true},
};

/* A kind of table, and how many ways there are to make it. */
enum kind { TIMELINE, KERNELS, MODULES, OPS, LAUNCHES, GAPS, OTHERS, KINDS };

static const int ways[KINDS] = {
    [TIMELINE] = COUNT(timelines),
    [KERNELS] = T2T_KERNELS_BY_DURATION + 1,
    [MODULES] = T2T_MODULES_BY_PATH + 1,
    [OPS] = T2T_OPS_BY_LAUNCHER + 1,
    [LAUNCHES] = T2T_LAUNCHES_UNLINKED + 1,
    [GAPS] = T2T_GAPS_BY_HOLE + 1,
    [OTHERS] = 3,
};

static enum t2t_status make_table(const t2t_index *index,
                                  const struct t2t_selection *selection,
                                  enum kind kind, int way, t2t_table **out,
                                  struct t2t_error *err)
{
    switch (kind) {
    case TIMELINE:
        return t2t_timeline(index, selection, &timelines[way], out, err);
    case KERNELS:
        return t2t_kernels(index, selection, (enum t2t_kernels_by)way,
                           selection ? 5000 : 0, out, err);
    case MODULES:
        return t2t_modules(index, selection, (enum t2t_modules_by)way, true,
                           out, err);
    case OPS:
        return t2t_ops(index, selection, (enum t2t_ops_by)way,
                       selection != NULL, out, err);
    case LAUNCHES:
        return t2t_launches(index, selection, (enum t2t_launches_by)way, out,
                            err);
    case GAPS:
        return t2t_gaps(index, selection, (enum t2t_gaps_by)way, 1000, out,
                        err);
    default:
        if (way)
            return way == 1
                       ? t2t_links(index, out, err)
                       : t2t_modules(index, selection, T2T_MODULES_BY_FRAME,
                                     false, out, err);
        return t2t_collectives(index, selection, out, err);
    }
}

/* Makes a table: it is there, or is refused with a reason. */
static void try_table(const t2t_index *index,
                      const struct t2t_selection *selection, enum kind kind,
                      int way)
{
    struct t2t_error err = {0};
    t2t_table *table = NULL;
    enum t2t_status st = make_table(index, selection, kind, way, &table, &err);

    if (st != T2T_OK && st != T2T_ERR_INDEX_DAMAGE)
        fail_msg("table %d, way %d: %d, %s", kind, way, st, err.text);
    assert_int_equal(st == T2T_OK, table != NULL);
    assert_int_equal(st == T2T_OK, err.text[0] == '\0');
    t2t_table_free(table);
}

/* Makes all tables. */
static void make_tables(const t2t_index *index)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (int way = 0; way < ways[kind]; way++) {
            try_table(index, NULL, (enum kind)kind, way);
            try_table(index, &everything, (enum kind)kind, way);
        }
}

/* Puts bytes into the file, which is mapped. */
static void put(int fd, uint64_t at, const void *ptr, size_t len)
{
    assert_int_equal(pwrite(fd, ptr, len, (off_t)at), len);
}

/* Bytes from one that is damaged to the next. */
static uint64_t step(void)
{
    const char *sanitizer = getenv("T2T_SANITIZER");
    const char *everything_is_done = getenv("T2T_LONG");

    if (everything_is_done && *everything_is_done &&
        strcmp(everything_is_done, "0"))
        return 1;
    return sanitizer && *sanitizer ? 11 : 3;
}

/* Changes a section byte by byte: all bits of a byte, its lowest, and all of
 * the record behind it. */
static void damage_section(const t2t_index *index, int fd,
                           const struct tt_section *section)
{
    for (uint64_t i = 0; i < section->bytes; i += step()) {
        uint64_t at = section->offset + i;
        unsigned char was[8];
        unsigned char is[8];
        uint64_t left = section->bytes - i;
        size_t len = left < sizeof(was) ? (size_t)left : sizeof(was);

        memcpy(was, index->map + at, len);
        for (int how = 0; how < 4; how++) {
            memcpy(is, was, len);
            is[0] = (unsigned char)(how ? ~was[0] : was[0] ^ 1);
            if (how > 1)
                memset(is, how == 2 ? 0xff : 0, len);
            put(fd, at, is, len);
            make_tables(index);
        }
        put(fd, at, was, len);
    }
}

/* Damages the index of some events, which is open, section by section. */
static void damage_everything(t2t_index *index)
{
    int fd = open(PATH, O_WRONLY | O_CLOEXEC);

    assert_true(fd >= 0);
    make_tables(index);
    for (int id = 1; id < TT_SECTION_END; id++)
        damage_section(index, fd, index->section[id]);
    assert_int_equal(t2t_index_verify(index, NULL), T2T_OK); /* as it was */
    assert_int_equal(close(fd), 0);
    remove_index(NAME, index);
}

static void test_tables_of_a_damaged_index_are_refused_or_made(void **state)
{
    (void)state;
    damage_everything(INDEX_OF(events));
}

/* A device that damage takes away is the only one. */
static void test_damage_may_take_the_only_device(void **state)
{
    static const struct said one[] = {LAUNCH("1", "1"),
                                      KERNEL("k", "400", "1", "1"),
                                      KERNEL("k", "500", "1", "1"),
                                      KERNEL("k", "600", "1", "1")};

    (void)state;
    damage_everything(INDEX_OF(one));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_of_a_damaged_index_are_refused_or_made),
        cmocka_unit_test(test_damage_may_take_the_only_device),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
