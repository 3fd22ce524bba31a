/* base/text.h - text from files, made fit for a terminal. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the UTF-8 sequence that begins at `text`, which is NUL ended; 0 if there is none (overlong, a surrogate,
 * above U+10FFFF, cut short). */
size_t base_utf8_length(const char *text);

/* Replaces by '?' every byte that a terminal might obey or that is no text: control characters, DEL, U+0080 to U+009F,
 * and bytes that are not UTF-8. Letters of any script stay; so do line ends and tabs if `lines`. In place; returns
 * text, which is NUL ended. */
char *base_harmless(char *text, bool lines);
/* The same, without line ends, for a copy of at most room - 1 bytes in out, which is returned. */
const char *base_harmless_copy(const char *text, char *out, size_t room);
/* True if base_harmless() would leave the text as it is. */
bool base_is_harmless(const char *text, bool lines);

/* Columns of a terminal that a text takes, one for each character of UTF-8 (letters of double width, and marks that
 * combine, are taken for one as well). */
int base_columns(const char *text);
/* The field width for printf's %*s and %-*s, which count bytes, so that the text takes `columns` columns. */
int base_field(const char *text, int columns);
/* Ends the text where it would take more columns. */
void base_cut(char *text, int columns);

#endif
