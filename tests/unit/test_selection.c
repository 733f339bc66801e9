/* test_selection.c - trace2tree/selection.h: which GPU events tables are of */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu_trace.h"

#define NAME "test_selection"

#define ENGINE "autograd::engine::evaluate_function: B"

/*
 * GPU events, by name the sum of what they are: 1, 2, 4, ... us long, so that
 * the total duration of a selection says which they were.
 *   1 in step 3, module A_0/B_0        2 in step 3, module A_0
 *   4 in step 4, device 1              8 in step 4, backward of A_0/B_0
 *  16 no launch, starts in step 5     32 no launch, outside steps, device 1
 *  64 outside steps, module B_1
 */
static const struct said events[] = {
    STEP("3", "0", "100"),
    STEP("4", "100", "100"),
    STEP("5", "300", "50"),
    PY("nn.Module: A_0", "10", "80"),
    PY("nn.Module: B_0", "11", "20"),
    OP("fwd", "12", "9", "\"Sequence number\":1,\"Fwd thread id\":0"),
    LAUNCH("13", "1"),
    KERNEL("k", "400", "1", "1"),
    LAUNCH("50", "2"),
    KERNEL("k", "410", "2", "2"),
    LAUNCH("110", "3"),
    {"kernel", "k", "1", "7", "420", "4", "\"correlation\":3"},
    {"cpu_op", ENGINE, "1", "2", "120", "9",
     "\"Sequence number\":1,\"Fwd thread id\":1"},
    {"cuda_runtime", "l", "1", "2", "121", "1", "\"correlation\":4"},
    KERNEL("k", "430", "8", "4"),
    UNLINKED("k", "349.999", "16"),
    {"kernel", "k", "1", "8", "350", "32", ""},
    PY("nn.Module: B_1", "500", "20"),
    LAUNCH("501", "5"),
    KERNEL("k", "600", "64", "5"),
};

#define US 1000

/* Each kind alone, and together. */
static const struct {
    struct t2t_selection selection;
    int64_t us; /* of what passes */
} selections[] = {
    {{0}, 127},
    {{.linked_only = true}, 79},
    {{.steps = true, .first_step = 3, .last_step = 3}, 3},
    {{.steps = true, .first_step = 4, .last_step = 4}, 12},
    {{.steps = true, .first_step = 5, .last_step = 5}, 16},
    {{.steps = true, .first_step = 4, .last_step = 9}, 28},
    {{.steps = true, .last_step = UINT64_MAX}, 31},
    {{.steps = true, .first_step = 6, .last_step = UINT64_MAX}, 0},
    {{.steps = true, .first_step = 5, .last_step = 4}, 0},
    {{.first_step = 4, .last_step = 4}, 127}, /* not set */
    {{.between = true, .from_ns = INT64_MIN, .to_ns = INT64_MAX}, 127},
    {{.between = true, .from_ns = 350 * US, .to_ns = 420 * US}, 35},
    {{.between = true, .from_ns = 350 * US - 1, .to_ns = 350 * US}, 16},
    {{.between = true, .from_ns = 350 * US, .to_ns = 350 * US}, 0},
    {{.between = true, .from_ns = 420 * US, .to_ns = 350 * US}, 0},
    {{.between = true, .from_ns = INT64_MAX, .to_ns = INT64_MIN}, 0},
    {{.from_ns = 1, .to_ns = 2}, 127},
    {{.device = "0"}, 91},
    {{.device = "1"}, 36},
    {{.device = "2"}, 0},
    {{.device = ""}, 0},
    {{.device = "01"}, 0},
    {{.module = "A_0"}, 11},
    {{.module = "B_0"}, 9},
    {{.module = "B"}, 73},
    {{.module = "A/B"}, 9},
    {{.module = "A_0/B_0"}, 9},
    {{.module = "B/A"}, 0},
    {{.module = "nn.Module: A_0"}, 11},
    {{.module = "A_0", .steps = true, .first_step = 3, .last_step = 3}, 3},
    {{.module = "A_0", .device = "0", .between = true, .to_ns = 430 * US}, 3},
    {{.linked_only = true, .device = "1"}, 4},
    {{.linked_only = true,
      .module = "A",
      .device = "0",
      .steps = true,
      .first_step = 4,
      .last_step = 4,
      .between = true,
      .from_ns = 430 * US,
      .to_ns = 430 * US + 1},
     8},
};

