/* test_correlate.c - merge/correlate.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "made_trace.h"
#include "merge/correlate.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))
#define ROWS 8

struct subject {
    struct tt_trace trace;
    struct tt_links links;
};

static void start(struct subject *s, const struct made *rows, size_t count)
{
    s->links = (struct tt_links){0};
    make_trace(&s->trace, rows, count);
    assert_int_equal(tt_links_make(&s->links, &s->trace), T2T_OK);
}

static void stop(struct subject *s)
{
    tt_links_release(&s->links);
    tt_links_release(&s->links);
    tt_trace_release(&s->trace);
}

static const struct tt_interned *name_of(const struct subject *s,
                                         const struct tt_event *e)
{
    return &s->trace.strings.item[e->name];
}

/* "l:j,k m:": the launches in the order of their names, with their GPU events;
 * last the GPU events without one. */
static void describe(const struct subject *s, char *to, size_t cap)
{
    size_t len = 0;

    to[0] = '\0';
    for (char name = 'a'; name <= 'z'; name++) {
        for (size_t i = 0; i < s->trace.launches.count; i++) {
            const struct tt_launch *l = tt_trace_launch(&s->trace, i);

            if (*name_of(s, l->event)->ptr != name)
                continue;
            assert_int_equal(l->event->a, i);
            len += (size_t)snprintf(to + len, cap - len,
                                    "%s%c:", len ? " " : "", name);
            for (size_t n = 0; n < l->count; n++) {
                const struct tt_child *c = &s->links.child[l->first + n];

                assert_int_equal(c->event->a, i);
                len +=
                    (size_t)snprintf(to + len, cap - len, "%s%c", n ? "," : "",
                                     *name_of(s, c->event)->ptr);
            }
        }
    }
    for (size_t n = 0; n < s->trace.lane_count; n++) {
        const struct tt_lane_events *l = &s->trace.lane[n];

        for (size_t i = 0; i < l->events.count; i++)
            if (tt_lane_event(l, i)->layer == T2T_LAYER_GPU &&
                tt_lane_event(l, i)->a == TT_NO_LAUNCH)
                len += (size_t)snprintf(to + len, cap - len, " -%c",
                                        *name_of(s, tt_lane_event(l, i))->ptr);
    }
}

struct row {
    struct made made[ROWS];
    const char *links;
    uint64_t shared;
};

static void assert_links(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct subject s;
        char got[128];
        size_t n = 0;
        size_t unlinked = 0;

        while (n < ROWS && rows[i].made[n].name)
            n++;
        start(&s, rows[i].made, n);
        describe(&s, got, sizeof(got));
        assert_string_equal(got, rows[i].links);
        for (const char *p = got; *p; p++)
            unlinked += *p == '-';
        assert_int_equal(s.trace.anomalies.count[TT_ANOMALY_GPU_WITHOUT_LAUNCH],
                         unlinked);
        assert_int_equal(s.trace.anomalies.count[TT_ANOMALY_SHARED_CORRELATION],
                         rows[i].shared);
        stop(&s);
    }
}

#define NEGATIVE(n, s, e, number)                                              \
    MADE(n, LAUNCH, 1, 1, s, e, .a = (number), .flags = TT_A_NEGATIVE)
#define BOTH(n, layer, s, e, number, external)                                 \
    MADE(n, layer, 1, 1, s, e, .a = (number), .b = (external))

