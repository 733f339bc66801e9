/* topic.c - help about what several subcommands share: the keys of JSON. */
#include "topic.h"

#include <stdio.h>
#include <string.h>

/* A key of an object; without a type, a heading. */
struct key {
    const char *name;
    const char *type;
    const char *text;
};

/* tests/cli/json.sh compares them with what is printed. */
static const struct key keys[] = {
    {"Node objects: show, tree, find, stack", NULL, NULL},
    {"id", "number", "id in the index; NODE of other commands"},
    {"position", "number", "place in traceEvents, from 0"},
    {"name", "text", "null if it has none"},
    {"category", "text", "cat of the trace"},
    {"layer", "text", "python, operation, launch, gpu; else null"},
    {"phase", "text", "ph of the trace"},
    {"in_tree", "bool", "whether it is a node of the tree"},
    {"start_ns", "number", "from the earliest start; null without one"},
    {"dur_ns", "number", "duration"},
    {"parent", "id", "the call it was made in"},
    {"size", "number", "nodes of its subtree, itself included"},
    {"flags", "[text]", "crossed, cut, root-operation, gpu, linked"},
    {"module", "id", "the nearest module frame above"},
    {"class", "text", "of a module frame: Linear of Linear_7"},
    {"launch", "id", "of a GPU event: the call that launched it"},
    {"forward", "id", "of a backward event: the operation"},
    {"backward", "[id]", "of an operation: its backward events"},
    {"gpu_events", "number", "GPU events in its subtree, with itself"},
    {"gpu_sum_ns", "number", "sum of their durations, with its own"},
    {"lane", "object", "where it ran; {} for what is no object:"},
    {"lane.side", "text", "host, gpu or null"},
    {"lane.pid", "any", "number or text, as all ids of the trace"},
    {"lane.tid", "any", "a thread or a stream"},
    {"lane.process_name", "text", ""},
    {"lane.thread_name", "text", ""},
    {"args", "object", "arguments; of tree, find, stack: --args"},
    {"Node objects: only show", NULL, NULL},
    {"offset", "number", "byte of the decompressed trace"},
    {"kernel", "object", "what a GPU event's name says; else {}:"},
    {"kernel.base_name", "text", "without result and arguments"},
    {"kernel.family", "text", "such as tensile, at-native; or null"},
    {"kernel.gemm", "bool", "whether it is of a GEMM, D = A * B"},
    {"kernel.transpose_a", "bool", "null when not known, as what follows"},
    {"kernel.transpose_b", "bool", ""},
    {"kernel.tile_m", "number", "rows of D a work group makes"},
    {"kernel.tile_n", "number", "columns"},
    {"kernel.tile_k", "number", "summed in a step"},
    {"kernel.type_a", "text", "such as bf16"},
    {"kernel.type_b", "text", ""},
    {"kernel.type_out", "text", "of D"},
    {"kernel.type_compute", "text", ""},
    {"kernel.triton_kind", "text", "pointwise, reduction, ..."},
    {"kernel.triton_ops", "text", "what Inductor fused"},
    {"kernel.triton_number", "number", "of the kernel"},
    {"ancestors", "[id]", "all calls above, the innermost first"},
    {"children", "[id]", ""},
    {"gpu_event_ids", "[id]", "GPU events in its subtree"},
    {"fields", "object", "what the element says beside all this"},
    {"The object of info", NULL, NULL},
    {"source", "object", "the trace's file:"},
    {"source.name", "text", ""},
    {"source.bytes", "number", "on disk; 0 for a pipe"},
    {"source.mtime_ns", "number", "since 1970"},
    {"source.document_bytes", "number", "of JSON, decompressed"},
    {"index", "object", "the index file:"},
    {"index.bytes", "number", ""},
    {"index.format_major", "number", ""},
    {"index.format_minor", "number", ""},
    {"index.writer", "text", "what wrote it"},
    {"elements", "number", "of traceEvents"},
    {"nodes", "number", "of them in the tree"},
    {"gpu_events", "number", ""},
    {"linked_gpu_events", "number", "of them under a launch"},
    {"forward_links", "number", "pairs of backward and forward"},
    {"origin_ns", "number", "earliest start: times count from it"},
    {"last_end_ns", "number", "on the same clock as origin_ns"},
    {"devices", "[object]", "GPUs:"},
    {"devices.device", "any", "its pid"},
    {"devices.name", "text", "by deviceProperties"},
    {"devices.process", "text", "process_name of that pid"},
    {"devices.streams", "number", ""},
    {"devices.events", "number", ""},
    {"lanes", "[object]", "threads and streams:"},
    {"lanes.side", "text", "host, gpu or -"},
    {"lanes.pid", "any", ""},
    {"lanes.tid", "any", ""},
    {"lanes.process", "text", ""},
    {"lanes.thread", "text", ""},
    {"lanes.events", "number", "elements of the lane"},
    {"lanes.nodes", "number", "nodes of its trees"},
    {"lanes.start_ns", "number", "its earliest start"},
    {"lanes.span_ns", "number", "from there to its latest end"},
    {"categories", "[object]", ""},
    {"categories.category", "text", "cat of the trace, or null"},
    {"categories.layer", "text", ""},
    {"categories.events", "number", ""},
    {"members", "[object]", "of the document, beside traceEvents:"},
    {"members.member", "text", "its key"},
    {"members.bytes", "number", ""},
    {"members.value", "any", "as in the trace"},
    {"anomalies", "[object]", "what is odd, by kind:"},
    {"anomalies.kind", "text", ""},
    {"anomalies.count", "number", ""},
    {"anomalies.first_position", "number", "in traceEvents, or null"},
    {"anomalies.first_offset", "number", "byte of the trace, or null"},
    {"anomalies.what", "text", "a sentence"},
    {"suspects", "[object]", "what tables miss or say wrong:"},
    {"suspects.kind", "text", ""},
    {"suspects.count", "number", "of elements; 0: it is about none"},
    {"suspects.first", "id", "the smallest of them, or null"},
    {"suspects.what", "text", "a sentence"},
    {"losses", "[object]", "given up by --salvage:"},
    {"losses.offset", "number", "byte of the trace where it begins"},
    {"losses.bytes", "number", ""},
    {"losses.elements", "number", "that are null in their place"},
    {"losses.first_position", "number", "of those; null if there are none"},
    {"losses.class", "text", "of the damage"},
    {"losses.damage_offset", "number", "its first byte"},
    {"sections", "[object]", "of the index file, with --sections:"},
    {"sections.id", "number", ""},
    {"sections.section", "text", ""},
    {"sections.records", "number", ""},
    {"sections.bytes", "number", ""},
    {"sections.file_percent", "number", "share of the file"},
    {"sections.bytes_per_element", "number", ""},
    {"sections.bytes_per_node", "number", "null if there are none"},
    {"The object of check, a trace", NULL, NULL},
    {"file", "text", "as it was named"},
    {"kind", "text", "trace; null: neither that nor an index"},
    {"damages", "[object]", "in the order of a build:"},
    {"damages.class", "text", "such as json-syntax"},
    {"damages.offset", "number", "byte of the trace; of gzip and zstd: file"},
    {"damages.position", "number", "in traceEvents, or null"},
    {"damages.text", "text", "a sentence"},
    {"damages.default", "text", "repaired, refused, not reached: by build"},
    {"damages.lost", "object", "by --salvage, or null:"},
    {"damages.lost.offset", "number", "byte of the trace"},
    {"damages.lost.bytes", "number", ""},
    {"damages.lost.elements", "number", "that are null in their place"},
    {"odd", "[object]", "anomalies but repairs, as of info, with:"},
    {"odd.places", "[object]", "where all of the kind are:"},
    {"odd.places.position", "number", "in traceEvents, or null"},
    {"odd.places.offset", "number", "byte of the trace, or null"},
    {"suspects", "[object]", "as of info"},
    {"ok", "bool", "whether there is no damage"},
    {"default", "text", "builds, builds with repairs, is refused"},
    {"events", "number", "of traceEvents; null when unreadable"},
    {"bytes", "number", "of JSON; null when unreadable"},
    {"The object of check, an index", NULL, NULL},
    {"file", "text", "as it was named"},
    {"kind", "text", "index; null when that is not known"},
    {"ok", "bool", ""},
    {"sections", "number", "null when it cannot be opened"},
    {"bytes", "number", "of the file; null likewise"},
    {"damages", "[object]", "the first, if there is one:"},
    {"damages.class", "text", ""},
    {"damages.offset", "number", "byte of the file, or null"},
    {"damages.text", "text", ""},
};

