/* verify_said.c - what elements say against what their columns say. */
#include "index/verify.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/status.h"
#include "base/vec.h"
#include "model/category.h"
#include "json/scalar.h"
#include "json/scan.h"
#include "json/text.h"

/* Shapes of which it is remembered what they say; of those behind them each
 * element is read. */
#define SHAPES 65536u

enum member { NAME, CATEGORY, PHASE, PID, TID, START, DURATION, MEMBERS };

static const struct {
    const char *key;
    char hole; /* that its column fills, or 0 */
} known[MEMBERS] = {
    [NAME] = {"name", TT_HOLE_NAME},
    [CATEGORY] = {"cat", 0},
    [PHASE] = {"ph", 0},
    [PID] = {"pid", TT_HOLE_PID},
    [TID] = {"tid", TT_HOLE_TID},
    [START] = {"ts", TT_HOLE_START},
    [DURATION] = {"dur", TT_HOLE_DURATION},
};

/* The members of an element that have columns, as JSON; the last of duplicates,
 * ptr NULL where there is none. */
struct spans {
    struct t2t_text value[MEMBERS];
    bool object;
};

/* What all elements of a shape have in common. */
struct shape {
    struct spans spans; /* in the template; a hole is filled by its column */
    uint32_t *text;     /* owned: which values are texts */
    size_t texts;
    size_t text_cap;
    bool one_by_one; /* each element has to be read */
};

struct tt_said {
    const t2t_index *index;
    struct shape *shape; /* owned: of the first SHAPES */
    uint32_t shapes;
    uint8_t *is_json; /* owned: by string, whether it is known to be JSON */
    struct tt_buffer scratch;
};

enum t2t_status tt_said_create(struct tt_said **out, const t2t_index *index,
                               struct t2t_error *err)
{
    struct tt_said *s = calloc(1, sizeof(*s));

    if (s) {
        s->index = index;
        s->shapes = index->shapes.count < SHAPES ? index->shapes.count : SHAPES;
        s->shape = calloc((size_t)s->shapes + 1, sizeof(*s->shape));
        s->is_json = calloc((size_t)index->shapes.strings.count + 1, 1);
    }
    if (!s || !s->shape || !s->is_json) {
        tt_said_free(s);
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    }
    *out = s;
    return T2T_OK;
}

void tt_said_free(struct tt_said *s)
{
    if (!s)
        return;
    for (uint32_t i = 0; s->shape && i < s->shapes; i++)
        free(s->shape[i].text);
    free(s->shape);
    free(s->is_json);
    tt_buffer_release(&s->scratch);
    free(s);
}

/* ---- reading JSON -------------------------------------------------------- */

/* Which member a key is, the inside of a string; MEMBERS for any other. */
static enum member member_of(struct tt_said *s, struct t2t_text key)
{
    int m = 0;

    if (key.len && memchr(key.ptr, '\\', key.len)) {
        tt_buffer_clear(&s->scratch);
        tt_text_decode(key.ptr, key.len, &s->scratch);
        key = (struct t2t_text){s->scratch.ptr, s->scratch.len};
    }
    while (m < MEMBERS && !t2t_text_equal(key, t2t_text_of(known[m].key)))
        m++;
    return (enum member)m;
}

/* Notes the members of `text`, at one mark after the other. */
static enum tt_scan_mark go_through(struct tt_said *s, struct tt_scan *scan,
                                    struct t2t_text text, struct spans *out)
{
    enum member m = MEMBERS;
    enum tt_scan_mark mark;
    size_t begin = 0;
    size_t at = 0;

    do {
        size_t used;

        mark = tt_scan_feed(scan, (const unsigned char *)text.ptr + at,
                            text.len - at, &used);
        at += used;
        if (mark == TT_SCAN_KEY_END)
            m = member_of(s, (struct t2t_text){text.ptr + begin + 1,
                                               at - begin - 2});
        else if (mark == TT_SCAN_VALUE_END && out->object && m < MEMBERS)
            out->value[m] = (struct t2t_text){text.ptr + begin, at - begin};
        else
            begin = at;
    } while (mark != TT_SCAN_MORE && mark != TT_SCAN_BAD);
    return mark;
}

