/* scan.c - the grammar of JSON as a table, and the loop that walks it. */
#include "json/scan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "json/grammar.h"

/*
 * Bytes by what they can mean.  WHITE is white space that may not stand in a
 * string; LOW_ and UP_ are letters that words, escapes or exponents need; HEX
 * is what is a hex digit and nothing else; NEVER does not occur in UTF-8.  The
 * continuation bytes are cut where the second byte of some sequences is
 * limited: The Unicode Standard, table 3-7.
 */
enum byte_class {
    C_OTHER,
    C_CONTROL,
    C_SPACE,
    C_WHITE,
    C_QUOTE,
    C_BACKSLASH,
    C_SLASH,
    C_COMMA,
    C_COLON,
    C_BRACE_OPEN,
    C_BRACE_CLOSE,
    C_BRACKET_OPEN,
    C_BRACKET_CLOSE,
    C_MINUS,
    C_PLUS,
    C_POINT,
    C_ZERO,
    C_DIGIT,
    C_LOW_A,
    C_LOW_B,
    C_LOW_E,
    C_UP_E,
    C_LOW_F,
    C_LOW_L,
    C_LOW_N,
    C_LOW_R,
    C_LOW_S,
    C_LOW_T,
    C_LOW_U,
    C_HEX,
    C_LETTER,
    C_NEXT_80,
    C_NEXT_90,
    C_NEXT_A0,
    C_LEAD_2,
    C_LEAD_E0,
    C_LEAD_3,
    C_LEAD_ED,
    C_LEAD_F0,
    C_LEAD_4,
    C_LEAD_F4,
    C_NEVER,
    C_COUNT
};

/* clang-format off */
#define CONTROL8 C_CONTROL, C_CONTROL, C_CONTROL, C_CONTROL, \
                 C_CONTROL, C_CONTROL, C_CONTROL, C_CONTROL
#define OF4(c) c, c, c, c
#define OF16(c) OF4(c), OF4(c), OF4(c), OF4(c)

static const uint8_t class_of[256] = {
    /* 00 */ CONTROL8,
    /* 08 */ C_CONTROL, C_WHITE, C_WHITE, C_CONTROL,
             C_CONTROL, C_WHITE, C_CONTROL, C_CONTROL,
    /* 10 */ CONTROL8, CONTROL8,
    /* 20 */ C_SPACE, C_OTHER, C_QUOTE, C_OTHER, OF4(C_OTHER),
             C_OTHER, C_OTHER, C_OTHER, C_PLUS,
             C_COMMA, C_MINUS, C_POINT, C_SLASH,
    /* 30 */ C_ZERO, C_DIGIT, C_DIGIT, C_DIGIT, OF4(C_DIGIT),
             C_DIGIT, C_DIGIT, C_COLON, C_OTHER, OF4(C_OTHER),
    /* 40 */ C_OTHER, C_HEX, C_HEX, C_HEX, C_HEX, C_UP_E, C_HEX, C_LETTER,
             OF4(C_LETTER), OF4(C_LETTER),
    /* 50 */ OF4(C_LETTER), OF4(C_LETTER),
             C_LETTER, C_LETTER, C_LETTER, C_BRACKET_OPEN,
             C_BACKSLASH, C_BRACKET_CLOSE, C_OTHER, C_LETTER,
    /* 60 */ C_OTHER, C_LOW_A, C_LOW_B, C_HEX,
             C_HEX, C_LOW_E, C_LOW_F, C_LETTER,
             OF4(C_LETTER), C_LOW_L, C_LETTER, C_LOW_N, C_LETTER,
    /* 70 */ C_LETTER, C_LETTER, C_LOW_R, C_LOW_S,
             C_LOW_T, C_LOW_U, C_LETTER, C_LETTER,
             C_LETTER, C_LETTER, C_LETTER, C_BRACE_OPEN,
             C_OTHER, C_BRACE_CLOSE, C_OTHER, C_OTHER,
    /* 80 */ OF16(C_NEXT_80), OF16(C_NEXT_90),
    /* a0 */ OF16(C_NEXT_A0), OF16(C_NEXT_A0),
    /* c0 */ C_NEVER, C_NEVER, C_LEAD_2, C_LEAD_2, OF4(C_LEAD_2),
             OF4(C_LEAD_2), OF4(C_LEAD_2),
    /* d0 */ OF16(C_LEAD_2),
    /* e0 */ C_LEAD_E0, C_LEAD_3, C_LEAD_3, C_LEAD_3, OF4(C_LEAD_3),
             OF4(C_LEAD_3), C_LEAD_3, C_LEAD_ED, C_LEAD_3, C_LEAD_3,
    /* f0 */ C_LEAD_F0, C_LEAD_4, C_LEAD_4, C_LEAD_4,
             C_LEAD_F4, C_NEVER, C_NEVER, C_NEVER,
             OF4(C_NEVER), OF4(C_NEVER),
};
/* clang-format on */