static void help_json(void)
{
    (void)puts("t2t help json - the keys of --format json\n\n"
               "show prints an object a NODE, each on a line; stack an array a "
               "NODE, each on\na line; tree and find print one array of "
               "objects; info one object, check one a\nfile, each on a line.  "
               "Times are in nanoseconds, whatever the unit of text.\nWhat "
               "there is none of is null.  Keys are never taken away; new ones "
               "may come.  A\ntable (timeline) is {\"table\", \"trace\", "
               "\"selection\": {}, \"columns\": [{\"name\",\n\"unit\", "
               "\"type\"}], \"rows\": [[]]}.");
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (!keys[i].type)
            (void)printf("\n%s\n", keys[i].name);
        else
            (void)printf("  %-26s %-*s%s%s\n", keys[i].name,
                         *keys[i].text ? 9 : 0, keys[i].type,
                         *keys[i].text ? " " : "", keys[i].text);
    }
}

/* A topic. */
struct topic {
    const char *name;
    void (*print)(void);
};

static const struct topic topics[] = {{"json", help_json}};

#define TOPIC_COUNT (sizeof(topics) / sizeof(topics[0]))

bool topic_help(const char *name)
{
    for (size_t i = 0; i < TOPIC_COUNT; i++) {
        if (!strcmp(name, topics[i].name)) {
            topics[i].print();
            return true;
        }
    }
    return false;
}

const char *topic_at(unsigned n)
{
    return n < TOPIC_COUNT ? topics[n].name : NULL;
}