static void test_gpu_events_belong_to_the_launch_of_their_number(void **state)
{
    static const struct row rows[] = {
        {{{0}}, "", 0},
        {{LAUNCH("l", 0, 5, 7)}, "l:", 0},
        {{GPU("k", 0, 5, 7)}, " -k", 0},
        {{LAUNCH("l", 0, 5, 7), LAUNCH("m", 5, 9, 8), GPU("k", 10, 11, 8),
          GPU("j", 20, 21, 7)},
         "l:j m:k",
         0},
        {{GPU("k", 10, 11, 7), LAUNCH("l", 50, 60, 7), GPU("j", 9, 12, 7)},
         "l:j,k",
         0},
        {{LAUNCH("l", 0, 5, 7), GPU("k", 10, 11, 7), GPU("j", 10, 15, 7),
          GPU("i", 10, 12, 7)},
         "l:k,j,i",
         0},
        {{LAUNCH("l", 0, 5, 7), GPU("k", 10, 11, 8), GPU("j", 10, 15, 0)},
         "l: -k -j",
         0},
        {{LAUNCH("l", 0, 5, UINT64_MAX), GPU("k", 10, 11, UINT64_MAX)},
         "l:k",
         0},
        {{NEGATIVE("l", 0, 5, UINT64_MAX), LAUNCH("m", 6, 7, 1),
          GPU("k", 10, 11, UINT64_MAX)},
         "l: m: -k",
         0},
        {{LAUNCH("m", 6, 7, 1),
          MADE("k", GPU, 0, 7, 9, 9, .a = 1, .flags = TT_A_NEGATIVE)},
         "m: -k",
         0},
        {{LAUNCH("l", 0, 5, 7), MADE("k", GPU, 0, 1, 30, 31, .a = 7),
          MADE("j", GPU, 3, 2, 20, 21, .a = 7)},
         "l:j,k",
         0},
    };

    (void)state;
    assert_links(rows, COUNT(rows));
}

static void test_the_last_of_several_calls_of_a_process_owns(void **state)
{
    static const struct row rows[] = {
        {{LAUNCH("l", 0, 9, 7), LAUNCH("m", 2, 5, 7), GPU("k", 10, 11, 7)},
         "l: m:k",
         0},
        {{LAUNCH("m", 2, 5, 7), LAUNCH("l", 0, 9, 7), GPU("k", 10, 11, 7)},
         "l: m:k",
         0},
        /* equal starts: the shorter */
        {{LAUNCH("l", 0, 5, 7), LAUNCH("m", 0, 9, 7), GPU("k", 10, 11, 7)},
         "l:k m:",
         0},
        {{LAUNCH("l", 0, 9, 7), LAUNCH("m", 0, 5, 7), GPU("k", 10, 11, 7)},
         "l: m:k",
         0},
        /* equal too: the later in the file */
        {{LAUNCH("l", 0, 5, 7), LAUNCH("m", 0, 5, 7), GPU("k", 10, 11, 7)},
         "l: m:k",
         0},
        /* on several threads */
        {{MADE("l", LAUNCH, 1, 1, 0, 5, .a = 7),
          MADE("m", LAUNCH, 1, 2, 1, 5, .a = 7),
          MADE("n", LAUNCH, 1, 3, 0, 9, .a = 7), GPU("k", 10, 11, 7)},
         "l: m:k n:",
         0},
    };

    (void)state;
    assert_links(rows, COUNT(rows));
}

/* Launches of processes 1 and 2 with one number. */
#define TWO                                                                    \
    MADE("l", LAUNCH, 1, 1, 0, 5, .a = 7),                                     \
        MADE("m", LAUNCH, 2, 1, 9, 10, .a = 7), GPU("k", 20, 21, 7)
#define FLOW(pid, id, ph, more)                                                \
    MADE("flow", NONE, pid, 9, 1, 1, .a = (id), .phase = (ph),                 \
         .flags = TT_FLOW_LAUNCH | (more))

static void test_a_flow_decides_between_processes(void **state)
{
    static const struct row rows[] = {
        {{TWO}, "l: m: -k", 1},
        {{TWO, GPU("j", 30, 31, 7)}, "l: m: -k -j", 2},
        {{TWO, FLOW(1, 7, 's', 0)}, "l:k m:", 0},
        {{FLOW(2, 7, 's', 0), TWO}, "l: m:k", 0},
        {{TWO, FLOW(1, 7, 's', 0), FLOW(2, 7, 's', 0)}, "l: m: -k", 1},
        {{TWO, FLOW(1, 7, 's', 0), FLOW(1, 7, 's', 0)}, "l: m: -k", 1},
        {{TWO, FLOW(1, 8, 's', 0)}, "l: m: -k", 1},
        {{TWO, FLOW(3, 7, 's', 0)}, "l: m: -k", 1},
        {{TWO, FLOW(1, 7, 'f', 0)}, "l: m: -k", 1},
        {{TWO, FLOW(1, 7, 'f', 0), FLOW(2, 7, 's', 0)}, "l: m:k", 0},
        {{TWO, FLOW(1, 7, 's', TT_A_TEXT)}, "l: m: -k", 1},
        {{TWO, FLOW(1, 7, 's', TT_A_NEGATIVE)}, "l: m: -k", 1},
        {{TWO, MADE("n", LAUNCH, 1, 1, 1, 2, .a = 7), FLOW(1, 7, 's', 0)},
         "l: m: n:k",
         0},
        /* another number is not shared */
        {{TWO, MADE("n", LAUNCH, 2, 1, 1, 2, .a = 8), GPU("j", 30, 31, 8)},
         "l: m: n:j -k",
         1},
    };

    (void)state;
    assert_links(rows, COUNT(rows));
}

