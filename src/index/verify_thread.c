/* verify_thread.c - what elements of one thread say together: pairs of B and E,
 * and names. */
#include "index/verify.h"

#include <stdlib.h>

#include <xxhash.h>

#include "base/status.h"
#include "base/vec.h"

#define NONE UINT32_MAX

/* A name, by what it hashes to. */
struct tag {
    uint64_t hash;
    bool is_set;
};

struct thread {
    struct tag name;
    int64_t last_ns; /* the end of the last X, B or E, if has_last */
    bool has_last;
    uint32_t open; /* the innermost B without an E, in `begin`, or NONE */
};

/* A B. */
struct begin {
    t2t_id id;
    int64_t start_ns;
    uint64_t dur_ns;
    uint32_t below; /* the B around it, or NONE */
};

struct tt_threads {
    const t2t_index *index;
    uint32_t *process_of;  /* by lane, owned */
    uint32_t *thread_of;   /* by lane, owned */
    struct tag *process;   /* owned */
    struct thread *thread; /* owned */
    uint32_t threads;
    struct begin *begin; /* owned */
    size_t begins;
    size_t cap;
};

/* A lane, to be sorted by pid and tid. */
struct place {
    struct t2t_lane_id pid;
    struct t2t_lane_id tid;
    uint32_t lane;
};

static int compare_places(const void *left, const void *right)
{
    const struct place *a = left;
    const struct place *b = right;
    int order = tt_verify_order(&a->pid, &b->pid);

    if (!order)
        order = tt_verify_order(&a->tid, &b->tid);
    return order ? order : (a->lane > b->lane) - (a->lane < b->lane);
}

/* Gives equal pids and equal threads of all sides one number. */
static void number(struct tt_threads *t, struct place *place)
{
    uint32_t lanes = t->index->lane_count;
    uint32_t processes = 0;

    for (uint32_t i = 0; i < lanes; i++) {
        struct t2t_lane lane;

        (void)t2t_index_lane(t->index, i, &lane);
        place[i] = (struct place){lane.pid, lane.tid, i};
    }
    if (lanes)
        qsort(place, lanes, sizeof(*place), compare_places);
    for (uint32_t i = 0; i < lanes; i++) {
        bool process =
            !i || !t2t_lane_id_equal(&place[i].pid, &place[i - 1].pid);

        processes += process;
        t->threads +=
            process || !t2t_lane_id_equal(&place[i].tid, &place[i - 1].tid);
        t->process_of[place[i].lane] = processes - 1;
        t->thread_of[place[i].lane] = t->threads - 1;
    }
}

enum t2t_status tt_threads_create(struct tt_threads **out,
                                  const t2t_index *index, struct t2t_error *err)
{
    size_t lanes = (size_t)index->lane_count + 1;
    struct place *place = calloc(lanes, sizeof(*place));
    struct tt_threads *t = calloc(1, sizeof(*t));

    if (t) {
        t->index = index;
        t->process_of = calloc(lanes, sizeof(*t->process_of));
        t->thread_of = calloc(lanes, sizeof(*t->thread_of));
        t->process = calloc(lanes, sizeof(*t->process));
        t->thread = calloc(lanes, sizeof(*t->thread));
    }
    if (!place || !t || !t->process_of || !t->thread_of || !t->process ||
        !t->thread) {
        free(place);
        tt_threads_free(t);
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    }
    number(t, place);
    free(place);
    for (uint32_t i = 0; i < t->threads; i++)
        t->thread[i].open = NONE;
    *out = t;
    return T2T_OK;
}

void tt_threads_free(struct tt_threads *t)
{
    if (!t)
        return;
    free(t->process_of);
    free(t->thread_of);
    free(t->process);
    free(t->thread);
    free(t->begin);
    free(t);
}

static struct tag tag_of(struct t2t_text text)
{
    return (struct tag){text.ptr ? XXH3_64bits(text.ptr, text.len) : 0,
                        text.ptr != NULL};
}

