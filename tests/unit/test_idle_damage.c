/* test_idle_damage.c - idle.h of an index with any byte of it changed */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu_trace.h"
#include "index/reader.h"

#define NAME "test_idle_damage"
#define PATH NAME ".t2t"

static const struct said events[] = {
    STEP("3", "0", "100"),
    PY("nn.Module: A_0", "10", "80"),
    OP("op", "12", "9", ""),
    LAUNCH("13", "1"),
    KERNEL("k", "40", "1", "1"),
    {"cuda_runtime", "cudaStreamSynchronize", "1", "1", "30", "9", ""},
    LAUNCH("50", "2"),
    KERNEL("k", "55", "20", "2"),
    KERNEL("k", "90", "8e6", "2"),
    {"gpu_memcpy", "m", "0", "8", "70", "19", ""},
    {"cuda_sync", "Stream Wait Event", "0", "7", "49", "0",
     "\"stream\":7,\"wait_on_stream\":8"},
};

static const struct t2t_selection everything = {.steps = true,
                                                .last_step = UINT64_MAX,
                                                .between = true,
                                                .from_ns = INT64_MIN,
                                                .to_ns = INT64_MAX,
                                                .module = "A"};

#define LAUNCHES 5
#define TABLES (LAUNCHES + 4)

static enum t2t_status make_table(const t2t_index *index,
                                  const struct t2t_selection *selection,
                                  int which, t2t_table **out,
                                  struct t2t_error *err)
{
    if (which < LAUNCHES)
        return t2t_launches(index, selection, (enum t2t_launches_by)which, out,
                            err);
    return t2t_gaps(index, selection, (enum t2t_gaps_by)(which - LAUNCHES), 0,
                    out, err);
}

/* Makes all tables: each is there or is refused, with a reason.  How many are
 * there. */
static int make_tables(const t2t_index *index)
{
    int made = 0;

    for (int i = 0; i < 2 * TABLES; i++) {
        struct t2t_error err = {0};
        t2t_table *table = NULL;
        enum t2t_status st = make_table(index, i < TABLES ? NULL : &everything,
                                        i % TABLES, &table, &err);

        if (st != T2T_OK && st != T2T_ERR_INDEX_DAMAGE)
            fail_msg("table %d: %d, %s", i, st, err.text);
        assert_int_equal(st == T2T_OK, table != NULL);
        assert_int_equal(st == T2T_OK, err.text[0] == '\0');
        made += st == T2T_OK;
        t2t_table_free(table);
    }
    return made;
}

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
    return sanitizer && *sanitizer ? 5 : 1;
}

/* Changes a section of the mapped file byte by byte: all bits of a byte, its
 * lowest, and all of the record behind it. */
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
            (void)make_tables(index);
        }
        put(fd, at, was, len);
    }
}

static void test_tables_of_a_damaged_index_are_refused_or_made(void **state)
{
    t2t_index *index = INDEX_OF(events);
    int fd = open(PATH, O_WRONLY | O_CLOEXEC);

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(make_tables(index), 2 * TABLES);
    for (int id = 1; id < TT_SECTION_END; id++)
        damage_section(index, fd, index->section[id]);
    assert_int_equal(t2t_index_verify(index, NULL), T2T_OK); /* as it was */
    assert_int_equal(close(fd), 0);
    remove_index(NAME, index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_of_a_damaged_index_are_refused_or_made),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
