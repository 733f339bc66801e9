/* test_anonymous.c - base/anonymous.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
    {"D:/work/x.py", "_/x.py"},
    {"C:\\x\\\"", "_/x\\\""},
    {"C:/", NULL},
    {"/a/b/", "_/b/"},
    {"path=/a/b", "path=_/b"},
    {"/a//b/c", "_/c"},
    {"/data//me/x.py", "_/x.py"},
    {"//home/me/x.py", "_/x.py"},
    {"/home//me", "_/_"},
    {"//home///me", "_/_"},
    {"///a/b", "_/b"},
    {"/a/b//", "_/b//"},
    {"file:///home/me/x.py", "file:_/x.py"},
    {"file:/home/me/x.py", "file:_/x.py"},
    {"PATH=/a/b://c/d", "PATH=_/b:_/d"},
    {"C:\\\\\\me\\/x.py", "_/x.py"},
    {"~~/x/y", "_/y"},
    {"C:\\Users\\me", "_/_"},
    {"C:/Users/me", "_/_"},
    /* hosts of Windows */
    {"\\\\host\\share\\me\\x.py", "_/x.py"},
    {"at \\\\host\\share", "at _/share"},
    {"\\\\host/share/me/x.py", "_/x.py"},
    {"\\\\?\\C:\\Users\\me\\x.py", "_/x.py"},
    {"\\\\.\\C:\\Users\\me", "_/_"},
    {"\\\\?\\UNC\\host\\share\\x", "_/x"},
    {"\\\\?", NULL},
    {"\\\\?\\", NULL},
    {"\\\\?\\C", "_/C"},
    {"\\\\host", NULL},
    {"\\\\", NULL},
    /* texts that are JSON themselves, and were written with care */
    {"\\/home\\/me", "_/_"},
    {"{\"f\":\"\\/home\\/me\\/x.py\",\"n\":1}", "{\"f\":\"_/x.py\",\"n\":1}"},
    {"{\\\"f\\\":\\\"\\\\/home\\\\/me\\\\/x.py\\\"}",
     "{\\\"f\\\":\\\"_/x.py\\\"}"},
    {"{\"f\":\"\\\\\\\\host\\\\share\\\\x.py\"}", "{\"f\":\"_/x.py\"}"},
    {"https:\\/\\/host\\/a\\/b", NULL},
    {"file:\\/\\/\\/home\\/me\\/x.py", "file:_/x.py"},
    {"\\/x", NULL},
    {"a\\/b\\/c", NULL},
    {"a\\n/a/b\\t/c/d", "a\\n_/b\\t_/d"},
    {"at\\n\\/home\\/me\\/x.py", "at\\n_/x.py"},
    /* behind options, redirections and what is no ASCII */
    {"-I/opt/me/inc -isystem/usr/x", "-I_/inc -isystem_/x"},
    {"cc --sysroot/a/b -L//a/b", "cc --sysroot_/b -L_/b"},
    {"--at:/x/y -1/2/3 a-b/c/d a/-b/c/d -/a/b", "--at:_/y -1/2/3 a-b/c/d "
                                                "a/-b/c/d -/a/b"},
    {"x 2>/var/me/log >/a/b", "x 2>_/log >_/b"},
    {"\xe6\x96\x87/data/me/x.py", "\xe6\x96\x87_/x.py"},
    {"~\xe6\x96\x87/x.py", "_/x.py"},
    /* homes, whatever is before them */
    {"x/home/me", "x_/_"},
    {"-DX=1:y/home/me/x.h", "-DX=1:y_/x.h"},
    {"file://host/home/me/x.py", "file://host_/x.py"},
    {"https://home/me/x.py", NULL},
    {"https://host/Users/me", "https://host_/_"},
    {"\\Users\\me", "_/_"},
    {"\\Users\\me\\x.py and x\\Users\\me", "_/x.py and x_/_"},
    {"\\home\\me /homes/me x/home x/homes/me x/home/",
     "\\home\\me _/me x/home x/homes/me x/home/"},
    {"/nfs/home/me", "_/_"},
    {"/cluster/home/me/ /usr/home/me", "_/_/ _/_"},
    {"/mnt/c/Users/me", "_/_"},
    {"D:\\data\\Users\\me", "_/_"},
    {"C:\\users\\me", "_/_"},
    {"\\\\nas\\Users\\me", "_/_"},
    {"/home/./me /home/../home/me", "_/_ _/_"},
    {"\\/nfs\\/home\\/me", "_/_"},
    {"/a/homes/me /a/xhome/me", "_/me _/me"},
    /* blanks of a shell, and what is no ASCII in JSON */
    {"ls /mnt/My\\ Data/me/z", "ls _/z"},
    {"[\"/data/me/\\u6587.bin\"]", "[\"_/\\u6587.bin\"]"},
    {"[\"/data/M\\u00fcller/x\",\"/a/b\\u000a/c/d\"]",
     "[\"_/x\",\"_/b\\u000a/c/d\"]"},
    {"[\"C:\\\\ \",\"C:\\\\u00fc\"]", "[\"C:\\\\ \",\"_/u00fc\"]"},
    /* no hosts */
    {"{\"regex\": \"\\\\d+\\\\.\\\\d+\"}", NULL},
    {"[\"\\\\alpha\\\\beta\"]", NULL},
    /* files of functions, whatever is in the names of their folders */
    {"/srv/my, (own)/a=b/x y.py(7): f", "_/x y.py(7): f"},
    {"C:\\my own\\[x]\\y.py(1): f", "_/y.py(1): f"},
    {"~/my own/x.py(1)", "_/x.py(1)"},
    {"/home/my own/x.py(1): f", "_/x.py(1): f"},
    {"/a/b c/d.py(1): f;/e/f g/h.py(2): i\n/j/k l/m.py(3): n",
     "_/d.py(1): f;_/h.py(2): i\n_/m.py(3): n"},
    {"/a/b c/d.py(1): f; /e/f g/h.py(2): i", "_/d.py(1): f; _/h.py(2): i"},
    {"/a/b c/d.py", "_/b c/d.py"},
    {"/a/b c/d.py(x)", "_/b c/d.py(x)"},
    {"/a/b c/d.py(12", "_/b c/d.py(12"},
    {"/a/b c/d.py()", "_/b c/d.py()"},
    {"/a/b c\n/d/e.py(1)", "_/b c\n_/e.py(1)"},
    {"at /a/b c/d.py(1)", "at _/b c/d.py(1)"},
    {"/a/\\\\ \\/x.py(1)", "_/x.py(1)"},
    {"/x y.py(1): f", NULL},
    {"x y/z.py(1): f", NULL},
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
    {"https://host/a/b", NULL},
    {"s3://bucket/a/b", NULL},
    {"// a/b", NULL},
    {"//", NULL},
    {"//x", NULL},
    {"a//b/c", NULL},
};