/* An entry of the grammar that is no state: see act(). */
enum action {
    A_VALUE_BEGIN = S_COUNT,
    A_KEY_BEGIN,
    A_NUMBER_END,
    A_OPEN_OBJECT, /* from here on the byte is consumed */
    A_OPEN_ARRAY,
    A_KEY,
    A_STRING,
    A_WORD_END,
    A_STRING_END,
    A_COMMA,
    A_CLOSE
};

/* clang-format off */
#define SPACES(state) [C_SPACE] = (state), [C_WHITE] = (state)
#define VALUES \
    [C_BRACE_OPEN] = A_OPEN_OBJECT, [C_BRACKET_OPEN] = A_OPEN_ARRAY, \
    [C_QUOTE] = A_STRING, [C_MINUS] = S_MINUS, [C_ZERO] = S_ZERO, \
    [C_DIGIT] = S_INTEGER, [C_LOW_T] = S_T, [C_LOW_F] = S_F, [C_LOW_N] = S_N
#define VALUES_MARK \
    [C_BRACE_OPEN] = A_VALUE_BEGIN, [C_BRACKET_OPEN] = A_VALUE_BEGIN, \
    [C_QUOTE] = A_VALUE_BEGIN, [C_MINUS] = A_VALUE_BEGIN, \
    [C_ZERO] = A_VALUE_BEGIN, [C_DIGIT] = A_VALUE_BEGIN, \
    [C_LOW_T] = A_VALUE_BEGIN, [C_LOW_F] = A_VALUE_BEGIN, \
    [C_LOW_N] = A_VALUE_BEGIN
#define HEX_DIGITS(state) \
    [C_ZERO] = (state), [C_DIGIT] = (state), [C_LOW_A] = (state), \
    [C_LOW_B] = (state), [C_LOW_E] = (state), [C_UP_E] = (state), \
    [C_LOW_F] = (state), [C_HEX] = (state)
#define DIGITS(state) [C_ZERO] = (state), [C_DIGIT] = (state)
#define EXPONENT [C_LOW_E] = S_EXPONENT, [C_UP_E] = S_EXPONENT
#define NEXT_UTF8(state) \
    [C_NEXT_80] = (state), [C_NEXT_90] = (state), [C_NEXT_A0] = (state)
/* What ends a number, be it right there or not; the rest spoils it. */
#define NUMBER_ENDS \
    SPACES(A_NUMBER_END), [C_COMMA] = A_NUMBER_END, \
    [C_BRACE_CLOSE] = A_NUMBER_END, [C_BRACKET_CLOSE] = A_NUMBER_END, \
    [C_OTHER] = A_NUMBER_END, [C_CONTROL] = A_NUMBER_END, \
    [C_QUOTE] = A_NUMBER_END, [C_BACKSLASH] = A_NUMBER_END, \
    [C_SLASH] = A_NUMBER_END, [C_COLON] = A_NUMBER_END, \
    [C_BRACE_OPEN] = A_NUMBER_END, [C_BRACKET_OPEN] = A_NUMBER_END, \
    NEXT_UTF8(A_NUMBER_END), [C_LEAD_2] = A_NUMBER_END, \
    [C_LEAD_E0] = A_NUMBER_END, [C_LEAD_3] = A_NUMBER_END, \
    [C_LEAD_ED] = A_NUMBER_END, [C_LEAD_F0] = A_NUMBER_END, \
    [C_LEAD_4] = A_NUMBER_END, [C_LEAD_F4] = A_NUMBER_END, \
    [C_NEVER] = A_NUMBER_END

