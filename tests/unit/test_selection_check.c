/* test_selection_check.c - t2t_selection_check(), and paths of modules */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu_trace.h"
#include "query/closest.h"
#include "query/modpath.h"

#define NAME "test_selection_check"

#define STEPS(n) .steps = true, .first_step = (n), .last_step = (n)

static const struct said events[] = {
    STEP("3", "0", "100"),
    STEP("4", "100", "100"),
    STEP("7", "300", "50"),
    PY("nn.Module: Net_0", "10", "80"),
    PY("nn.Module: Block_0", "11", "70"),
    PY("nn.Module: Linear_0", "12", "20"),
    PY("nn.Module: Linear_1", "40", "20"),
    LAUNCH("13", "1"),
    KERNEL("k", "400", "1", "1"),
    {"kernel", "k", "1", "7", "420", "4", ""},
    {"kernel", "k", "\"gpu\"", "7", "420", "4", ""},
    PY("nn.Module: a/b\\\\c_0", "500", "20"),
    PY("nn.Module: Linear_2", "501", "5"),
};

/* What `selection` is said to be without; NULL: nothing. */
static void assert_missing(const t2t_index *index,
                           const struct t2t_selection *selection,
                           const char *said)
{
    struct t2t_error err = {.text = ""};
    enum t2t_status st = t2t_selection_check(index, selection, &err);

    assert_string_equal(err.text, said ? said : "");
    assert_int_equal(st, said ? T2T_ERR_USAGE : T2T_OK);
    assert_int_equal(t2t_selection_check(index, selection, NULL), st);
}

static void test_what_is_there_is_found(void **state)
{
    static const struct t2t_selection there[] = {
        {0},
        {.device = "0"},
        {.device = "gpu"},
        {STEPS(3)},
        {.steps = true, .first_step = 5, .last_step = 9},
        {.module = "Block"},    /* without GPU events of its own */
        {.module = "Linear_1"}, /* without any */
        {.module = "Net_0/Block/Linear_0"},
        {.module = "a\\/b\\c"},
        {.module = "nn.Module: a\\/b\\\\c_0/Linear"},
        {.device = "1", STEPS(7), .module = "Net_0"},
    };
    t2t_index *index = INDEX_OF(events);

    (void)state;
    assert_missing(index, NULL, NULL);
    for (size_t i = 0; i < COUNT(there); i++)
        assert_missing(index, &there[i], NULL);
    remove_index(NAME, index);
}

static void test_what_is_not_there_is_said_with_what_is(void **state)
{
    static const struct {
        struct t2t_selection selection;
        const char *said;
    } missing[] = {
        {{.device = "2"}, "no device '2': there are 0, 1, gpu"},
        {{.device = "00"}, "no device '00': there are 0, 1, gpu"},
        {{STEPS(5)}, "no step '5': there are 3-4, 7"},
        {{.steps = true, .first_step = 8, .last_step = UINT64_MAX},
         "no step '8-18446744073709551615': there are 3-4, 7"},
        {{.module = "Linaer"},
         "no module 'Linaer': the closest are Linear, Linear_0, Linear_1, "
         "Linear_2"},
        {{.module = "lock"},
         "no module 'lock': the closest are Block, Block_0, Linear, Linear_0"},
        {{.module = "Net/Linear_1"},
         "no module 'Net/Linear_1': there is only Net_0/Block_0/Linear_1"},
        {{.module = "Net/Linear"},
         "no module 'Net/Linear': there are Net_0/Block_0/Linear_0, "
         "Net_0/Block_0/Linear_1, a\\/b\\\\c_0/Linear_2"},
        {{.module = "Nut_0/Linear"},
         "no module 'Nut_0': the closest are Net_0, Net, Linear_0, Block_0"},
        {{.module = "a/b"},
         "no module 'a': the closest are Linear, a\\/b\\\\c, Linear_0, "
         "Linear_1"},
        /* the first that is missing */
        {{.device = "2", STEPS(5), .module = "x"},
         "no device '2': there are 0, 1, gpu"},
        {{.module = "A//B"}, "a path of modules with an empty part"},
    };
    t2t_index *index = INDEX_OF(events);

    (void)state;
    for (size_t i = 0; i < COUNT(missing); i++)
        assert_missing(index, &missing[i].selection, missing[i].said);
    remove_index(NAME, index);
}

static void test_of_many_steps_those_beside_it_are_said(void **state)
{
    static const struct said rows[] = {
        STEP("2", "0", "1"),   STEP("4", "10", "1"),
        STEP("4", "20", "1"),  STEP("6", "30", "1"),
        STEP("9", "40", "1"),  STEP("12", "50", "1"),
        STEP("11", "60", "1"), STEP("18446744073709551615", "70", "1"),
    };
    t2t_index *index = INDEX_OF(rows);

    (void)state;
    assert_missing(index, &(struct t2t_selection){STEPS(0)},
                   "no step '0': the closest are 2, 4, 6, 9");
    assert_missing(index, &(struct t2t_selection){STEPS(7)},
                   "no step '7': the closest are 4, 6, 9, 11-12");
    assert_missing(
        index, &(struct t2t_selection){STEPS(UINT64_MAX - 1)},
        "no step '18446744073709551614': the closest are 6, 9, 11-12, "
        "18446744073709551615");
    assert_missing(index,
                   &(struct t2t_selection){.steps = true,
                                           .first_step = 9,
                                           .last_step = 4},
                   "no step '9-4': the closest are 4, 6, 9, 11-12");
    remove_index(NAME, index);
}

