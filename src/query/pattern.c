/* pattern.c - matches names, with limits. */
#include "query/pattern.h"

#include <string.h>

#include "base/status.h"

#define PATTERN_BYTES 4096u /* of a regular expression */
#define NEST_MAX 100u       /* parentheses in parentheses */

/* Of one name. */
#define MATCH_MAX 10000000u  /* from one place of it */
#define DEPTH_MAX 1000000u   /* choices that are open */
#define HEAP_MAX (64u << 10) /* KiB to remember them */

/* A search has STEPS, and STEPS_A_NAME more for each name. */
#define STEPS ((uint64_t)1 << 26)
#define STEPS_A_NAME 4096u

/* So much of an expression may stand in one class, or so much of a name may
 * be compared, for the price of one step. */
#define BYTES_A_STEP 64u

/* What the matcher answers when there are no steps left; none of its own. */
#define OUT_OF_STEPS (-1000)

struct count {
    struct tt_pattern *p;
    size_t at; /* where the last step was */
};

/* Appends `text` in lower case, for ASCII letters. */
static void add_folded(struct tt_buffer *to, const char *text, size_t len)
{
    char *c;

    if (!tt_buffer_reserve(to, len + 1))
        return;
    c = to->ptr + to->len;
    for (size_t i = 0; i < len; i++)
        c[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] - 'A' + 'a')
                                                : text[i];
    to->len += len;
}

/* Pays for a step and the bytes it went over. */
static bool pay(struct tt_pattern *p, uint64_t steps)
{
    uint64_t price = steps * p->price;

    if (price > p->steps) {
        p->steps = 0;
        return false;
    }
    p->steps -= price;
    return true;
}

/* Called before each item of the expression is tried. */
static int step(pcre2_callout_block *block, void *user)
{
    struct count *count = user;
    size_t at = block->current_position;
    uint64_t steps = 1;

    if (at > count->at)
        steps += at - count->at;
    if (count->p->refers)
        steps += block->subject_length / BYTES_A_STEP;
    count->at = at;
    return pay(count->p, steps) ? 0 : OUT_OF_STEPS;
}

/* Compiles `regex`; NULL and the reason in `*failed` when that fails. */
static pcre2_code *compile(const char *regex, bool ignore_case, int *failed)
{
    uint32_t flags = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF |
                     PCRE2_NEVER_BACKSLASH_C | PCRE2_AUTO_CALLOUT;
    pcre2_compile_context *limits = pcre2_compile_context_create(NULL);
    pcre2_code *code;
    PCRE2_SIZE at;

    *failed = PCRE2_ERROR_NOMEMORY;
    if (!limits)
        return NULL;
    (void)pcre2_set_parens_nest_limit(limits, NEST_MAX);
    if (ignore_case)
        flags |= PCRE2_CASELESS;
    code = pcre2_compile((PCRE2_SPTR)regex, PCRE2_ZERO_TERMINATED, flags,
                         failed, &at, limits);
    pcre2_compile_context_free(limits);
    return code;
}

static enum t2t_status init_regex(struct tt_pattern *p, const char *regex,
                                  bool ignore_case, struct t2t_error *err)
{
    unsigned char reason[128];
    uint32_t references = 0;
    size_t bytes = strlen(regex);
    int failed;

    if (bytes > PATTERN_BYTES)
        return tt_error(err, T2T_ERR_USAGE, TT_NO_OFFSET,
                        "a regular expression of more than %u bytes",
                        PATTERN_BYTES);
    p->code = compile(regex, ignore_case, &failed);
    if (!p->code &&
        (failed == PCRE2_ERROR_NOMEMORY || failed == PCRE2_ERROR_HEAP_FAILED))
        return tt_no_memory(err);
    if (!p->code) {
        (void)pcre2_get_error_message(failed, reason, sizeof(reason));
        return tt_error(err, T2T_ERR_USAGE, TT_NO_OFFSET,
                        "no regular expression: %s", (char *)reason);
    }
    (void)pcre2_pattern_info(p->code, PCRE2_INFO_BACKREFMAX, &references);
    p->refers = references > 0;
    p->price = 1 + (uint32_t)bytes / BYTES_A_STEP;
    p->steps = STEPS;
    p->data = pcre2_match_data_create(1, NULL);
    p->limits = pcre2_match_context_create(NULL);
    if (!p->data || !p->limits)
        return tt_no_memory(err);
    (void)pcre2_set_match_limit(p->limits, MATCH_MAX);
    (void)pcre2_set_depth_limit(p->limits, DEPTH_MAX);
    (void)pcre2_set_heap_limit(p->limits, HEAP_MAX);
    return T2T_OK;
}

enum t2t_status tt_pattern_init(struct tt_pattern *p,
                                const struct t2t_filter *filter,
                                struct t2t_error *err)
{
    *p = (struct tt_pattern){.folds = filter->ignore_case};
    if (filter->name && *filter->name) {
        p->part = filter->name;
        p->part_len = strlen(p->part);
    }
    if (p->part && p->folds) {
        add_folded(&p->folded, p->part, p->part_len);
        if (p->folded.failed)
            return tt_no_memory(err);
        p->part = p->folded.ptr;
    }
    if (!filter->regex || !*filter->regex)
        return T2T_OK;
    return init_regex(p, filter->regex, filter->ignore_case, err);
}

void tt_pattern_release(struct tt_pattern *p)
{
    tt_buffer_release(&p->folded);
    tt_buffer_release(&p->text);
    pcre2_code_free(p->code);
    pcre2_match_data_free(p->data);
    pcre2_match_context_free(p->limits);
    *p = (struct tt_pattern){.part = NULL};
}

bool tt_pattern_is_any(const struct tt_pattern *p)
{
    return !p->part && !p->code;
}

static enum t2t_status match_part(struct tt_pattern *p, struct t2t_text name,
                                  bool *matches, struct t2t_error *err)
{
    *matches = name.len >= p->part_len;
    if (!*matches)
        return T2T_OK;
    if (p->folds) {
        tt_buffer_clear(&p->text);
        add_folded(&p->text, name.ptr, name.len);
        if (p->text.failed)
            return tt_no_memory(err);
        name.ptr = p->text.ptr;
    }
    *matches = memmem(name.ptr, name.len, p->part, p->part_len) != NULL;
    return T2T_OK;
}

static enum t2t_status match_regex(struct tt_pattern *p, struct t2t_text name,
                                   bool *matches, struct t2t_error *err)
{
    struct count count = {.p = p};
    const char *subject = name.len ? name.ptr : "";
    int found = OUT_OF_STEPS;

    p->steps += STEPS_A_NAME;
    (void)pcre2_set_callout(p->limits, step, &count);
    if (pay(p, name.len / BYTES_A_STEP))
        found = pcre2_match(p->code, (PCRE2_SPTR)subject, name.len, 0, 0,
                            p->data, p->limits);
    *matches = found >= 0;
    if (found >= 0 || found == PCRE2_ERROR_NOMATCH)
        return T2T_OK;
    if (found == PCRE2_ERROR_NOMEMORY)
        return tt_no_memory(err);
    return tt_error(err, T2T_ERR_USAGE, TT_NO_OFFSET,
                    found == PCRE2_ERROR_HEAPLIMIT
                        ? "the pattern takes too much memory on a name"
                        : "the pattern takes too long on a name");
}

enum t2t_status tt_pattern_match(struct tt_pattern *p, struct t2t_text name,
                                 bool *matches, struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;

    *matches = true;
    if (p->part)
        st = match_part(p, name, matches, err);
    if (!st && *matches && p->code)
        st = match_regex(p, name, matches, err);
    return st;
}