/*
 * The next state or an action, for a state and a class of bytes; what is not
 * listed is S_BAD.  Plain text of a string does not come here: skip_text().
 * Rows are longer than C_COUNT so that finding one is a shift: it is half of
 * the time of a step.
 */
static const uint8_t grammar[S_COUNT][64] = {
    [S_VALUE] = {SPACES(S_VALUE), VALUES},
    [S_VALUE_MARK] = {SPACES(S_VALUE_MARK), VALUES_MARK},
    [S_FIRST_VALUE] = {SPACES(S_FIRST_VALUE), VALUES,
                       [C_BRACKET_CLOSE] = A_CLOSE},
    [S_FIRST_VALUE_MARK] = {SPACES(S_FIRST_VALUE_MARK), VALUES_MARK,
                            [C_BRACKET_CLOSE] = A_CLOSE},
    [S_KEY] = {SPACES(S_KEY), [C_QUOTE] = A_KEY},
    [S_KEY_MARK] = {SPACES(S_KEY_MARK), [C_QUOTE] = A_KEY_BEGIN},
    [S_FIRST_KEY] = {SPACES(S_FIRST_KEY), [C_QUOTE] = A_KEY,
                     [C_BRACE_CLOSE] = A_CLOSE},
    [S_FIRST_KEY_MARK] = {SPACES(S_FIRST_KEY_MARK), [C_QUOTE] = A_KEY_BEGIN,
                          [C_BRACE_CLOSE] = A_CLOSE},
    [S_COLON] = {SPACES(S_COLON), [C_COLON] = S_VALUE},
    [S_COLON_MARK] = {SPACES(S_COLON_MARK), [C_COLON] = S_VALUE_MARK},
    [S_AFTER_MEMBER] = {SPACES(S_AFTER_MEMBER), [C_COMMA] = A_COMMA,
                        [C_BRACE_CLOSE] = A_CLOSE},
    [S_AFTER_ELEMENT] = {SPACES(S_AFTER_ELEMENT), [C_COMMA] = A_COMMA,
                         [C_BRACKET_CLOSE] = A_CLOSE},
    [S_DONE] = {SPACES(S_DONE)},
    [S_STRING] = {[C_QUOTE] = A_STRING_END, [C_BACKSLASH] = S_ESCAPE,
                  [C_LEAD_2] = S_UTF8_1, [C_LEAD_E0] = S_UTF8_E0,
                  [C_LEAD_3] = S_UTF8_2, [C_LEAD_ED] = S_UTF8_ED,
                  [C_LEAD_F0] = S_UTF8_F0, [C_LEAD_4] = S_UTF8_3,
                  [C_LEAD_F4] = S_UTF8_F4},
    [S_ESCAPE] = {[C_QUOTE] = S_STRING, [C_BACKSLASH] = S_STRING,
                  [C_SLASH] = S_STRING, [C_LOW_B] = S_STRING,
                  [C_LOW_F] = S_STRING, [C_LOW_N] = S_STRING,
                  [C_LOW_R] = S_STRING, [C_LOW_T] = S_STRING,
                  [C_LOW_U] = S_HEX_4},
    [S_HEX_4] = {HEX_DIGITS(S_HEX_3)},
    [S_HEX_3] = {HEX_DIGITS(S_HEX_2)},
    [S_HEX_2] = {HEX_DIGITS(S_HEX_1)},
    [S_HEX_1] = {HEX_DIGITS(S_STRING)},
    [S_UTF8_1] = {NEXT_UTF8(S_STRING)},
    [S_UTF8_2] = {NEXT_UTF8(S_UTF8_1)},
    [S_UTF8_3] = {NEXT_UTF8(S_UTF8_2)},
    [S_UTF8_E0] = {[C_NEXT_A0] = S_UTF8_1},
    [S_UTF8_ED] = {[C_NEXT_80] = S_UTF8_1, [C_NEXT_90] = S_UTF8_1},
    [S_UTF8_F0] = {[C_NEXT_90] = S_UTF8_2, [C_NEXT_A0] = S_UTF8_2},
    [S_UTF8_F4] = {[C_NEXT_80] = S_UTF8_2},
    [S_T] = {[C_LOW_R] = S_TR},
    [S_TR] = {[C_LOW_U] = S_TRU},
    [S_TRU] = {[C_LOW_E] = A_WORD_END},
    [S_F] = {[C_LOW_A] = S_FA},
    [S_FA] = {[C_LOW_L] = S_FAL},
    [S_FAL] = {[C_LOW_S] = S_FALS},
    [S_FALS] = {[C_LOW_E] = A_WORD_END},
    [S_N] = {[C_LOW_U] = S_NU},
    [S_NU] = {[C_LOW_L] = S_NUL},
    [S_NUL] = {[C_LOW_L] = A_WORD_END},
    [S_MINUS] = {[C_ZERO] = S_ZERO, [C_DIGIT] = S_INTEGER},
    [S_POINT] = {DIGITS(S_FRACTION)},
    [S_EXPONENT] = {DIGITS(S_EXPONENT_DIGIT), [C_MINUS] = S_EXPONENT_SIGN,
                    [C_PLUS] = S_EXPONENT_SIGN},
    [S_EXPONENT_SIGN] = {DIGITS(S_EXPONENT_DIGIT)},
    [S_ZERO] = {NUMBER_ENDS, [C_POINT] = S_POINT, EXPONENT},
    [S_INTEGER] = {NUMBER_ENDS, DIGITS(S_INTEGER), [C_POINT] = S_POINT,
                   EXPONENT},
    [S_FRACTION] = {NUMBER_ENDS, DIGITS(S_FRACTION), EXPONENT},
    [S_EXPONENT_DIGIT] = {NUMBER_ENDS, DIGITS(S_EXPONENT_DIGIT)},
};