/* JSON, as it is written. */
static const struct example values[] = {
    {"\"C:\\\\Users\\\\me\\\\x.py\"", "\"_/x.py\""},
    {"\"C:\\\\\\\\Users\\\\\\\\me\\\\\\\\x.py\"", "\"_/x.py\""},
    {"\"C:\\temp\\new.py\"", NULL},
    {"\"at\\n/a/b\\t/c/d\\u0001/e/f\"", "\"at\\n_/b\\t_/d\\u0001_/f\""},
    {"\"at\\n://home/me\"", "\"at\\n:_/_\""},
    {"\"at\\nfile://host/me\"", NULL},
    {"{\"a\":\"/b c/d e/f.py(1): g\",\"h\":\"/i j/k.py(2)\"}",
     "{\"a\":\"_/f.py(1): g\",\"h\":\"_/k.py(2)\"}"},
    {"{\"a\":\"/b/c d\",\"e\":\"f.py(1): g\"}",
     "{\"a\":\"_/c d\",\"e\":\"f.py(1): g\"}"},
    {"\"/a/b \\\"c\\\"/d.py(1): e\"", "\"_/b \\\"c\\\"/d.py(1): e\""},
    {"\"[\\\"C:\\\\\\\"x.py(7): f\\\"]\"", NULL},
    {"\"{\\\"p\\\":\\\"/data/M\\\\u00fcller/x\\\"}\"",
     "\"{\\\"p\\\":\\\"_/x\\\"}\""},
    {"\"{\\\"r\\\":\\\"\\\\\\\\d+\\\\\\\\.\\\\\\\\d+\\\"}\"", NULL},
    {"\"/a/b\\tc/d.py(1): e\"", "\"_/b\\tc/d.py(1): e\""},
    {"\"C:\\\\b c\\\\d.py(1): e\"", "\"_/d.py(1): e\""},
    {"\"\\\\Users\\\\me\"", "\"_/_\""},
    {"\"\\t~/me/x.py\\r\\nC:\\\\me\\\\y.py\"", "\"\\t_/x.py\\r\\n_/y.py\""},
    {"\"/a/b\\n\"", "\"_/b\\n\""},
    {"\"/a/\\ud83d/b\"", "\"_/b\""},
    {"\"\\ud83d/a/b\"", "\"\\ud83d_/b\""},
    {"\"\\\\/a/b\"", "\"_/b\""},
    {"\"\\\\\\\\host\\\\share\\\\x.py\"", "\"_/x.py\""},
    {"\"\\\\\\\\?\\\\C:\\\\Users\\\\me\"", "\"_/_\""},
    {"\"{\\\"f\\\":\\\"\\\\/home\\\\/me\\\"}\"", "\"{\\\"f\\\":\\\"_/_\\\"}\""},
    {"\"https:\\\\/\\\\/host\\\\/a\\\\/b\"", NULL},
    {"\"a\\\\n/a/b\"", "\"a\\\\n_/b\""},
    {"\"\\\\\"", NULL},
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

/* A text of paths that begin and are none takes time in proportion to it. */
static void test_time_is_linear(void **state)
{
    static const char *const parts[] = {
        "~",        "~!",   "/~",      "//",    "C:",    "/x",       "\\n~",
        "a://",     "///:", "\\",      "\\/",   "!\\\\", "\\\\a",    "\\\\?\\",
        "\\n\\",    "-a/",  "/a b ",   "/a;",   "/home", "x/Users/", "/a\\ ",
        "/a/b.py(", "~\\ ", "\\u00e9", "\\ \\", "\xff/"};
    size_t len = 4000000;
    char *text = malloc(len);
    struct tt_buffer out = {0};

    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < COUNT(parts); i++) {
        size_t part = strlen(parts[i]);
        clock_t start = clock();

        for (size_t at = 0; at < len; at++)
            text[at] = parts[i][at % part];
        text[len - 1] = '/';
        (void)tt_anonymous_text(text, len, i % 2 != 0, &out);
        assert_false(out.failed);
        /* a second would be 250 ns a byte; quadratic time is hours */
        if (clock() - start > 20 * CLOCKS_PER_SEC)
            fail_msg("%s: %ld s", parts[i],
                     (long)((clock() - start) / CLOCKS_PER_SEC));
    }
    tt_buffer_release(&out);
    free(text);
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
        cmocka_unit_test(test_time_is_linear),
        cmocka_unit_test(test_members_keep_what_is_known_to_be_harmless),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