/* Tables that are of a selection. */
enum table {
    TIMELINE,
    KERNELS,
    MODULES,
    BACKWARD,
    COLLECTIVES,
    OPS,
    TABLES = OPS + 5
};

static enum t2t_status make_table(const t2t_index *index,
                                  const struct t2t_selection *selection,
                                  int which, t2t_table **out,
                                  struct t2t_error *err)
{
    switch (which) {
    case TIMELINE:
        return t2t_timeline(index, selection, NULL, out, err);
    case KERNELS:
        return t2t_kernels(index, selection, T2T_KERNELS_BY_ALL, 0, out, err);
    case MODULES:
        return t2t_modules(index, selection, T2T_MODULES_BY_FRAME, false, out,
                           err);
    case BACKWARD:
        return t2t_modules(index, selection, T2T_MODULES_BY_FRAME, true, out,
                           err);
    case COLLECTIVES:
        return t2t_collectives(index, selection, out, err);
    default:
        return t2t_ops(index, selection, (enum t2t_ops_by)(which - OPS), false,
                       out, err);
    }
}

static t2t_table *table_of(const t2t_index *index,
                           const struct t2t_selection *selection, int which)
{
    struct t2t_error err = {0};
    t2t_table *table = NULL;

    if (make_table(index, selection, which, &table, &err))
        fail_msg("%s", err.text);
    return table;
}

/* The sum of a column. */
static int64_t sum_of(const t2t_index *index,
                      const struct t2t_selection *selection, int which,
                      const char *column)
{
    t2t_table *table = table_of(index, selection, which);
    size_t at = t2t_table_find_column(table, column);
    int64_t sum = 0;

    assert_true(at != T2T_NO_COLUMN);
    for (size_t row = 0; row < t2t_table_row_count(table); row++)
        sum += t2t_table_integer(table, row, at);
    t2t_table_free(table);
    return sum;
}

static void test_every_table_is_of_the_selection(void **state)
{
    static const struct {
        int which;
        const char *column;
    } sums[] = {
        {KERNELS, "sum_ns"},
        {OPS + T2T_OPS_BY_CATEGORY, "direct_ns"},
        {OPS + T2T_OPS_BY_NAME, "direct_ns"},
        {OPS + T2T_OPS_BY_ARGS, "direct_ns_sum"},
        {OPS + T2T_OPS_BY_MODULE, "direct_ns"},
        {OPS + T2T_OPS_BY_LAUNCHER, "direct_ns"},
    };
    t2t_index *index = INDEX_OF(events);

    (void)state;
    for (size_t i = 0; i < COUNT(selections); i++)
        for (size_t k = 0; k < COUNT(sums); k++)
            if (sum_of(index, &selections[i].selection, sums[k].which,
                       sums[k].column) != selections[i].us * US)
                fail_msg("selection %zu, table %d", i, sums[k].which);
    remove_index(NAME, index);
}

/* The event of 16 us runs into that of 32: 14.999 are busy twice.  A window of
 * the timeline cuts: see test_timeline_views.c. */
static void test_the_timeline_is_of_the_selection(void **state)
{
    t2t_index *index = INDEX_OF(events);

    (void)state;
    for (size_t i = 0; i < COUNT(selections); i++) {
        t2t_table *table = table_of(index, &selections[i].selection, TIMELINE);
        bool cuts = selections[i].selection.between;
        int64_t us = selections[i].us;
        int64_t busy = us * US - ((us & 48) == 48 ? 15999 : 0);

        if (!cuts && t2t_table_integer(table, 3, 2) != busy)
            fail_msg("selection %zu", i);
        t2t_table_free(table);
    }
    remove_index(NAME, index);
}

static void test_modules_keep_all_rows_of_a_selection(void **state)
{
    static const struct t2t_selection first = {.steps = true,
                                               .first_step = 3,
                                               .last_step = 3};
    static const struct t2t_selection second = {.steps = true,
                                                .first_step = 4,
                                                .last_step = 4};
    t2t_index *index = INDEX_OF(events);

    (void)state;
    assert_csv(table_of(index, &first, MODULES),
               "3,nn.Module: A_0,-1,3000,2000,2\n"
               "4,nn.Module: B_0,3,1000,1000,1\n"
               "17,nn.Module: B_1,-1,0,0,0\n");
    assert_csv(table_of(index, &second, BACKWARD),
               "3,nn.Module: A_0,-1,8000,0,1,0,8000,0,1\n"
               "4,nn.Module: B_0,3,8000,8000,1,0,8000,0,1\n"
               "17,nn.Module: B_1,-1,0,0,0,0,0,0,0\n");
    remove_index(NAME, index);
}

