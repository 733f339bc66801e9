/* test_device.c - query/device.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu_trace.h"
#include "query/device.h"

#define NAME "test_device"

#define ON(pid, tid)                                                           \
    {                                                                          \
        "kernel", "k", pid, tid, "1", "1", ""                                  \
    }

static void test_devices_are_pids_of_gpu_lanes_in_order(void **state)
{
    static const struct said events[] = {
        ON("\"b\"", "7"),
        ON("10", "7"),
        ON("-1", "7"),
        ON("\"a\"", "7"),
        ON("\"10\"", "8"),
        ON("18446744073709551615", "7"),
        ON("null", "7"),
        ON("\"None\"", "7"),
        ON("2", "7"),
        ON("2", "8"),
        ON("\"aa\"", "7"),
        ON("\"\"", "7"),
        LAUNCH("1", "1"),
        ON("-9223372036854775808", "7"),
        ON("9223372036854775807", "7"),
    };
    static const char *const labels[] = {"-9223372036854775808",
                                         "-1",
                                         "2",
                                         "10",
                                         "9223372036854775807",
                                         "18446744073709551615",
                                         "",
                                         "None",
                                         "a",
                                         "aa",
                                         "b"};
    t2t_index *index = INDEX_OF(events);
    struct tt_devices d;

    (void)state;
    assert_int_equal(tt_devices_read(&d, index, NULL), T2T_OK);
    assert_int_equal(d.count, COUNT(labels));
    for (size_t i = 0; i < COUNT(labels); i++)
        assert_text(d.item[i].label, labels[i]);
    for (uint32_t i = 0; i < COUNT(events); i++) {
        struct t2t_element e;
        struct t2t_lane lane;
        struct tt_device is;

        assert_int_equal(t2t_index_element(index, id_at(index, i), &e), T2T_OK);
        assert_int_equal(t2t_index_lane(index, e.lane, &lane), T2T_OK);
        if (lane.side != T2T_DEVICE) {
            assert_int_equal(d.of_lane[e.lane], TT_NO_DEVICE);
            continue;
        }
        tt_device_name(&is, &lane.pid);
        assert_true(t2t_text_equal(is.label, d.item[d.of_lane[e.lane]].label));
    }
    tt_devices_release(&d);
    remove_index(NAME, index);
}

static void test_a_trace_without_gpu_has_no_device(void **state)
{
    static const struct said events[] = {LAUNCH("1", "1")};
    t2t_index *index = INDEX_OF(events);
    struct tt_devices d;

    (void)state;
    assert_int_equal(tt_devices_read(&d, index, NULL), T2T_OK);
    assert_int_equal(d.count, 0);
    tt_devices_release(&d);
    tt_devices_release(&d);
    remove_index(NAME, index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_devices_are_pids_of_gpu_lanes_in_order),
        cmocka_unit_test(test_a_trace_without_gpu_has_no_device),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