/* Takes in metadata. */
static enum t2t_status take_name(struct tt_threads *t, t2t_cursor *cursor,
                                 const struct t2t_element *e,
                                 struct t2t_error *err)
{
    struct t2t_text name = t2t_index_string(t->index, e->name);
    bool process = t2t_text_equal(name, t2t_text_of("process_name"));
    struct t2t_text text;
    enum t2t_status st;

    if (!process && !t2t_text_equal(name, t2t_text_of("thread_name")))
        return T2T_OK;
    st = t2t_cursor_string(cursor, e->id, "name", &text, err);
    if (st)
        return st < 0 && st != T2T_ERR_LIMIT ? st : T2T_OK;
    if (process)
        t->process[t->process_of[e->lane]] = tag_of(text);
    else
        t->thread[t->thread_of[e->lane]].name = tag_of(text);
    return T2T_OK;
}

/* Whether the duration of a B is that up to its end. */
static enum t2t_status check_pair(const struct tt_threads *t,
                                  const struct begin *b, int64_t end_ns,
                                  struct t2t_error *err)
{
    uint64_t dur_ns =
        end_ns > b->start_ns ? (uint64_t)end_ns - (uint64_t)b->start_ns : 0;

    if (b->dur_ns == dur_ns)
        return T2T_OK;
    return tt_damage_at(t->index, TT_SECTION_DURATION, b->id,
                        "an element has another time", err);
}

static enum t2t_status take_timed(struct tt_threads *t, struct thread *thread,
                                  const struct t2t_element *e,
                                  struct t2t_error *err)
{
    int64_t end_ns = e->phase == 'X' ? tt_verify_end(e) : e->start_ns;
    const struct begin *b;

    if (!thread->has_last || end_ns > thread->last_ns)
        thread->last_ns = end_ns;
    thread->has_last = true;
    if (e->phase == 'B') {
        if (t->begins >= NONE ||
            !tt_vec_room(&t->begin, &t->cap, t->begins, sizeof(*t->begin)))
            return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET,
                            "out of memory");
        t->begin[t->begins] =
            (struct begin){e->id, e->start_ns, e->dur_ns, thread->open};
        thread->open = (uint32_t)t->begins++;
    }
    if (e->phase != 'E' || thread->open == NONE)
        return T2T_OK;
    b = &t->begin[thread->open];
    thread->open = b->below;
    return check_pair(t, b, e->start_ns, err);
}

enum t2t_status tt_threads_take(struct tt_threads *t, t2t_cursor *cursor,
                                const struct t2t_element *e,
                                struct t2t_error *err)
{
    if (e->lane == T2T_NO_ID)
        return T2T_OK;
    if (e->phase == 'M')
        return take_name(t, cursor, e, err);
    if (!e->has_start ||
        (e->phase != 'X' && e->phase != 'B' && e->phase != 'E'))
        return T2T_OK;
    return take_timed(t, &t->thread[t->thread_of[e->lane]], e, err);
}

static bool has_tag(struct t2t_text text, struct tag tag)
{
    struct tag own = tag_of(text);

    return own.is_set == tag.is_set && own.hash == tag.hash;
}

enum t2t_status tt_threads_finish(struct tt_threads *t, struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;

    for (uint32_t i = 0; i < t->threads; i++)
        for (uint32_t at = t->thread[i].open; !st && at != NONE;
             at = t->begin[at].below)
            st = check_pair(t, &t->begin[at], t->thread[i].last_ns, err);
    for (uint32_t i = 0; !st && i < t->index->lane_count; i++) {
        struct t2t_lane lane;

        (void)t2t_index_lane(t->index, i, &lane);
        if (!has_tag(lane.process_name, t->process[t->process_of[i]]) ||
            !has_tag(lane.thread_name, t->thread[t->thread_of[i]].name))
            st = tt_damage_at(t->index, TT_SECTION_LANES, i,
                              "a lane has other names", err);
    }
    return st;
}
