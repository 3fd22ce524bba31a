/* workload/formats/goal/scan.h - tokens of GOAL text, separated by comments and white space; line ends are reported,
 * because they end statements. */
#ifndef WORKLOAD_FORMATS_GOAL_SCAN_H
#define WORKLOAD_FORMATS_GOAL_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wl_goal_token_kind { WL_GOAL_END, WL_GOAL_NAME, WL_GOAL_NUMBER, WL_GOAL_SIGN, WL_GOAL_STRANGE };
/* The separator before a token: nothing relevant; a comment of several lines, where a statement may end or continue; or
 * the end of a line. */
enum wl_goal_gap { WL_GOAL_SAME_LINE, WL_GOAL_OVER_COMMENT, WL_GOAL_NEW_LINE };

struct wl_goal_token {
	enum wl_goal_token_kind kind;
	enum wl_goal_gap gap;
	const char *text; /* in the file's bytes */
	size_t length;
	uint32_t line, column; /* from 1 */
	uint64_t number;       /* of a number, of which `large` are more than fit */
	bool large;
	char sign; /* '{', '}', ':', '-' */
};

struct wl_goal_scanner {
	const char *at, *end, *line_start;
	uint32_t line;
	bool open_comment; /* the file ends inside one, which began there: */
	uint32_t comment_line, comment_column;
};

void wl_goal_scan_begin(struct wl_goal_scanner *s, const char *bytes, size_t n);
void wl_goal_scan(struct wl_goal_scanner *s, struct wl_goal_token *out);
/* Skips to the end of the current line. */
void wl_goal_scan_skip_line(struct wl_goal_scanner *s);

#endif
