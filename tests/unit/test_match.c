/* test_match.c - decode/match.h: with layouts and without, batches are the
 * same.  With a number as argument so many texts are made at random, and with
 * another that is where they begin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "decode/match.h"
#include "same_batch.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

/* What this machine has. */
static tt_match *matches[3];
static unsigned match_count;

static unsigned rounds = 4000;
static unsigned first_round;

struct pair {
    struct side side[2]; /* plain, with layouts */
};

static int find_matches(void **state)
{
    (void)state;
    matches[match_count++] = tt_match_plain;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        matches[match_count++] = tt_match_avx2;
#endif
    if (tt_match_best() != matches[match_count - 1])
        matches[match_count++] = tt_match_best();
    return 0;
}

/* Decoders with another match each time. */
static void set_up(struct pair *p)
{
    static unsigned sets;

    *p = (struct pair){0};
    p->side[0].d = tt_decoder_create(true);
    p->side[1].d = tt_decoder_create(false);
    assert_non_null(p->side[0].d);
    assert_non_null(p->side[1].d);
    p->side[1].d->match = matches[sets++ % match_count];
}

static void tear_down(struct pair *p)
{
    release_side(&p->side[0]);
    release_side(&p->side[1]);
}

/* Both decoders take the text, in memory of just its size; how many elements
 * they made of it. */
static size_t compare(struct pair *p, const char *text, size_t len)
{
    char *copy = malloc(len ? len : 1);
    struct tt_batch *b[2];
    size_t count;

    assert_non_null(copy);
    if (len)
        memcpy(copy, text, len);
    for (int i = 0; i < 2; i++) {
        b[i] = decode(&p->side[i], copy, len, 1000);
        assert_non_null(b[i]);
    }
    if (!same_batch(&p->side[0], &p->side[1], b[0], b[1]))
        fail_msg("with layouts and without: %.*s", (int)len, text);
    count = b[0]->count;
    tt_batch_free(b[0]);
    tt_batch_free(b[1]);
    free(copy);
    return count;
}

/* ---- values -------------------------------------------------------------- */

/* Events with one place for a value, an everyday one first. */
static const char *const places[] = {
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"pid\":1,\"tid\":2,"
    "\"ts\":@,\"dur\":2}",
    "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"a\", \"pid\": 1, "
    "\"tid\": 2, \"ts\": 1, \"dur\": @ }",
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":@,\"pid\":1,\"tid\":2,"
    "\"ts\":1,\"dur\":2}",
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"pid\":@,\"tid\":2,"
    "\"ts\":1,\"dur\":2}",
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"a\",\"pid\":1,\"tid\":@,"
    "\"ts\":1,\"dur\":2}",
    "{\"ph\":\"s\",\"cat\":\"ac2g\",\"name\":\"a\",\"id\":@,\"pid\":1,"
    "\"tid\":2,\"ts\":1}",
    "{\"ph\":@,\"cat\":\"cpu_op\",\"name\":\"a\",\"ts\":1,\"dur\":2}",
    "{\"ph\":\"X\",\"cat\":@,\"name\":\"a\",\"ts\":1,\"dur\":2}",
    "{\"ph\":\"M\",\"name\":@,\"pid\":1,\"tid\":2,\"args\":{\"name\":\"b\"}}",
    "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":2,\"args\":"
    "{\"name\":@}}",
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"a\",\"ts\":1,\"dur\":2,"
    "\"args\":{\"correlation\":@,\"x\":1}}",
    "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"a\",\"ts\":1,\"dur\":2,"
    "\"args\":{\"External id\":@,\"correlation\":5}}",
    "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"a\",\"ts\":1,"
    "\"dur\":2,\"args\":{\"Python id\":@,\"Python parent id\":5}}",
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"ts\":1,\"dur\":2,"
    "\"args\":{\"Sequence number\":@,\"Fwd thread id\":5}}",
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"ts\":1,\"dur\":2,"
    "\"args\":{\"Sequence number\":1,\"Fwd thread id\":@}}",
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"ts\":1,\"dur\":2,"
    "\"args\":{\"Input Dims\":@ , \"x\":@}}",
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"ts\":1,\"dur\":2,"
    "\"args\":@}",
    "{\"other\":@}",
    "{\"args\":{\"other\":@}}",
    "@",
};

