/* test_anonymous.c - base/anonymous.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/anonymous.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

struct example {
    const char *text;
    const char *want; /* NULL: stays as it is */
};

static const struct example texts[] = {
    {"/home/me/proj/train.py(7): main", "_/train.py(7): main"},
    {"/home/me/train.py(7): main", "_/train.py(7): main"},
    {"at /a/b, /c/d/e", "at _/b, _/e"},
    {"/home/me", "_/_"},
    {"--user /Users/me --at /export/home/me", "--user _/_ --at _/_"},
    {"\"/tmp/x/y.py\"", "\"_/y.py\""},
    {"[\"/tmp/x/y\",\"/z/w\",3]", "[\"_/y\",\"_/w\",3]"},
    {"~/x.py ~me/secret/y.py ~", "_/x.py _/y.py ~"},
    {"C:\\Users\\me\\x.py", "_/x.py"},
    {"C:\\\\Users\\\\me\\\\x.py", "_/x.py"},
    {"C:\\temp\\new\\x.py", "_/x.py"},
    {"C:\temp\new.py", NULL},
    {"at\n/a/b\t/c/d", "at\n_/b\t_/d"},
    {"a\\n/a/b", NULL},
    {"D:/work/x.py", "_/x.py"},
    {"C:\\x\\\"", "_/x\\\""},
    {"C:/", NULL},
    {"/a/b/", "_/b/"},
    {"path=/a/b", "path=_/b"},
    {"/a//b/c", NULL},
    /* these are no paths */
    {"", NULL},
    {"aten::mm", NULL},
    {"torch/nn/modules/module.py(1): f", NULL},
    {"Torch-Compiled Region: 0/1", NULL},
    {"memory bandwidth (GB/s)", NULL},
    {"a / b", NULL},
    {"/", NULL},
    {"/x", NULL},
    {"../x/y", NULL},
    {"x\\y", NULL},
    {"a: \\\"b\\\"", NULL},
    {"12:/", NULL},
};

/* JSON, as it is written. */
static const struct example values[] = {
    {"\"C:\\\\Users\\\\me\\\\x.py\"", "\"_/x.py\""},
    {"\"C:\\\\\\\\Users\\\\\\\\me\\\\\\\\x.py\"", "\"_/x.py\""},
    {"\"C:\\temp\\new.py\"", NULL},
    {"\"at\\n/a/b\\t/c/d\\u0001/e/f\"", "\"at\\n_/b\\t_/d\\u0001_/f\""},
    {"\"/a/b\\n\"", "\"_/b\\n\""},
    {"\"/a/\\ud83d/b\"", "\"_/b\""},
    {"\"\\ud83d/a/b\"", NULL},
    {"\"\\\\/a/b\"", NULL},
    {"\"say \\\"/a/b\\\"\"", "\"say \\\"_/b\\\"\""},
    {"[\"/tmp/x/y\",\"/z/w\",3]", "[\"_/y\",\"_/w\",3]"},
    {"{\"a\":\"~me\\n/x/y\"}", "{\"a\":\"~me\\n_/y\"}"},
};

static void check_examples(const struct example *e, size_t count, bool is_json)
{
    struct tt_buffer out = {0};

    for (size_t i = 0; i < count; i++) {
        const char *want = e[i].want ? e[i].want : e[i].text;
        size_t len = strlen(e[i].text);
        char *copy = malloc(len + 1); /* so that a byte too far is seen */
        bool any;

        assert_non_null(copy);
        memcpy(copy, e[i].text, len);
        any = tt_anonymous_text(copy, len, is_json, &out);
        assert_false(out.failed);
        if (any != (strcmp(want, e[i].text) != 0))
            fail_msg("%s: %d", e[i].text, any);
        if (any && (out.len != strlen(want) || memcmp(out.ptr, want, out.len)))
            fail_msg("%s: %.*s", e[i].text, (int)out.len, out.ptr);
        free(copy);
    }
    tt_buffer_release(&out);
}

static void test_folders_of_paths_go(void **state)
{
    (void)state;
    check_examples(texts, COUNT(texts), false);
    check_examples(values, COUNT(values), true);
}

static void test_members_keep_what_is_known_to_be_harmless(void **state)
{
    (void)state;
    assert_true(tt_anonymous_keeps("distributedInfo", 15));
    assert_true(tt_anonymous_keeps("schemaVersion", 13));
    assert_false(tt_anonymous_keeps("schemaVersio", 12));
    assert_false(tt_anonymous_keeps("username", 8));
    assert_false(tt_anonymous_keeps("traceName", 9));
    assert_false(tt_anonymous_keeps("", 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folders_of_paths_go),
        cmocka_unit_test(test_members_keep_what_is_known_to_be_harmless),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
