/* test_tables_damage.c - analyze.h of an index with any byte of it changed */
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
    {"gpu_memcpy", "m", "\"x\"", "8", "350", "32", ""},
};

static const struct t2t_selection everything = {.steps = true,
                                                .last_step = UINT64_MAX,
                                                .between = true,
                                                .from_ns = INT64_MIN,
                                                .to_ns = INT64_MAX,
                                                .module = "A/B"};

static enum t2t_status make_table(const t2t_index *index,
                                  const struct t2t_selection *selection,
                                  int which, t2t_table **out,
                                  struct t2t_error *err)
{
    switch (which) {
    case 0:
        return t2t_timeline(index, selection, NULL, out, err);
    case 1:
        return t2t_kernels(index, selection, T2T_KERNELS_BY_ALL, 0, out, err);
    case 2:
        return t2t_modules(index, selection, T2T_MODULES_BY_FRAME, true, out,
                           err);
    case 3:
        return t2t_collectives(index, selection, out, err);
    case 4:
        return t2t_links(index, out, err);
    default:
        return t2t_ops(index, selection, (enum t2t_ops_by)(which - 5), false,
                       out, err);
    }
}

#define TABLES (5 + 5)

/* Makes all tables: each is there or is refused, with a reason. */
static void make_tables(const t2t_index *index)
{
    for (int i = 0; i < 2 * TABLES; i++) {
        struct t2t_error err = {0};
        t2t_table *table = NULL;
        enum t2t_status st = make_table(index, i < TABLES ? NULL : &everything,
                                        i % TABLES, &table, &err);

        if (st != T2T_OK && st != T2T_ERR_INDEX_DAMAGE)
            fail_msg("table %d: %d, %s", i, st, err.text);
        assert_int_equal(st == T2T_OK, table != NULL);
        assert_int_equal(st == T2T_OK, err.text[0] == '\0');
        t2t_table_free(table);
    }
}

/* Puts bytes into the file, which is mapped. */
static void put(int fd, uint64_t at, const void *ptr, size_t len)
{
    assert_int_equal(pwrite(fd, ptr, len, (off_t)at), len);
}

/* Bytes from one that is damaged to the next: all are where that is quick. */
static uint64_t step(void)
{
    const char *sanitizer = getenv("T2T_SANITIZER");

    return sanitizer && *sanitizer ? 3 : 1;
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