static void test_null_selects_everything_and_says_nothing(void **state)
{
    static const struct t2t_selection all = {.linked_only = false};
    t2t_index *index = INDEX_OF(events);

    (void)state;
    for (int which = 0; which < TABLES; which++) {
        t2t_table *table = table_of(index, NULL, which);
        t2t_table *same = table_of(index, &all, which);
        const char *json;

        assert_int_equal(t2t_table_row_count(table), t2t_table_row_count(same));
        assert_null(t2t_table_selection(table, 0, &json));
        assert_null(t2t_table_selection(same, 0, &json));
        t2t_table_free(table);
        t2t_table_free(same);
    }
    remove_index(NAME, index);
}

static void assert_said(const t2t_table *table, size_t n, const char *key,
                        const char *json)
{
    const char *value = NULL;
    const char *is = t2t_table_selection(table, n, &value);

    assert_non_null(is);
    assert_string_equal(is, key);
    assert_string_equal(value, json);
}

static void test_tables_say_what_was_selected(void **state)
{
    static const struct t2t_selection by = {.linked_only = true,
                                            .steps = true,
                                            .first_step = 3,
                                            .last_step = 4,
                                            .between = true,
                                            .from_ns = 1,
                                            .to_ns = INT64_MAX,
                                            .device = "0",
                                            .module = "A \"b\""};
    t2t_index *index = INDEX_OF(events);

    (void)state;
    for (int which = 0; which < TABLES; which++) {
        t2t_table *table = table_of(index, &by, which);
        const char *json;

        assert_said(table, 0, "linked_only", "true");
        assert_said(table, 1, "step", "[3,4]");
        assert_said(table, 2, "between_ns", "[-9999,9223372036854765807]");
        assert_said(table, 3, "device", "\"0\"");
        assert_said(table, 4, "module", "\"A \\\"b\\\"\"");
        assert_said(table, 5, "gpu_events", "0");
        assert_said(table, 6, "gpu_events_of", "7");
        assert_null(t2t_table_selection(table, 7, &json));
        t2t_table_free(table);
    }
    remove_index(NAME, index);
}

static void test_a_path_with_an_empty_part_is_wrong_use(void **state)
{
    static const char *const paths[] = {"", "/", "A/", "/A", "A//B"};
    t2t_index *index = INDEX_OF(events);

    (void)state;
    for (size_t i = 0; i < COUNT(paths); i++)
        for (int which = 0; which < TABLES; which++) {
            struct t2t_selection by = {.module = paths[i]};
            struct t2t_error err = {0};
            t2t_table *table = NULL;

            assert_int_equal(make_table(index, &by, which, &table, &err),
                             T2T_ERR_USAGE);
            assert_null(table);
            assert_string_equal(err.text,
                                "a path of modules with an empty part");
            assert_int_equal(make_table(index, &by, which, &table, NULL),
                             T2T_ERR_USAGE);
        }
    remove_index(NAME, index);
}

static void test_nothing_can_be_selected_from_an_empty_trace(void **state)
{
    t2t_index *index = make_index(NAME, "[]");

    (void)state;
    for (size_t i = 0; i < COUNT(selections); i++)
        for (int which = 0; which < TABLES; which++) {
            t2t_table *table = table_of(index, &selections[i].selection, which);

            assert_int_equal(t2t_table_row_count(table),
                             which == TIMELINE ? 8 : 0);
            t2t_table_free(table);
        }
    remove_index(NAME, index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_table_is_of_the_selection),
        cmocka_unit_test(test_the_timeline_is_of_the_selection),
        cmocka_unit_test(test_modules_keep_all_rows_of_a_selection),
        cmocka_unit_test(test_null_selects_everything_and_says_nothing),
        cmocka_unit_test(test_tables_say_what_was_selected),
        cmocka_unit_test(test_a_path_with_an_empty_part_is_wrong_use),
        cmocka_unit_test(test_nothing_can_be_selected_from_an_empty_trace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
