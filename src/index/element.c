/* element.c - answers about elements and lanes of an open index. */
#include "index/reader.h"

#include "base/status.h"
#include "model/anomaly.h"

#define MODULE_PREFIX "nn.Module:"

/* Finds the duration of an element that says to look in LONG_DURATIONS. */
static bool long_duration(const t2t_index *index, t2t_id id, uint64_t *dur_ns)
{
    uint64_t low = 0;
    uint64_t high = index->long_count;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (index->long_duration[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == index->long_count || index->long_duration[low].id != id)
        return false;
    *dur_ns = index->long_duration[low].dur_ns;
    return true;
}

/* Whether `id` has a name, lane and category that can be. */
static bool references_fit(const t2t_index *index, t2t_id id)
{
    uint32_t name = index->name[id];
    uint32_t lane = index->lane[id];

    return (name == TT_NONE || name < index->shapes.strings.count) &&
           (lane == TT_NONE || lane < index->lane_count) &&
           index->category[id] < index->category_count &&
           index->phase[id] < 128;
}

/* Fills what only nodes have; false when it cannot be. */
static bool node_at(const t2t_index *index, t2t_id id, struct t2t_element *out)
{
    uint32_t parent = index->parent[id];
    uint32_t size = index->size[id];

    if (parent != TT_NONE && parent >= id)
        return false;
    if (!size || size > index->header->node_count - id)
        return false;
    out->has_start = true; /* the least time there is, too */
    out->parent = parent;
    out->size = size;
    out->flags = index->flags[id] & TT_FLAGS_KNOWN;
    out->in_tree = true;
    return true;
}

enum t2t_status t2t_index_element(const t2t_index *index, t2t_id id,
                                  struct t2t_element *out)
{
    struct t2t_element e = {.id = id, .parent = T2T_NO_ID};

    if (id >= index->header->element_count)
        return T2T_NOT_FOUND;
    if (!references_fit(index, id))
        return T2T_ERR_INDEX_DAMAGE;
    e.name = index->name[id];
    e.lane = index->lane[id];
    e.category = index->category[id];
    e.layer = (enum t2t_layer)index->layers[e.category];
    e.phase = (char)index->phase[id];
    e.start_ns = index->start[id];
    e.has_start = e.start_ns != TT_NO_TIME;
    e.dur_ns = index->duration[id];
    if (e.dur_ns == TT_LONG_DURATION && !long_duration(index, id, &e.dur_ns))
        return T2T_ERR_INDEX_DAMAGE;
    if (id < index->header->node_count && !node_at(index, id, &e))
        return T2T_ERR_INDEX_DAMAGE;
    *out = e;
    return T2T_OK;
}

static bool lane_id_at(const t2t_index *index, uint8_t kind, uint64_t number,
                       struct t2t_lane_id *out)
{
    *out = (struct t2t_lane_id){.kind = (enum t2t_id_kind)kind};
    switch (kind) {
    case T2T_ID_MISSING:
        return true;
    case T2T_ID_INTEGER:
        out->number = number;
        return true;
    case T2T_ID_UNSIGNED:
        out->number = number;
        return number > INT64_MAX;
    case T2T_ID_TEXT:
        return number < TT_NONE && tt_string_at(&index->shapes.strings,
                                                (uint32_t)number, &out->text);
    default:
        return false;
    }
}

bool tt_index_lane_at(const t2t_index *index, uint32_t lane,
                      struct t2t_lane *out)
{
    const struct tt_lane_record *r = &index->lanes[lane];
    uint32_t nodes = index->header->node_count;

    *out = (struct t2t_lane){
        .side = (enum t2t_side)r->side,
        .process_name = t2t_index_string(index, r->process_name),
        .thread_name = t2t_index_string(index, r->thread_name),
        .first_node = r->first_node,
        .node_count = r->node_count,
        .element_count = r->element_count,
        .start_ns = r->start_ns,
        .end_ns = r->end_ns,
    };
    return r->side <= T2T_NO_SIDE && r->first_node <= nodes &&
           r->node_count <= nodes - r->first_node &&
           lane_id_at(index, r->pid_kind, r->pid, &out->pid) &&
           lane_id_at(index, r->tid_kind, r->tid, &out->tid);
}

enum t2t_status t2t_index_lane(const t2t_index *index, uint32_t lane,
                               struct t2t_lane *out)
{
    struct t2t_lane l;

    if (lane >= index->lane_count)
        return T2T_NOT_FOUND;
    if (!tt_index_lane_at(index, lane, &l))
        return T2T_ERR_INDEX_DAMAGE;
    *out = l;
    return T2T_OK;
}

uint32_t t2t_index_lane_of(const t2t_index *index, enum t2t_side side,
                           const struct t2t_lane_id *pid,
                           const struct t2t_lane_id *tid)
{
    for (uint32_t i = 0; i < index->lane_count; i++) {
        struct t2t_lane lane;

        if (tt_index_lane_at(index, i, &lane) && lane.side == side &&
            t2t_lane_id_equal(&lane.pid, pid) &&
            t2t_lane_id_equal(&lane.tid, tid))
            return i;
    }
    return T2T_NO_ID;
}

struct t2t_text t2t_index_name(const t2t_index *index, t2t_id id)
{
    if (id >= index->header->element_count)
        return (struct t2t_text){NULL, 0};
    return t2t_index_string(index, index->name[id]);
}

bool t2t_index_is_module(const t2t_index *index, t2t_id id)
{
    return id < index->header->element_count &&
           t2t_index_category_layer(index, index->category[id]) ==
               T2T_LAYER_PYTHON &&
           t2t_text_starts_with(t2t_index_name(index, id), MODULE_PREFIX);
}

enum t2t_status t2t_index_loss(const t2t_index *index, uint32_t n,
                               struct t2t_loss *out)
{
    const struct tt_loss_record *r;

    if (n >= index->loss_count)
        return T2T_NOT_FOUND;
    r = &index->losses[n];
    *out = (struct t2t_loss){
        .status = (enum t2t_status) - (int)(r->class < 256 ? r->class : 0),
        .damage_offset = r->damage,
        .offset = r->offset,
        .bytes = r->bytes,
        .position = r->position,
        .element_count = r->elements,
    };
    return T2T_OK;
}

enum t2t_status t2t_index_anomaly(const t2t_index *index, uint32_t n,
                                  struct t2t_anomaly *out)
{
    const struct tt_anomaly_record *r;

    if (n >= index->anomaly_count)
        return T2T_NOT_FOUND;
    r = &index->anomalies[n];
    *out = (struct t2t_anomaly){
        .name = tt_anomaly_name(r->kind),
        .what = tt_anomaly_what(r->kind),
        .count = r->count,
        .first_position = r->first_position,
        .first_offset = r->first_offset,
        .is_repair = tt_anomaly_is_repair(r->kind),
    };
    return T2T_OK;
}

struct t2t_text t2t_module_frame_name(struct t2t_text name)
{
    size_t skip = sizeof(MODULE_PREFIX) - 1;

    if (!t2t_text_starts_with(name, MODULE_PREFIX))
        return name;
    while (skip < name.len && name.ptr[skip] == ' ')
        skip++;
    return (struct t2t_text){name.ptr + skip, name.len - skip};
}

struct t2t_text t2t_module_class_name(struct t2t_text name)
{
    struct t2t_text frame = t2t_module_frame_name(name);
    size_t len = frame.len;

    while (len && frame.ptr[len - 1] >= '0' && frame.ptr[len - 1] <= '9')
        len--;
    if (len > 1 && len < frame.len && frame.ptr[len - 1] == '_')
        frame.len = len - 1;
    return frame;
}
