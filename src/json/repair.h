/*
 * json/repair.h - a scan that repairs what is damaged inside one value.
 *
 * It goes over text as json/scan.h does, gives the same marks, and keeps what
 * it read as valid JSON: where the strict scan would stop at a bad byte inside
 * a string or a number, it puts down what a reader would have meant and goes
 * on.
 *
 *   - a backslash that begins no escape stands for itself: "C:\q" is "C:\\q";
 *   - a control character in a string is escaped;
 *   - in a string each byte that is no UTF-8 becomes U+FFFD;
 *   - a word or a number that JSON does not have (NaN, -inf, 01, .5) is null;
 *   - a comma behind the last element of the array of events is left out.
 *
 * Everything else that is wrong is the structure's, and ends it as it ends the
 * strict scan.  Repairs are the same however the text is cut.  One thread.
 */
#ifndef TT_JSON_REPAIR_H
#define TT_JSON_REPAIR_H

#include "base/buffer.h"
#include "json/scan.h"

enum tt_repair_kind {
    TT_REPAIR_ESCAPE,
    TT_REPAIR_CONTROL_CHAR,
    TT_REPAIR_UTF8,
    TT_REPAIR_NUMBER,
    TT_REPAIR_COMMA,
    TT_REPAIR_END, /* noted by the user: a bare array without its end */
    TT_REPAIR_COUNT
};

/* A repair: the first of its kind in a string, or that of a number. */
struct tt_repair_note {
    enum tt_repair_kind kind;
    uint64_t offset; /* of the first bad byte, in the document */
};

struct tt_repair {
    struct tt_scan scan;
    struct tt_buffer text;       /* what was read, repaired, owned; the user
                                    takes it off, tt_repair_take() */
    struct tt_repair_note *note; /* owned; the user sets notes to 0 */
    size_t notes;
    size_t note_cap;
    bool strict; /* repair nothing */
    bool events; /* what is scanned is the array of events */

    const char *inject;     /* goes before the next byte of the text ... */
    uint64_t inject_offset; /* ... in the place of what began there */
    bool skipping;          /* over the rest of what was no number */
    size_t mended; /* bytes of `text` up to the last repair in a string */
    size_t looked; /* so much of it was looked at for what is settled, ... */
    size_t word;   /* ... and ended with a word that begins there */
    unsigned seen; /* kinds noted in that string, bits */
};

/* Ready for a whole document, watching `watch`: tt_scan_init(). */
void tt_repair_init(struct tt_repair *r, bool strict, uint32_t watch);

/* Ready for what may follow in the array of events: tt_scan_init_array(). */
void tt_repair_init_array(struct tt_repair *r, bool strict, bool element);

/* Frees what it holds. */
void tt_repair_release(struct tt_repair *r);

/* How much of `text` no repair will change any more. */
size_t tt_repair_settled(struct tt_repair *r);

/* Takes `len` bytes, settled ones, or all of it between values, off the front
 * of `text`. */
void tt_repair_take(struct tt_repair *r, size_t len);

/*
 * tt_scan_feed() with repairs.
 *
 * @param offset  of `ptr` in the document.
 */
enum tt_scan_mark tt_repair_feed(struct tt_repair *r, const unsigned char *ptr,
                                 size_t len, uint64_t offset, size_t *used);

/* Notes a repair that the user made; false when memory is short. */
bool tt_repair_add(struct tt_repair *r, enum tt_repair_kind kind,
                   uint64_t offset);

#endif