static void test_the_side_of_a_process_does_not_matter(void **state)
{
    static const struct row rows[] = {
        {{MADE("l", LAUNCH, 4, 1, 0, 5, .a = 7),
          MADE("k", GPU, 4, 1, 9, 9, .a = 7)},
         "l:k",
         0},
    };

    (void)state;
    assert_links(rows, COUNT(rows));
}

static void test_external_ids_join_only_without_any_correlation(void **state)
{
    static const struct row rows[] = {
        {{BOTH("l", LAUNCH, 0, 5, 0, 3), BOTH("k", GPU, 9, 9, 0, 3)}, "l:k", 0},
        {{BOTH("l", LAUNCH, 0, 5, 0, 3), BOTH("k", GPU, 9, 9, 8, 3)}, "l:k", 0},
        {{BOTH("l", LAUNCH, 0, 5, 0, 3), BOTH("m", LAUNCH, 6, 7, 1, 4),
          BOTH("k", GPU, 9, 9, 0, 3)},
         "l: m: -k",
         0},
        {{BOTH("l", LAUNCH, 0, 5, 0, 0), BOTH("k", GPU, 9, 9, 0, 0)},
         "l: -k",
         0},
        {{MADE("l", LAUNCH, 1, 1, 0, 5, .b = 3, .flags = TT_B_NEGATIVE),
          BOTH("k", GPU, 9, 9, 0, 3)},
         "l: -k",
         0},
        /* a correlation below 0 is none */
        {{MADE("l", LAUNCH, 1, 1, 0, 5, .a = 9, .b = 3, .flags = TT_A_NEGATIVE),
          BOTH("k", GPU, 9, 9, 0, 3)},
         "l:k",
         0},
    };

    (void)state;
    assert_links(rows, COUNT(rows));
}

static void test_gpu_events_at_0_are_counted(void **state)
{
    static const struct made rows[] = {LAUNCH("l", 0, 5, 7), GPU("k", 5, 6, 7),
                                       GPU("j", 0, 6, 7), GPU("i", 0, 0, 0)};
    struct subject s;

    (void)state;
    start(&s, rows, COUNT(rows));
    assert_int_equal(s.trace.anomalies.count[TT_ANOMALY_GPU_AT_ZERO], 2);
    assert_int_equal(s.trace.anomalies.first_position[TT_ANOMALY_GPU_AT_ZERO],
                     2);
    assert_int_equal(
        s.trace.anomalies.first_position[TT_ANOMALY_GPU_WITHOUT_LAUNCH], 3);
    stop(&s);
}

static void test_many_launches_and_gpu_events_are_joined(void **state)
{
    const size_t half = 100000;
    struct made *rows = calloc(2 * half, sizeof(*rows));
    struct subject s;

    (void)state;
    assert_non_null(rows);
    for (size_t i = 0; i < half; i++) {
        int64_t t = (int64_t)i;

        rows[i] = (struct made)LAUNCH("l", t, t + 1, 1 + i);
        rows[half + i] = (struct made)GPU("k", t, t + 1, half - i / 2 * 2);
    }
    start(&s, rows, 2 * half);
    assert_int_equal(s.trace.launches.count, half);
    for (size_t i = 0; i < half; i++) /* every other launch owns two */
        assert_int_equal(tt_trace_launch(&s.trace, i)->count, i % 2 ? 2 : 0);
    stop(&s);
    free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gpu_events_belong_to_the_launch_of_their_number),
        cmocka_unit_test(test_the_last_of_several_calls_of_a_process_owns),
        cmocka_unit_test(test_a_flow_decides_between_processes),
        cmocka_unit_test(test_the_side_of_a_process_does_not_matter),
        cmocka_unit_test(test_external_ids_join_only_without_any_correlation),
        cmocka_unit_test(test_gpu_events_at_0_are_counted),
        cmocka_unit_test(test_many_launches_and_gpu_events_are_joined),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
