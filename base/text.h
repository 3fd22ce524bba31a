/* base/text.h - makes text from files safe to print on a terminal. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Number of bytes of the UTF-8 sequence at the beginning of `text`, which is NUL terminated. 0 if there is no valid
 * sequence (it is overlong, a surrogate, above U+10FFFF or incomplete). */
size_t base_utf8_length(const char *text);

/* Replaces by '?' every byte that might control a terminal or is not text: control characters, DEL, U+0080 to U+009F,
 * and bytes that are not UTF-8. Letters of any script stay, and with `lines` also line ends and tabs. Changes `text`,
 * which is NUL terminated, in place and returns it. */
char *base_harmless(char *text, bool lines);
/* Copies at most size - 1 bytes of `text` to `out`, replaces bytes as base_harmless() does, line ends and tabs too, and
 * returns `out`. */
const char *base_harmless_copy(const char *text, char *out, size_t size);
/* Would base_harmless() leave the text unchanged? */
bool base_is_harmless(const char *text, bool lines);

/* Number of terminal columns that a text takes, where every UTF-8 character counts as one, also double-width letters
 * and combining marks. */
int base_columns(const char *text);
/* The field width with which printf's %*s and %-*s, which count bytes, print the text in `columns` terminal columns. */
int base_field(const char *text, int columns);
/* Truncates the text to the given number of terminal columns. */
void base_cut(char *text, int columns);

#endif
