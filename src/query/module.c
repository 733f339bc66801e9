/* module.c - finds the subtrees that belong to a module. */
#include "query/module.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/status.h"
#include "base/vec.h"
#include "query/modpath.h"

/* A module frame that is open. */
struct frame {
    t2t_id end;     /* behind its subtree */
    uint64_t state; /* bit i: the first i + 1 parts of the path end here */
};

struct marking {
    const t2t_index *index;
    struct tt_modpath path;
    uint64_t *parts; /* by string: bit i for part i, owned */
    uint8_t *known;  /* by string: whether `parts` says so yet, owned */
    struct frame *open;
    size_t open_count;
    size_t open_cap;
    t2t_id until;     /* behind the frames of the module so far */
    uint8_t *begins;  /* owned */
    bool has_forward; /* whether there are links */
};

/* The parts of the path that a frame of this name can be. */
static uint64_t parts_of(struct marking *m, uint32_t string)
{
    struct t2t_text name = t2t_index_string(m->index, string);

    if (m->known[string])
        return m->parts[string];
    for (size_t i = 0; i < m->path.count; i++)
        if (tt_modpath_is(&m->path, i, name))
            m->parts[string] |= (uint64_t)1 << i;
    m->known[string] = 1;
    return m->parts[string];
}

static void mark(struct marking *m, t2t_id id)
{
    m->begins[id / 8] |= (uint8_t)(1u << id % 8);
}

/* Opens the module frame `e`; marks it when the path ends there. */
static enum t2t_status open_frame(struct marking *m,
                                  const struct t2t_element *e)
{
    struct frame frame = {.end = e->id + e->size};

    if (m->open_count)
        frame.state = m->open[m->open_count - 1].state << 1;
    frame.state = (frame.state | 1) & parts_of(m, e->name);
    if (!tt_vec_room(&m->open, &m->open_cap, m->open_count, sizeof(*m->open)))
        return T2T_ERR_NO_MEMORY;
    m->open[m->open_count++] = frame;
    if (frame.state >> (m->path.count - 1) & 1) {
        mark(m, e->id);
        if (frame.end > m->until)
            m->until = frame.end;
    }
    return T2T_OK;
}

/* Marks the backward events of an operation below the module. */
static void mark_backward(struct marking *m, t2t_id id)
{
    t2t_id backward;
    uint32_t n = 0;

    while ((backward = t2t_index_backward(m->index, id, n++)) != T2T_NO_ID)
        mark(m, backward);
}

static enum t2t_status mark_nodes(struct marking *m, uint32_t nodes,
                                  struct t2t_error *err)
{
    for (t2t_id id = 0; id < nodes; id++) {
        struct t2t_element e;

        if (t2t_index_element(m->index, id, &e))
            return tt_error(err, T2T_ERR_INDEX_DAMAGE, TT_NO_OFFSET,
                            "element %" PRIu32 " holds an impossible value",
                            id);
        while (m->open_count && m->open[m->open_count - 1].end <= id)
            m->open_count--;
        if (e.layer == T2T_LAYER_PYTHON && e.name != T2T_NO_ID &&
            t2t_index_is_module(m->index, id) && open_frame(m, &e))
            return tt_no_memory(err);
        if (id < m->until && m->has_forward)
            mark_backward(m, id);
    }
    return T2T_OK;
}

enum t2t_status tt_module_begins(const t2t_index *index, const char *module,
                                 uint8_t **begins, struct t2t_error *err)
{
    struct marking m = {.index = index};
    struct t2t_index_info info;
    enum t2t_status st = tt_modpath_read(&m.path, module, err);

    if (st) {
        tt_modpath_release(&m.path);
        return st;
    }
    t2t_index_info(index, &info);
    m.has_forward = info.forward_count != 0;
    m.parts = calloc((size_t)info.string_count + 1, sizeof(*m.parts));
    m.known = calloc((size_t)info.string_count + 1, 1);
    m.begins = calloc((size_t)info.node_count / 8 + 1, 1);
    if (!m.parts || !m.known || !m.begins)
        st = tt_no_memory(err);
    else
        st = mark_nodes(&m, info.node_count, err);
    free(m.parts);
    free(m.known);
    free(m.open);
    tt_modpath_release(&m.path);
    if (st)
        free(m.begins);
    else
        *begins = m.begins;
    return st;
}
