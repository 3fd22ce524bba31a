/* base/text.h - makes text from files safe to print on a terminal. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the UTF-8 sequence that begins at `text`, which is NUL terminated; 0 if there is none (overlong, a
 * surrogate, above U+10FFFF, cut short). */
size_t base_utf8_length(const char *text);

/* Replaces by '?' every byte that might control a terminal or is not text: control characters, DEL, U+0080 to U+009F,
 * and bytes that are not UTF-8. Letters of any script stay; so do line ends and tabs if `lines`. In place; returns
 * text, which is NUL terminated. */
char *base_harmless(char *text, bool lines);
/* The same, without line ends, for a copy of at most size - 1 bytes in out, which is returned. */
const char *base_harmless_copy(const char *text, char *out, size_t size);
/* Would base_harmless() leave the text unchanged? */
bool base_is_harmless(const char *text, bool lines);

/* Terminal columns of a text, one for each UTF-8 character (double-width letters and combining marks also count as
 * one). */
int base_columns(const char *text);
/* The field width for printf's %*s and %-*s, which count bytes, so that the text takes `columns` columns. */
int base_field(const char *text, int columns);
/* Truncates the text to the given number of terminal columns. */
void base_cut(char *text, int columns);

#endif
