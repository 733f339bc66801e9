/*
 * json/scan.h - a strict JSON scanner that takes its text in pieces.
 *
 * It reads RFC 8259 byte by byte with no recursion: nesting is a stack of bits.
 * It keeps no text, so a piece may end anywhere, in the middle of a number, an
 * escape or a UTF-8 sequence: marks and answers are the same however the text
 * is cut.  It finds the first byte that no valid document could have there and
 * says which class of damage it is.  The fast path of the workers only has to
 * notice that something is wrong: this is the judge.
 *
 * It is used for what stands outside the events (the envelope), for an element
 * that spans several pieces, and to name the first bad byte.
 *
 * A scan stops at marks: keys and values at the watched depth.  The depth of a
 * value is the number of containers that are open around it.  Depth 0 is the
 * document's value itself; the members of a top-level object, or the elements
 * of a top-level array, are at depth 1.  The watched container is the one
 * around the values at the watched depth.  In order:
 *
 *     {  "a"  :  1  ,  "b"  :  [ 2 ]  }      watching 1
 *        |  |    | |   |  |    |    | |
 *        |  |    | |   |  |    |    | CLOSE
 *        |  |    | |   |  |    |    VALUE_END
 *        |  |    | |   |  |    VALUE_BEGIN
 *        |  |    | |   KEY_BEGIN, KEY_END
 *        |  |    VALUE_BEGIN, VALUE_END
 *        KEY_BEGIN, KEY_END
 *
 * White space before a key or a value is consumed before its BEGIN; a BEGIN
 * comes only when the byte can begin one.  A string, a container or a word ends
 * with its last byte; a number ends when the byte behind it is seen, even when
 * that byte turns out to be bad, so that at the end of the text
 * tt_scan_finish() ends it without a mark.  A watch of 0 gives VALUE_BEGIN and
 * VALUE_END for the document's value and no CLOSE.
 *
 * Thread safety: one scan, one thread.
 */
#ifndef TT_JSON_SCAN_H
#define TT_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Nesting past this is refused with T2T_ERR_LIMIT. */
#define TT_SCAN_MAX_DEPTH 10240u

/* So many values, keys counted too, an element of an array that is scanned by
 * itself may have; more are refused with T2T_ERR_LIMIT. */
#define TT_SCAN_MAX_VALUES (1u << 24)
#define TT_SCAN_TOO_MANY_VALUES "an element of more than 16,777,216 values"

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
    uint64_t low;    /* the kinds of the outermost 64 containers, one bit a
                        level, 1 for an object */
    uint64_t *bits;  /* the same for the levels above, owned */
    size_t words;    /* allocated */
    uint32_t depth;  /* containers that are open */
    uint32_t watch;  /* the depth whose keys and values are marks */
    unsigned state;  /* a row of the grammar */
    unsigned before; /* what it was at the bad byte */
    bool key;        /* the string under way is a key */
    bool bounded;    /* `values` has a limit */
    unsigned values; /* of the element under way that have begun, numbers and
                        words that have ended; counted if bounded */
    enum tt_scan_mark pending; /* to give before the next byte, or MORE */
    enum t2t_status status;    /* the class, after TT_SCAN_BAD */
    const char *reason;        /* one line for it, static storage */
};

/* Ready for a whole document, watching `watch`. */
void tt_scan_init(struct tt_scan *s, uint32_t watch);

/*
 * Ready for what may follow inside an array of a document, watching the values
 * of that array, as if "[" had just been consumed at depth 0 (so its values are
 * at depth 1).  An element must come next if `element`: no "]" then.  Each
 * element gives VALUE_BEGIN and VALUE_END, the "]" gives CLOSE and ends the
 * scan's job: behind it only white space is accepted.  The values of an element
 * are counted, and the byte that begins one too many is bad, or ends it where
 * it is a number or a word.
 */
void tt_scan_init_array(struct tt_scan *s, bool element);

/* Frees what the scan holds. */
void tt_scan_release(struct tt_scan *s);

/*
 * Consumes bytes until a mark.
 *
 * @param used  set to the number of bytes consumed, at most `len`.
 * @return the mark; TT_SCAN_MORE when the piece is used up.  After
 *         TT_SCAN_BAD the scan is finished and status says why:
 *         T2T_ERR_JSON_SYNTAX, _JSON_ESCAPE, _JSON_CONTROL_CHAR, _JSON_NUMBER,
 *         T2T_ERR_UTF8, _EXTRA_DATA, _LIMIT, or T2T_ERR_NO_MEMORY when memory
 *         ran out.
 */
enum tt_scan_mark tt_scan_feed(struct tt_scan *s, const unsigned char *ptr,
                               size_t len, size_t *used);

/*
 * Goes behind the "]" of the array the scan is directly inside, as if its
 * elements had been fed: somebody else reads them.  The scan must stand between
 * elements, in the simplest case just behind the "["; a VALUE_BEGIN may have
 * been given, but nothing of that element consumed.  The next feed begins with
 * the mark the "]" would have given: VALUE_END for a value at the watched
 * depth, CLOSE for the watched container.
 */
void tt_scan_leave_array(struct tt_scan *s);

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