static const char *const values[] = {
    "1",
    "2",
    "0",
    "-0",
    "-1",
    "10",
    "00",
    "01",
    "-01",
    "1.5",
    "1.25",
    "1.125",
    "1.0",
    "1.000",
    "1.1234",
    "1.",
    ".5",
    "+1",
    "0.5",
    "-0.5",
    "-0.0",
    "1e3",
    "1E-3",
    "1.5e3",
    "1e",
    "12345678",
    "123456789",
    "1234567890123456",
    "12345678901234567",
    "123456789012345678",
    "1234567890123456789",
    "-1234567890123456",
    "-12345678901234567",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "9223372036854775.807",
    "9223372036854775.808",
    "9999999999999999.999",
    "1419117960196.078",
    "1419117960196.78",
    "1419117960196.0781",
    "0.1234567890123456789",
    "1 ",
    " 1",
    "1x",
    "1-",
    "--1",
    "1.2.3",
    "1e5.5",
    "\"a\"",
    "\"\"",
    "\"7\"",
    "\"-5\"",
    "\"007\"",
    "\"stream 7\"",
    "\"stream 8\"",
    "\"1.5\"",
    "\"0x5\"",
    "\"a b c d e f g h\"",
    "\"process_name\"",
    "\"thread_name\"",
    "\"X\"",
    "\"M\"",
    "\"s\"",
    "\"B\"",
    "\"kernel\"",
    "\"cpu_op\"",
    "\"fwdbwd\"",
    "\"autograd::engine::evaluate_function: AddBackward0\"",
    "\"autograd::engine::evaluate_functio\"",
    ("\"a name that is so long that it goes on behind sixty-four bytes, by "
     "far\""),
    "\"a\\n\"",
    "\"\\u0041\"",
    "\"\\q\"",
    "\"a\tb\"",
    "\"\xc3\xa9\"",
    "\"0123456789abcdef\xe2\x82\xac\"",
    "\"\xff\"",
    "\"0123456789\xc3\"",
    "\"\xed\xa0\x80\"",
    "\"\\ud800\"",
    "\"a\\\"b\"",
    "\"a",
    "true",
    "false",
    "null",
    "tru",
    "nul",
    "[]",
    "{}",
    "[1]",
    "[1, 2]",
    "[1,2]",
    "[[], [5, 7]]",
    "[\"]\"]",
    "[\"[\"]",
    "[\"\\\"]\"]",
    "{\"a\": [1]}",
    "{\"a\":1,\"a\":2}",
    "[1,]",
    "[,1]",
    "[1}",
    "{\"a\"}",
    "[\"\xff\"]",
    "[01]",
    "[NaN]",
    "NaN",
    "Infinity",
    "",
    " ",
    ",",
    "]",
    "}",
    "\"a\",\"b\":1",
};

/* The event with the value at its places, behind a comma if it has one. */
static void write_event(struct tt_buffer *to, const char *place,
                        const char *value)
{
    for (; *place; place++) {
        if (*place == '@')
            tt_buffer_add(to, value, strlen(value));
        else
            tt_buffer_add_byte(to, *place);
    }
    tt_buffer_add(to, ",\n  ", 4);
}

static void test_any_value_at_any_place_is_read_as_by_tokens(void **state)
{
    struct tt_buffer text = {0};
    size_t elements = 0;

    (void)state;
    for (size_t place = 0; place < COUNT(places); place++) {
        for (size_t i = 0; i < COUNT(values); i++) {
            for (size_t first = 0; first < COUNT(values); first++) {
                struct pair p;

                /* what is learned, and what comes then; each three times */
                if (first > 8 && (first + i) % 7)
                    continue;
                set_up(&p);
                tt_buffer_clear(&text);
                if (i % 2) /* so that arrays and objects are known */
                    write_event(&text, "{\"other\":@}", values[i]);
                write_event(&text, places[place], values[first]);
                write_event(&text, places[place], values[first]);
                write_event(&text, places[place], values[i]);
                write_event(&text, places[place], values[i]);
                write_event(&text, places[place], values[first]);
                elements += compare(&p, text.ptr, text.len);
                elements += compare(&p, text.ptr, text.len - 4);
                tear_down(&p);
            }
        }
    }
    assert_true(elements > 100000);
    tt_buffer_release(&text);
}

/* ---- mutations ----------------------------------------------------------- */

static uint64_t random_state;

static unsigned pick(unsigned count)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((random_state >> 33) % count);
}