/* Why a byte is bad in a state: the class unless judge() knows better. */
struct verdict {
    enum t2t_status status;
    const char *reason;
};

#define V_VALUE {T2T_ERR_JSON_SYNTAX, "a value must come here"}
#define V_FIRST_VALUE {T2T_ERR_JSON_SYNTAX, \
    "a value or the end of the array must come here"}
#define V_KEY {T2T_ERR_JSON_SYNTAX, "a key in quotes must come here"}
#define V_FIRST_KEY {T2T_ERR_JSON_SYNTAX, \
    "a key in quotes or the end of the object must come here"}
#define V_COLON {T2T_ERR_JSON_SYNTAX, "a colon must come here"}
#define V_WORD {T2T_ERR_JSON_SYNTAX, \
    "the only words are true, false and null"}
#define V_UTF8 {T2T_ERR_UTF8, "this is not UTF-8"}
#define V_HEX {T2T_ERR_JSON_ESCAPE, "four hex digits must follow \\u"}
#define V_NUMBER {T2T_ERR_JSON_NUMBER, "this is not a JSON number"}

static const struct verdict verdicts[S_COUNT] = {
    [S_VALUE] = V_VALUE,
    [S_VALUE_MARK] = V_VALUE,
    [S_FIRST_VALUE] = V_FIRST_VALUE,
    [S_FIRST_VALUE_MARK] = V_FIRST_VALUE,
    [S_KEY] = V_KEY,
    [S_KEY_MARK] = V_KEY,
    [S_FIRST_KEY] = V_FIRST_KEY,
    [S_FIRST_KEY_MARK] = V_FIRST_KEY,
    [S_COLON] = V_COLON,
    [S_COLON_MARK] = V_COLON,
    [S_AFTER_MEMBER] = {T2T_ERR_JSON_SYNTAX,
        "a comma or the end of the object must come here"},
    [S_AFTER_ELEMENT] = {T2T_ERR_JSON_SYNTAX,
        "a comma or the end of the array must come here"},
    [S_DONE] = {T2T_ERR_EXTRA_DATA, "more text follows the document"},
    [S_STRING] = V_UTF8,
    [S_ESCAPE] = {T2T_ERR_JSON_ESCAPE, "this is not a JSON escape"},
    [S_HEX_4] = V_HEX, [S_HEX_3] = V_HEX,
    [S_HEX_2] = V_HEX, [S_HEX_1] = V_HEX,
    [S_UTF8_1] = V_UTF8, [S_UTF8_2] = V_UTF8, [S_UTF8_3] = V_UTF8,
    [S_UTF8_E0] = V_UTF8, [S_UTF8_ED] = V_UTF8,
    [S_UTF8_F0] = V_UTF8, [S_UTF8_F4] = V_UTF8,
    [S_T] = V_WORD, [S_TR] = V_WORD, [S_TRU] = V_WORD,
    [S_F] = V_WORD, [S_FA] = V_WORD, [S_FAL] = V_WORD, [S_FALS] = V_WORD,
    [S_N] = V_WORD, [S_NU] = V_WORD, [S_NUL] = V_WORD,
    [S_MINUS] = V_NUMBER, [S_POINT] = V_NUMBER,
    [S_EXPONENT] = V_NUMBER, [S_EXPONENT_SIGN] = V_NUMBER,
    [S_ZERO] = V_NUMBER, [S_INTEGER] = V_NUMBER,
    [S_FRACTION] = V_NUMBER, [S_EXPONENT_DIGIT] = V_NUMBER,
};
/* clang-format on */

