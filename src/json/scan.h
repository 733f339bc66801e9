/*
 * json/scan.h - a strict JSON scanner that takes its text in pieces.
 *
 * It reads RFC 8259 byte by byte with no recursion: nesting is a stack of bits.
 * It keeps no text, so a piece may end anywhere, in the middle of a number, an
 * escape or a UTF-8 sequence.  It finds the first byte that no valid document
 * could have there and says which class of damage it is.  The fast path of the
 * workers only has to notice that something is wrong: this is the judge.
 *
 * It is used for what stands outside the events (the envelope), for an element
 * that spans several pieces, and to name the first bad byte.
 *
 * A scan stops at marks: keys and values at the watched depth.  Depth 0 is the
 * document's value itself; the members of a top-level object are at depth 1.
 * Thread safety: one scan, one thread.
 */
#ifndef TT_JSON_SCAN_H
#define TT_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Nesting past this is refused with T2T_ERR_LIMIT. */
#define TT_SCAN_MAX_DEPTH 1000000u

enum tt_scan_mark {
    TT_SCAN_MORE,        /* all bytes of the piece are consumed */
    TT_SCAN_KEY_BEGIN,   /* the opening quote of a key is the next byte */
    TT_SCAN_KEY_END,     /* the closing quote of a key was consumed */
    TT_SCAN_VALUE_BEGIN, /* the first byte of a value is the next byte */
    TT_SCAN_VALUE_END,   /* a value ended: the next byte is behind it */
    TT_SCAN_CLOSE,       /* the bracket that closes the watched container was
                            consumed */
    TT_SCAN_BAD,         /* the next byte is the first bad one: see status */
};

/* What the scan expects; the values are its own business. */
struct tt_scan {
    uint64_t *bits; /* one bit a level, 1 for an object; owned */
    size_t words;   /* allocated */
    uint32_t depth; /* containers that are open */
    uint32_t watch; /* the depth whose keys and values are marks */
    int state;
    int pending;    /* a mark to give before the next byte, or 0 */
    unsigned step;  /* within an escape, a literal or a UTF-8 sequence */
    unsigned unit;  /* of an escape or UTF-8 sequence under way */
    bool key;       /* the string under way is a key */
    enum t2t_status status; /* the class, after TT_SCAN_BAD */
};

/* Ready for a whole document, watching `watch`. */
void tt_scan_init(struct tt_scan *s, uint32_t watch);

/*
 * Ready for what may follow inside an array of a document, watching the values
 * of that array, as if "[" had just been consumed at depth 0 (so its values are
 * at depth 1).  An element must come next if `element`: no "]" then.
 */
void tt_scan_init_array(struct tt_scan *s, bool element);

/* Frees what the scan holds. */
void tt_scan_release(struct tt_scan *s);

/*
 * Consumes bytes until a mark.
 *
 * @param used  set to the number of bytes consumed, at most `len`.
 * @return the mark; TT_SCAN_MORE when the piece is used up.  After
 *         TT_SCAN_BAD the scan is finished and status says why; it is
 *         T2T_ERR_NO_MEMORY when memory ran out.
 */
enum tt_scan_mark tt_scan_feed(struct tt_scan *s, const unsigned char *ptr,
                               size_t len, size_t *used);

/*
 * At the end of the text: whether it is a whole document.  A number at the top
 * level ends here.  False: it was cut short.
 */
bool tt_scan_finish(struct tt_scan *s);

/*
 * One line for a bad byte, such as "a comma or the end of the object must come
 * here".  Static storage.
 */
const char *tt_scan_reason(const struct tt_scan *s);

#endif