/* Finds the members of an element; T2T_ERR_INDEX_DAMAGE when it is no JSON. */
static enum t2t_status find_members(struct tt_said *s, struct t2t_text text,
                                    struct spans *out)
{
    enum t2t_status st = T2T_OK;
    struct tt_scan scan;

    *out = (struct spans){.object = text.len && text.ptr[0] == '{'};
    tt_scan_init(&scan, out->object);
    if (go_through(s, &scan, text, out) == TT_SCAN_BAD)
        st = scan.status == T2T_ERR_NO_MEMORY ? T2T_ERR_NO_MEMORY
                                              : T2T_ERR_INDEX_DAMAGE;
    else if (!tt_scan_finish(&scan))
        st = T2T_ERR_INDEX_DAMAGE;
    tt_scan_release(&scan);
    return s->scratch.failed ? T2T_ERR_NO_MEMORY : st;
}

enum t2t_status tt_said_value(struct tt_said *s, struct t2t_text text)
{
    struct spans spans;

    return find_members(s, text, &spans);
}

/* ---- templates ----------------------------------------------------------- */

static bool is_hole(char byte)
{
    return byte > 0 && byte < TT_HOLE_END;
}

/* Whether all holes of a template stand where a value does: outside strings,
 * between brackets, commas and colons. */
static bool holes_fit(struct t2t_text shape)
{
    bool in_string = false;

    for (size_t i = 0; i < shape.len; i++) {
        char c = shape.ptr[i];

        if (in_string && c == '\\')
            i++;
        else if (c == '"')
            in_string = !in_string;
        else if (is_hole(c) &&
                 (in_string || (i && !strchr("[,:", shape.ptr[i - 1])) ||
                  (i + 1 < shape.len && !strchr("],}", shape.ptr[i + 1]))))
            return false;
    }
    return true;
}

/* Finds the members of a template, with its holes in it. */
static enum t2t_status find_in_shape(struct tt_said *s, struct t2t_text shape,
                                     struct spans *out)
{
    struct tt_buffer sample = {0};
    enum t2t_status st;

    if (!holes_fit(shape))
        return T2T_ERR_INDEX_DAMAGE;
    tt_buffer_add(&sample, shape.ptr, shape.len);
    for (size_t i = 0; i < sample.len; i++)
        if (is_hole(sample.ptr[i]))
            sample.ptr[i] = '0';
    st = sample.failed
             ? T2T_ERR_NO_MEMORY
             : find_members(s, (struct t2t_text){sample.ptr, sample.len}, out);
    for (int m = 0; !st && m < MEMBERS; m++)
        if (out->value[m].ptr)
            out->value[m].ptr = shape.ptr + (out->value[m].ptr - sample.ptr);
    tt_buffer_release(&sample);
    return st;
}

/* Whether the value of a member is the hole that its column fills. */
static bool by_column(const struct spans *spans, int m)
{
    return spans->value[m].len == 1 && known[m].hole &&
           spans->value[m].ptr[0] == known[m].hole;
}

/* Whether the value of a member is that, or has no hole at all. */
static bool is_told_by_shape(const struct spans *spans, int m)
{
    struct t2t_text v = spans->value[m];

    if (by_column(spans, m))
        return true;
    for (size_t i = 0; i < v.len; i++)
        if (is_hole(v.ptr[i]))
            return false;
    return true;
}

/* Notes which values of the slots are texts. */
static bool note_texts(struct shape *shape, struct t2t_text text)
{
    uint32_t value = 0;
    unsigned hole;
    size_t at = 0;

    while ((hole = tt_shape_hole(text, &at))) {
        if (hole == TT_HOLE_TEXT) {
            if (!tt_vec_room(&shape->text, &shape->text_cap, shape->texts,
                             sizeof(*shape->text)))
                return false;
            shape->text[shape->texts++] = value;
        }
        value += tt_hole_values(hole);
        at++;
    }
    return true;
}

enum t2t_status tt_said_shape(struct tt_said *s, uint32_t number,
                              struct t2t_text text)
{
    struct shape forgotten = {0};
    struct shape *shape = number < s->shapes ? &s->shape[number] : &forgotten;
    enum t2t_status st = find_in_shape(s, text, &shape->spans);