static enum tt_scan_mark bad(struct tt_scan *s, enum t2t_status status,
                             const char *reason)
{
    s->before = s->state;
    s->state = S_BAD;
    s->status = status;
    s->reason = reason;
    return TT_SCAN_BAD;
}

static bool begins_a_value(unsigned state)
{
    return state >= S_VALUE && state <= S_FIRST_VALUE_MARK;
}

/* Words that some writers put where a number should be: NaN, inf, +1, .5. */
static bool looks_like_a_number(unsigned state, unsigned char byte)
{
    if (state == S_N)
        return byte == 'a';
    return begins_a_value(state) && byte && strchr("NIi+.", byte);
}

/* Says what is wrong with `byte`, which the grammar does not have here. */
static enum tt_scan_mark judge(struct tt_scan *s, unsigned char byte)
{
    const struct verdict *v = &verdicts[s->state];
    uint8_t class = class_of[byte];

    if (s->state == S_BAD)
        return TT_SCAN_BAD;
    if (looks_like_a_number(s->state, byte))
        return bad(s, T2T_ERR_JSON_NUMBER, verdicts[S_ZERO].reason);
    if (s->state == S_STRING && byte < 0x20)
        return bad(s, T2T_ERR_JSON_CONTROL_CHAR,
                   "a control character in a string must be escaped");
    if (v->status == T2T_ERR_JSON_SYNTAX &&
        (class == C_NEVER || (class >= C_NEXT_80 && class <= C_NEXT_A0)))
        return bad(s, T2T_ERR_UTF8, verdicts[S_UTF8_1].reason);
    return bad(s, v->status, v->reason);
}

/* The word that holds the bit of a level; level 0 is the outermost. */
static uint64_t *level_word(struct tt_scan *s, uint32_t level)
{
    return level < 64 ? &s->low : &s->bits[level / 64 - 1];
}

static bool in_object(struct tt_scan *s)
{
    uint32_t level = s->depth - 1;

    return *level_word(s, level) >> (level % 64) & 1;
}

