/*
 * model/event.h - an event on its way from a worker to the tree.
 *
 * A worker makes a tt_element of every element of traceEvents; strings and
 * lanes in it are numbers of that worker.  The merge gives them the numbers of
 * the index and keeps what the tree needs: a tt_event of what can be a node, a
 * tt_other of the rest.
 */
#ifndef TT_MODEL_EVENT_H
#define TT_MODEL_EVENT_H

#include <stdint.h>

#define TT_NO_STRING UINT32_MAX
#define TT_NO_LANE UINT32_MAX
#define TT_NO_NODE UINT32_MAX

/*
 * Flags of an event.  `a` and `b` are the recorded numbers, by layer:
 *     Python     a Python id       b Python parent id
 *     operation  a External id     b Sequence number
 *     launch     a correlation     b External id
 *     GPU        a correlation     b External id
 *     flow       a the flow's id
 *     metadata   b the string that args.name holds
 * They are whole numbers from -2^63 to 2^64 - 1, kept as their low 64 bits.
 */
enum {
    TT_A_SET = 1 << 0,
    TT_A_NEGATIVE = 1 << 1,
    TT_B_SET = 1 << 2,
    TT_B_NEGATIVE = 1 << 3,
    TT_A_TEXT = 1 << 4,    /* flow: a is a string */
    TT_HAS_START = 1 << 5, /* start_ns is meant */
    TT_HAS_END = 1 << 6,   /* X, or B with its E: a node if its layer is one */
    TT_FWD_SET = 1 << 7,   /* operation: Fwd thread id is a whole number */
    TT_FWD_ZERO = 1 << 8,  /* and that is 0 */
    TT_ENGINE = 1 << 9,    /* operation: autograd's evaluate_function */
    TT_B_OWN = 1 << 10,    /* launch: External id is the correlation again */
    TT_FLOW_LAUNCH = 1 << 11,  /* ac2g, async_cpu_to_gpu */
    TT_FLOW_FORWARD = 1 << 12, /* fwdbwd, forward_backward */
    TT_PROCESS_NAME = 1 << 13, /* metadata: names a process */
    TT_THREAD_NAME = 1 << 14,  /* metadata: names a thread */
    TT_OBJECT = 1 << 15,       /* the element is a JSON object */
    TT_A_JSON = TT_B_SET,      /* flow, which has no b: that string is JSON */
};

/* What a worker says of an element. */
struct tt_element {
    int64_t start_ns;
    int64_t end_ns; /* at least start_ns */
    uint64_t a;
    uint64_t b;
    uint64_t offset;   /* of its first byte in the document */
    uint32_t name;     /* worker's string, or TT_NO_STRING */
    uint32_t category; /* worker's string, or TT_NO_STRING */
    uint32_t shape;    /* worker's string: the template */
    uint32_t lane;     /* worker's lane, or TT_NO_LANE */
    uint32_t slots;    /* end of its slots in the batch */
    uint32_t texts;    /* end of its text slots in the batch */
    uint32_t odd;      /* enum tt_anomaly, a bit each */
    uint16_t flags;
    uint8_t phase;
    uint8_t layer; /* enum t2t_layer */
};

/* What can be a node, in its lane, in file order. */
struct tt_event {
    int64_t start_ns;
    int64_t end_ns;
    uint64_t a;
    uint64_t b;
    uint32_t name;
    uint32_t position;
    uint16_t category;
    uint16_t flags;
    uint8_t phase;
    uint8_t layer;
};

/* Everything else, in file order. */
struct tt_other {
    int64_t start_ns;
    int64_t end_ns;
    uint64_t a;
    uint32_t name;
    uint32_t position;
    uint32_t lane;
    uint16_t category;
    uint16_t flags;
    uint8_t phase;
};

#endif
