/*
 * json/grammar.h - the states of a scan, for those who put one right.
 */
#ifndef TT_JSON_GRAMMAR_H
#define TT_JSON_GRAMMAR_H

/*
 * What has been read so far asks for.  A _MARK state stands where the next key
 * or value is at the watched depth and has not been announced yet.
 */
enum tt_scan_state {
    S_BAD,
    S_VALUE,
    S_VALUE_MARK,
    S_FIRST_VALUE, /* or the end of the array */
    S_FIRST_VALUE_MARK,
    S_KEY,
    S_KEY_MARK,
    S_FIRST_KEY, /* or the end of the object */
    S_FIRST_KEY_MARK,
    S_COLON,
    S_COLON_MARK,
    S_AFTER_MEMBER,
    S_AFTER_ELEMENT,
    S_DONE, /* the document is whole; up to here white space is allowed */
    S_STRING,
    S_ESCAPE,
    S_HEX_4, /* hex digits to come */
    S_HEX_3,
    S_HEX_2,
    S_HEX_1,
    S_UTF8_1, /* continuation bytes to come */
    S_UTF8_2,
    S_UTF8_3,
    S_UTF8_E0,
    S_UTF8_ED,
    S_UTF8_F0,
    S_UTF8_F4,
    S_T,
    S_TR,
    S_TRU,
    S_F,
    S_FA,
    S_FAL,
    S_FALS,
    S_N,
    S_NU,
    S_NUL,
    S_MINUS,
    S_POINT,
    S_EXPONENT,
    S_EXPONENT_SIGN,
    S_ZERO, /* from here on it is a whole number */
    S_INTEGER,
    S_FRACTION,
    S_EXPONENT_DIGIT,
    S_COUNT
};

#endif