    if (st || number >= s->shapes)
        return st;
    shape->one_by_one = !shape->spans.object;
    for (int m = 0; m < MEMBERS; m++)
        shape->one_by_one |= !is_told_by_shape(&shape->spans, m);
    return note_texts(shape, text) ? T2T_OK : T2T_ERR_NO_MEMORY;
}

/* ---- values -------------------------------------------------------------- */

static bool is_string(struct t2t_text json)
{
    return json.len && json.ptr[0] == '"';
}

/* What a string says; it lasts until the next call. */
static struct t2t_text decoded(struct tt_said *s, struct t2t_text json)
{
    struct t2t_text inside = {json.ptr + 1, json.len - 2};

    if (!memchr(inside.ptr, '\\', inside.len))
        return inside;
    tt_buffer_clear(&s->scratch);
    tt_text_decode(inside.ptr, inside.len, &s->scratch);
    return (struct t2t_text){s->scratch.len ? s->scratch.ptr : "",
                             s->scratch.len};
}

/* Whether a member is the string `text`, or none where that is no text. */
static bool says_text(struct tt_said *s, struct t2t_text json,
                      struct t2t_text text)
{
    if (!is_string(json))
        return !text.ptr;
    return text.ptr && t2t_text_equal(decoded(s, json), text);
}

static unsigned char phase_of(struct tt_said *s, struct t2t_text json)
{
    struct t2t_text text;

    if (!is_string(json))
        return 0;
    text = decoded(s, json);
    return text.len == 1 && (unsigned char)text.ptr[0] < 0x80
               ? (unsigned char)text.ptr[0]
               : 0;
}

/* The number that a member is, or that its text is. */
static bool time_of(struct tt_said *s, struct t2t_text json,
                    struct tt_time *out)
{
    if (is_string(json))
        json = decoded(s, json);
    return json.ptr && tt_time_read(json.ptr, json.len, out);
}

/* The id that a member stands for.  model/lane.h */
static struct t2t_lane_id id_of(struct tt_said *s, struct t2t_text json)
{
    struct t2t_lane_id id = {.kind = T2T_ID_MISSING};
    bool negative;

    if (!json.ptr || json.ptr[0] == 'n')
        return id;
    if (is_string(json))
        json = decoded(s, json);
    if (tt_number_whole(json.ptr, json.len, &id.number, &negative)) {
        id.kind = negative || id.number <= INT64_MAX ? T2T_ID_INTEGER
                                                     : T2T_ID_UNSIGNED;
        return id;
    }
    id.kind = T2T_ID_TEXT;
    id.text = json;
    return id;
}

static bool says_id(struct tt_said *s, struct t2t_text json,
                    const struct t2t_lane_id *id)
{
    struct t2t_lane_id said;

    if (json.len && (json.ptr[0] == '[' || json.ptr[0] == '{')) {
        tt_buffer_clear(&s->scratch);
        tt_text_compact_id(json.ptr, json.len, &s->scratch);
        said = (struct t2t_lane_id){.kind = T2T_ID_TEXT};
        said.text = (struct t2t_text){s->scratch.ptr, s->scratch.len};
    } else {
        said = id_of(s, json);
    }
    return t2t_lane_id_equal(&said, id);
}

/* ---- elements ------------------------------------------------------------ */

static bool lane_fits(struct tt_said *s, const struct t2t_element *e,
                      const struct spans *spans, bool unknown_layer)
{
    struct t2t_lane lane;

    if (e->lane == T2T_NO_ID || t2t_index_lane(s->index, e->lane, &lane))
        return false;
    if (lane.side != tt_side_of(e->layer) && !unknown_layer)
        return false;
    return (by_column(spans, PID) ||
            says_id(s, spans->value[PID], &lane.pid)) &&
           (by_column(spans, TID) || says_id(s, spans->value[TID], &lane.tid));
}

/* Whether the start fits; notes whether there is one, the least, too. */
static bool start_fits(struct tt_said *s, struct t2t_element *e,
                       const struct spans *spans)
{
    int64_t start_ns = s->index->start[e->id];
    struct tt_time time = {0};

    if (by_column(spans, START))
        return true;
    e->has_start = time_of(s, spans->value[START], &time) &&
                   time.ns >= INT64_MIN && time.ns <= INT64_MAX;
    return start_ns == (e->has_start ? (int64_t)time.ns : TT_NO_TIME);
}