static const char *const kinds[] = {
    "{\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::#\", "
    "\"pid\": "
    "#, \"tid\": 7,\n    \"ts\": 14191179601#.078, \"dur\": #.61,\n    "
    "\"args\": {\n      \"External id\": #,\"Record function id\": 0, "
    "\"Concrete Inputs\": [\"\", \"[#]\"], \"Input Dims\": [[5, 1], [#]], \"Ev "
    "Idx\": #\n    }\n  }",
    "{\n    \"ph\": \"X\", \"cat\": \"python_function\", \"name\": \"<built-in "
    "method # of type object at 0x7ce64056f750>\", \"pid\": 1, \"tid\": #,\n   "
    " \"ts\": 1419#, \"dur\": 0.#,\n    \"args\": {\n      \"Python parent "
    "id\": #, \"Python id\": #, \"Ev Idx\": #\n    }\n  }",
    "{\n    \"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"void k<#>(int)\", "
    "\"pid\": 0, \"tid\": 7,\n    \"ts\": 1#.5, \"dur\": #,\n    \"args\": {\n "
    " "
    "    \"External id\": #, \"device\": 0, \"correlation\": #, \"blocks per "
    "SM\": 0.#, \"grid\": [#, 2, 1], \"est. achieved occupancy %\": #\n    }\n "
    " }",
    "{\n    \"ph\": \"f\", \"id\": #, \"pid\": 0, \"tid\": 7, \"ts\": 1#.5,\n  "
    " "
    " \"cat\": \"ac2g\", \"name\": \"ac2g\", \"bp\": \"e\"\n  }",
    "{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"Memcpy DtoH\",\"pid\":#,"
    "\"tid\":\"stream #\",\"ts\":#,\"dur\":#.#,\"args\":{\"correlation\":#,"
    "\"bytes\":-#,\"async\":true,\"k\":\"#\",\"memory bandwidth (GB/s)\":#."
    "0000000000000000#}}",
    ("{\"name\":\"process_name\",\"ph\":\"M\",\"ts\":#,\"pid\":#,\"tid\":0,"
     "\"args\":{\"name\":\"python #\"}}"),
};

static const char *const pieces[] = {
    "\"",
    "\\",
    ",",
    ":",
    "{",
    "}",
    "[",
    "]",
    "\\u12",
    "\n",
    "\x01",
    "\xff",
    "\xc3\xa9",
    "1",
    "-",
    ".",
    "e",
    "NaN",
    "null",
    "},{",
    " ",
    "//",
    ",,",
    "0",
    "\"ts\":1,",
    "\"name\":\"b\",",
    "99999999999999999999",
};

/* Some events, with numbers in their places. */
static void write_events(struct tt_buffer *to)
{
    unsigned count = 1 + pick(12);
    unsigned kind = pick(COUNT(kinds));

    for (unsigned i = 0; i < count; i++) {
        if (!pick(3))
            kind = pick(COUNT(kinds));
        for (const char *at = kinds[kind]; *at; at++) {
            char number[16];

            (void)snprintf(number, sizeof(number), "%u",
                           pick(2) ? pick(20) : pick(2000000000));
            if (*at == '#')
                tt_buffer_add(to, number, strlen(number));
            else
                tt_buffer_add_byte(to, *at);
        }
        tt_buffer_add(to, ",\n  ", 4);
    }
    to->len -= pick(3) ? 4 : pick(5);
    if (pick(4))
        tt_buffer_add_byte(to, ']');
}

/* Does something to the text at one place. */
static void mutate(struct tt_buffer *text)
{
    struct tt_buffer out = {0};
    size_t at = pick((unsigned)text->len);
    size_t drop = pick(3) ? 0 : 1 + pick(pick(4) ? 3 : 200);
    const char *piece = pieces[pick(COUNT(pieces))];

    if (!pick(8)) {
        text->ptr[at] ^= (char)(1 << pick(8));
        return;
    }
    if (drop > text->len - at)
        drop = text->len - at;
    tt_buffer_add(&out, text->ptr, at);
    if (pick(4))
        tt_buffer_add(&out, piece, strlen(piece));
    tt_buffer_add(&out, text->ptr + at + drop, text->len - at - drop);
    tt_buffer_release(text);
    *text = out;
}

static void test_damaged_text_is_understood_as_far_as_by_tokens(void **state)
{
    struct tt_buffer text = {0};
    struct pair p;

    (void)state;
    set_up(&p);
    for (unsigned i = first_round; i - first_round < rounds; i++) {
        unsigned damages;

        random_state = i;
        (void)pick(1);
        if (i % 16 == 0) { /* else what was learned before is known */
            tear_down(&p);
            set_up(&p);
        }
        tt_buffer_clear(&text);
        write_events(&text);
        for (damages = pick(4); damages && text.len; damages--)
            mutate(&text);
        compare(&p, text.ptr, text.len);
    }
    tear_down(&p);
    tt_buffer_release(&text);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_value_at_any_place_is_read_as_by_tokens),
        cmocka_unit_test(test_damaged_text_is_understood_as_far_as_by_tokens),
    };

    if (getenv("T2T_SANITIZER") && *getenv("T2T_SANITIZER"))
        rounds /= 4;
    if (argc > 1)
        rounds = (unsigned)strtoul(argv[1], NULL, 10);
    if (argc > 2)
        first_round = (unsigned)strtoul(argv[2], NULL, 10);
    return cmocka_run_group_tests(tests, find_matches, NULL);
}
