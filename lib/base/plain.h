/* plain.h - text that neither ends a line nor tells a terminal to do something. */
#ifndef IMP_PLAIN_H
#define IMP_PLAIN_H

/* Each control character of the text becomes '?': those of ASCII, and U+0080 to U+009F in UTF-8,
 * of which U+009B is an escape sequence's beginning. The text gets no longer. Thread-safe. */
static inline void imp_make_plain(char *text) {
    char *to = text;
    for (const char *from = text; *from; from++) {
        const unsigned char c = (unsigned char)*from, next = (unsigned char)from[1];
        const int two = c == 0xc2 && next >= 0x80 && next < 0xa0;
        *to++ = two || c < 0x20 || c == 0x7f ? '?' : *from;
        from += two;
    }
    *to = '\0';
}

#endif