static void test_an_empty_trace_has_nothing(void **state)
{
    t2t_index *index = make_index(NAME, "[]");

    (void)state;
    assert_missing(index, &(struct t2t_selection){.device = "0"},
                   "no device '0': there is none");
    assert_missing(index, &(struct t2t_selection){STEPS(0)},
                   "no step '0': there is none");
    assert_missing(index, &(struct t2t_selection){.module = "A/B"},
                   "no module 'A': there is none");
    remove_index(NAME, index);
}

static void test_one_is_only_one(void **state)
{
    static const struct said rows[] = {
        STEP("5", "0", "9"),
        PY("nn.Module: A", "1", "5"),
        UNLINKED("k", "4", "1"),
    };
    t2t_index *index = INDEX_OF(rows);

    (void)state;
    assert_missing(index, &(struct t2t_selection){.device = "1"},
                   "no device '1': there is only 0");
    assert_missing(index, &(struct t2t_selection){STEPS(0)},
                   "no step '0': there is only 5");
    assert_missing(index, &(struct t2t_selection){.module = "B"},
                   "no module 'B': there is only A");
    remove_index(NAME, index);
}

static void test_long_names_are_cut(void **state)
{
    /* 63 bytes, and a character of two */
    static const char wanted[] = "012345678901234567890123456789012345678901234"
                                 "567890123456789012\303\274x";
    t2t_index *index = INDEX_OF(events);

    (void)state;
    assert_missing(index, &(struct t2t_selection){.device = wanted},
                   "no device '0123456789012345678901234567890123456789012345"
                   "67890123456789012...': there are 0, 1, gpu");
    remove_index(NAME, index);
}

static void offer(struct tt_closest *c, const char *name)
{
    tt_closest_offer(c, t2t_text_of(name));
}

static void assert_said(struct tt_closest *c, const char *said)
{
    struct tt_buffer text = {0};

    tt_closest_say(c, &text);
    tt_buffer_add_byte(&text, '\0');
    assert_string_equal(text.ptr, said);
    tt_buffer_release(&text);
    tt_closest_release(c);
}

static void test_a_name_with_it_in_is_the_closest(void **state)
{
    struct tt_closest c = {.to = t2t_text_of("attn")};

    (void)state;
    offer(&c, "auto");
    offer(&c, "SelfATTNBlock");
    offer(&c, "attention");
    offer(&c, "auto");
    offer(&c, "zzzzz");
    offer(&c, "CrossAttn");
    offer(&c, "ATTN");
    assert_false(c.failed);
    assert_said(&c, "the closest are ATTN, CrossAttn, SelfATTNBlock, auto");
}

static void test_equally_close_names_come_as_they_are_offered(void **state)
{
    struct tt_closest c = {.to = t2t_text_of("x")};

    (void)state;
    offer(&c, "b");
    offer(&c, "a");
    offer(&c, "");
    assert_said(&c, "there are b, a, ");
    c = (struct tt_closest){.to = t2t_text_of("x")};
    offer(&c, "b");
    offer(&c, "b");
    assert_said(&c, "there is only b");
}

static void test_a_name_comes_back_from_its_path(void **state)
{
    static const char *const names[] = {"Linear_0", "a/b", "a\\b", "\\",  "/",
                                        "\\/",      "a\\", "//",   "\\\\"};
    struct tt_buffer text = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        struct tt_modpath path;

        tt_buffer_clear(&text);
        tt_modpath_add(&text, t2t_text_of("First"));
        tt_buffer_add_byte(&text, '/');
        tt_modpath_add(&text, t2t_text_of(names[i]));
        tt_buffer_add_byte(&text, '\0');
        assert_int_equal(tt_modpath_read(&path, text.ptr, NULL), T2T_OK);
        assert_int_equal(path.count, 2);
        assert_true(tt_modpath_is(&path, 0, t2t_text_of("First_12")));
        assert_true(tt_modpath_is(&path, 1, t2t_text_of(names[i])));
        assert_false(tt_modpath_is(&path, 1, t2t_text_of("First")));
        tt_modpath_release(&path);
    }
    tt_buffer_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_there_is_found),
        cmocka_unit_test(test_what_is_not_there_is_said_with_what_is),
        cmocka_unit_test(test_of_many_steps_those_beside_it_are_said),
        cmocka_unit_test(test_an_empty_trace_has_nothing),
        cmocka_unit_test(test_one_is_only_one),
        cmocka_unit_test(test_long_names_are_cut),
        cmocka_unit_test(test_a_name_with_it_in_is_the_closest),
        cmocka_unit_test(test_equally_close_names_come_as_they_are_offered),
        cmocka_unit_test(test_a_name_comes_back_from_its_path),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