/* Room for one more level: at most TT_SCAN_MAX_DEPTH bits in all. */
static bool reserve_level(struct tt_scan *s)
{
    size_t words = s->words ? 2 * s->words : 8;
    uint64_t *bits;

    if (s->depth / 64 <= s->words)
        return true;
    bits = realloc(s->bits, words * sizeof(*bits));
    if (!bits)
        return false;
    s->bits = bits;
    s->words = words;
    return true;
}

static enum tt_scan_mark open_container(struct tt_scan *s, bool object)
{
    uint64_t bit = UINT64_C(1) << (s->depth % 64);
    uint64_t *word;

    if (s->depth == TT_SCAN_MAX_DEPTH)
        return bad(s, T2T_ERR_LIMIT, "the nesting is too deep");
    if (!reserve_level(s))
        return bad(s, T2T_ERR_NO_MEMORY, "out of memory");
    word = level_word(s, s->depth);
    *word = object ? *word | bit : *word & ~bit;
    s->depth++;
    s->state = object ? S_FIRST_KEY : S_FIRST_VALUE;
    if (s->depth == s->watch)
        s->state = object ? S_FIRST_KEY_MARK : S_FIRST_VALUE_MARK;
    return TT_SCAN_MORE;
}

static enum tt_scan_mark end_value(struct tt_scan *s)
{
    if (!s->depth)
        s->state = S_DONE;
    else
        s->state = in_object(s) ? S_AFTER_MEMBER : S_AFTER_ELEMENT;
    return s->depth == s->watch ? TT_SCAN_VALUE_END : TT_SCAN_MORE;
}

static enum tt_scan_mark close_container(struct tt_scan *s)
{
    bool watched = s->depth == s->watch;
    enum tt_scan_mark mark;

    s->depth--;
    mark = end_value(s);
    return watched ? TT_SCAN_CLOSE : mark;
}

static enum tt_scan_mark end_string(struct tt_scan *s)
{
    bool watched = s->depth == s->watch;

    if (!s->key)
        return end_value(s);
    s->state = watched ? S_COLON_MARK : S_COLON;
    return watched ? TT_SCAN_KEY_END : TT_SCAN_MORE;
}

static enum tt_scan_mark begin_string(struct tt_scan *s, bool key)
{
    s->key = key;
    s->state = S_STRING;
    return TT_SCAN_MORE;
}

static enum tt_scan_mark take_comma(struct tt_scan *s)
{
    bool watched = s->depth == s->watch;

    if (s->state == S_AFTER_MEMBER)
        s->state = watched ? S_KEY_MARK : S_KEY;
    else
        s->state = watched ? S_VALUE_MARK : S_VALUE;
    return TT_SCAN_MORE;
}

/* Counts a value; false: it is one too many. */
static bool count_value(struct tt_scan *s)
{
    if (!s->bounded)
        return true;
    if (s->values == TT_SCAN_MAX_VALUES) {
        (void)bad(s, T2T_ERR_LIMIT, TT_SCAN_TOO_MANY_VALUES);
        return false;
    }
    s->values++;
    return true;
}

/* Does what `action` says; MORE when there is nothing to report. */
static enum tt_scan_mark act(struct tt_scan *s, uint8_t action,
                             unsigned char byte)
{
    if (action >= A_NUMBER_END && action <= A_WORD_END && !count_value(s))
        return TT_SCAN_BAD;
    switch (action) {
    case A_VALUE_BEGIN:
        s->values = 0;
        s->state = S_VALUE;
        return TT_SCAN_VALUE_BEGIN;
    case A_KEY_BEGIN:
        s->state = S_KEY;
        return TT_SCAN_KEY_BEGIN;
    case A_NUMBER_END:
    case A_WORD_END:
        return end_value(s);
    case A_OPEN_OBJECT:
    case A_OPEN_ARRAY:
        return open_container(s, action == A_OPEN_OBJECT);
    case A_KEY:
    case A_STRING:
        return begin_string(s, action == A_KEY);
    case A_STRING_END:
        return end_string(s);
    case A_COMMA:
        return take_comma(s);
    case A_CLOSE:
        return close_container(s);
    default:
        return judge(s, byte);
    }
}

