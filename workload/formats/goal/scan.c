/* workload/formats/goal/scan.c - see scan.h */
#include "workload/formats/goal/scan.h"

#include <string.h>

void wl_goal_scan_begin(struct wl_goal_scanner *s, const char *bytes, size_t n)
{
	*s = (struct wl_goal_scanner){ .at = bytes, .end = bytes + n, .line_start = bytes, .line = 1 };
	if (n >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3)) /* a mark of UTF-8 */
		s->at += 3;
}

static void new_line(struct wl_goal_scanner *s)
{
	s->line++;
	s->line_start = s->at;
}

static uint32_t column(const struct wl_goal_scanner *s)
{
	size_t c = (size_t)(s->at - s->line_start) + 1;
	return c > UINT32_MAX ? UINT32_MAX : (uint32_t)c;
}

/* Behind "/" "*": to its end. Returns whether it holds the end of a line. */
static bool skip_comment(struct wl_goal_scanner *s)
{
	uint32_t line = s->line, from = column(s);
	s->at += 2;
	for (; s->at < s->end; s->at++) {
		if (*s->at == '*' && s->at + 1 < s->end && s->at[1] == '/') {
			s->at += 2;
			return s->line > line;
		}
		if (*s->at == '\n') {
			s->at++;
			new_line(s);
			s->at--;
		}
	}
	s->open_comment = true;
	s->comment_line = line;
	s->comment_column = from;
	return s->line > line;
}

/* Space and comments. */
static enum wl_goal_gap skip_gap(struct wl_goal_scanner *s)
{
	enum wl_goal_gap gap = WL_GOAL_SAME_LINE;
	while (s->at < s->end) {
		char c = *s->at;
		bool slash = c == '/' && s->at + 1 < s->end;
		if (c == '\n') {
			s->at++;
			new_line(s);
			gap = WL_GOAL_NEW_LINE;
		} else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
			s->at++;
		} else if (slash && s->at[1] == '/') {
			wl_goal_scan_skip_line(s);
		} else if (slash && s->at[1] == '*') {
			if (skip_comment(s) && gap == WL_GOAL_SAME_LINE)
				gap = WL_GOAL_OVER_COMMENT;
		} else {
			break;
		}
	}
	return gap;
}

void wl_goal_scan_skip_line(struct wl_goal_scanner *s)
{
	const char *end = memchr(s->at, '\n', (size_t)(s->end - s->at));
	s->at = end ? end : s->end;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static void scan_number(struct wl_goal_scanner *s, struct wl_goal_token *t)
{
	for (; s->at < s->end && is_digit(*s->at); s->at++) {
		unsigned digit = (unsigned)(*s->at - '0');
		t->large = t->large || t->number > (UINT64_MAX - digit) / 10;
		t->number = 10 * t->number + digit;
	}
}

void wl_goal_scan(struct wl_goal_scanner *s, struct wl_goal_token *t)
{
	enum wl_goal_gap gap = skip_gap(s);
	*t = (struct wl_goal_token){ .gap = gap, .text = s->at, .line = s->line, .column = column(s) };
	if (s->at == s->end)
		return; /* WL_GOAL_END */
	char c = *s->at;
	if (is_letter(c)) {
		t->kind = WL_GOAL_NAME;
		while (s->at < s->end && (is_letter(*s->at) || is_digit(*s->at)))
			s->at++;
	} else if (is_digit(c)) {
		t->kind = WL_GOAL_NUMBER;
		scan_number(s, t);
	} else {
		bool sign = c == '{' || c == '}' || c == ':' || c == '-';
		t->kind = sign ? WL_GOAL_SIGN : WL_GOAL_STRANGE;
		t->sign = sign ? c : 0;
		s->at++;
	}
	t->length = (size_t)(s->at - t->text);
}
