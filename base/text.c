/* base/text.c - see text.h */
#include "base/text.h"

#include <stdio.h>
#include <string.h>

size_t base_utf8_length(const char *text)
{
	const unsigned char *p = (const unsigned char *)text;
	if (p[0] < 0x80)
		return 1;
	size_t n = p[0] >= 0xc2 && p[0] <= 0xdf ? 2 : (p[0] & 0xf0) == 0xe0 ? 3 : p[0] >= 0xf0 && p[0] <= 0xf4 ? 4 : 0;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf0 && p[1] < 0x90) ||
	    (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return n;
}

/* Bytes of the printable character at `text`; 0 if there is none. */
static size_t printable(const char *text)
{
	const unsigned char *p = (const unsigned char *)text;
	bool control = p[0] < ' ' || p[0] == 0x7f || (p[0] == 0xc2 && p[1] < 0xa0);
	return control ? 0 : base_utf8_length(text);
}

/* The same; with `lines` also of a line end or tab. */
static size_t allowed(const char *text, bool lines)
{
	bool layout = *text == '\n' || *text == '\t' || (*text == '\r' && text[1] == '\n');
	return lines && layout ? 1 : printable(text);
}

char *base_harmless(char *text, bool lines)
{
	for (char *p = text; *p;) {
		size_t length = allowed(p, lines);
		if (!length)
			*p = '?';
		p += length ? length : 1;
	}
	return text;
}

const char *base_harmless_copy(const char *text, char *out, size_t size)
{
	snprintf(out, size, "%s", text);
	return base_harmless(out, false);
}

bool base_is_harmless(const char *text, bool lines)
{
	for (const char *p = text; *p;) {
		size_t length = allowed(p, lines);
		if (!length)
			return false;
		p += length;
	}
	return true;
}

int base_columns(const char *text)
{
	int n = 0;
	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

int base_field(const char *text, int columns)
{
	return columns + (int)strlen(text) - base_columns(text);
}

void base_cut(char *text, int columns)
{
	for (; *text; text++)
		if (((unsigned char)*text & 0xc0) != 0x80 && --columns < 0) {
			*text = '\0';
			return;
		}
}