/* Whether the duration fits; that of a B is told by another element. */
static bool duration_fits(struct tt_said *s, const struct t2t_element *e,
                          const struct spans *spans)
{
    struct tt_time time = {0};
    __int128 dur_ns = 0;

    if (e->phase == 'B' && e->has_start)
        return true;
    if (e->phase != 'X' || !e->has_start)
        return !e->dur_ns;
    if (by_column(spans, DURATION))
        return e->dur_ns <= (uint64_t)INT64_MAX - (uint64_t)e->start_ns;
    if (time_of(s, spans->value[DURATION], &time) && time.ns > 0)
        dur_ns = time.ns;
    if (e->start_ns + dur_ns > INT64_MAX)
        dur_ns = (__int128)INT64_MAX - e->start_ns;
    return e->dur_ns == (uint64_t)dur_ns;
}

/* Whether an element that is no object has no properties. */
static bool is_bare(const t2t_index *index, const struct t2t_element *e)
{
    return e->name == T2T_NO_ID && e->lane == T2T_NO_ID && !e->phase &&
           index->start[e->id] == TT_NO_TIME && !e->dur_ns && !e->in_tree &&
           !t2t_index_category(index, e->category).ptr;
}

/* Whether it is a node just when it may be. */
static bool place_fits(const struct t2t_element *e, bool unknown_layer)
{
    bool may = (e->layer || unknown_layer) && e->has_start &&
               (e->phase == 'X' || e->phase == 'B');

    return may == e->in_tree;
}

/* The first property that a column has otherwise, in words, or NULL. */
static const char *what_differs(struct tt_said *s, struct t2t_element *e,
                                const struct spans *spans)
{
    const t2t_index *index = s->index;
    bool unknown_layer = e->in_tree && !e->layer; /* of a later version */

    if (!spans->object)
        return is_bare(index, e)
                   ? NULL
                   : "an element that is no object has properties";
    if (!by_column(spans, NAME) &&
        !says_text(s, spans->value[NAME], t2t_index_string(index, e->name)))
        return "an element has another name";
    if (!says_text(s, spans->value[CATEGORY],
                   t2t_index_category(index, e->category)))
        return "an element has another category";
    if (phase_of(s, spans->value[PHASE]) != (unsigned char)e->phase)
        return "an element has another phase";
    if (!lane_fits(s, e, spans, unknown_layer))
        return "an element has another lane";
    if (!start_fits(s, e, spans) || !duration_fits(s, e, spans))
        return "an element has another time";
    return place_fits(e, unknown_layer)
               ? NULL
               : "an element is in the tree, or is not";
}

/* Sees to it that text `string` of the slots is known to be JSON. */
static enum t2t_status check_text(struct tt_said *s, uint64_t string)
{
    struct t2t_text text;
    struct spans spans;
    enum t2t_status st;

    if (string >= s->index->shapes.strings.count)
        return T2T_ERR_INDEX_DAMAGE;
    if (s->is_json[string])
        return T2T_OK;
    (void)tt_string_at(&s->index->shapes.strings, (uint32_t)string, &text);
    st = find_members(s, text, &spans);
    s->is_json[string] = !st;
    return st;
}

enum t2t_status tt_said_check(struct tt_said *s, struct t2t_element *e,
                              uint32_t number, const uint64_t *value,
                              struct t2t_text json, const char **what)
{
    const struct shape *shape = number < s->shapes ? &s->shape[number] : NULL;
    struct spans spans;
    enum t2t_status st = T2T_OK;

    *what = "an element is no JSON";
    s->scratch.failed = false;
    if (!shape || shape->one_by_one)
        st = find_members(s, json, &spans);
    else
        for (size_t i = 0; !st && i < shape->texts; i++)
            st = check_text(s, value[shape->text[i]]);
    if (st)
        return st;
    *what = what_differs(s, e,
                         !shape || shape->one_by_one ? &spans : &shape->spans);
    if (s->scratch.failed)
        return T2T_ERR_NO_MEMORY;
    return *what ? T2T_ERR_INDEX_DAMAGE : T2T_OK;
}