/*
 * The top bit of the first special byte of `word` and of none before it:
 * quote, backslash, control character, not ASCII; 0 if there is none.  Bits
 * behind it mean nothing: a borrow may have come from it.
 */
static uint64_t special_bytes(uint64_t word)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    const uint64_t tops = UINT64_C(0x8080808080808080);
    uint64_t quote = word ^ ones * '"';
    uint64_t backslash = word ^ ones * '\\';

    return ((word - ones * 0x20) | (quote - ones) | (backslash - ones) | word) &
           tops;
}

/* The first byte of a string at or behind `p` that the grammar must see. */
static const unsigned char *skip_text(const unsigned char *p,
                                      const unsigned char *end)
{
    uint64_t word;
    uint64_t special;

    for (; end - p >= 8; p += 8) {
        memcpy(&word, p, 8); /* little-endian: configure sees to it */
        special = special_bytes(word);
        if (special)
            return p + __builtin_ctzll(special) / 8;
    }
    while (p < end && *p >= 0x20 && *p < 0x80 && *p != '"' && *p != '\\')
        p++;
    return p;
}

/*
 * Follows the grammar from state to state, up to a byte that asks for an
 * action; that one is in `action` and not consumed.  True: there is one; false:
 * all bytes are consumed.
 */
static bool walk(struct tt_scan *s, const unsigned char **at,
                 const unsigned char *end, uint8_t *action)
{
    const unsigned char *p = *at;
    unsigned state = s->state;
    unsigned next = state;

    while (p < end) {
        if (state == S_STRING) {
            p = skip_text(p, end);
            if (p == end)
                break;
        }
        next = grammar[state][class_of[*p]];
        if (next == S_BAD || next >= S_COUNT)
            break;
        state = next;
        p++;
        while (state < S_STRING && p < end && *p == ' ')
            p++;
    }
    s->state = state;
    *action = (uint8_t)next;
    *at = p;
    return p < end;
}

void tt_scan_init(struct tt_scan *s, uint32_t watch)
{
    *s = (struct tt_scan){.watch = watch, .reason = "nothing is wrong"};
    s->state = watch ? S_VALUE : S_VALUE_MARK;
}

void tt_scan_init_array(struct tt_scan *s, bool element)
{
    tt_scan_init(s, 1);
    s->depth = 1;
    s->bounded = true;
    s->state = element ? S_VALUE_MARK : S_FIRST_VALUE_MARK;
}

void tt_scan_release(struct tt_scan *s)
{
    free(s->bits);
    s->bits = NULL;
    s->words = 0;
}

enum tt_scan_mark tt_scan_feed(struct tt_scan *s, const unsigned char *ptr,
                               size_t len, size_t *used)
{
    const unsigned char *p = ptr;
    const unsigned char *end = ptr + len;
    enum tt_scan_mark mark = s->pending;
    uint8_t action;

    s->pending = TT_SCAN_MORE;
    while (!mark && walk(s, &p, end, &action)) {
        mark = act(s, action, *p);
        if (action >= A_OPEN_OBJECT && mark != TT_SCAN_BAD)
            p++;
    }
    *used = (size_t)(p - ptr);
    return mark;
}

void tt_scan_leave_array(struct tt_scan *s)
{
    assert(s->depth && !in_object(s));
    assert(begins_a_value(s->state) || s->state == S_AFTER_ELEMENT);
    s->pending = close_container(s);
}

bool tt_scan_finish(struct tt_scan *s)
{
    if (!s->depth && s->state >= S_ZERO)
        (void)end_value(s);
    return s->state == S_DONE;
}

const char *tt_scan_reason(const struct tt_scan *s)
{
    return s->reason;
}
