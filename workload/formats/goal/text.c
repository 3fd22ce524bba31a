/* workload/formats/goal/text.c - reader of GOAL text: returns a schedule, or every error with its line and column.
 *
 * It accepts more than the reference: options in any order, comments anywhere, ranks in any order, labels used before
 * they are defined, operations without a label. After an error reading continues at the next line. */
#include "workload/formats/goal/build.h"
#include "workload/formats/goal/labels.h"
#include "workload/formats/goal/scan.h"

#include "base/memory.h"
#include "base/param.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* "A requires B", kept until the labels of the rank are all known. */
struct wait {
	struct wl_goal_token later, earlier;
	bool starts;
};

struct goal_text_reader {
	struct wl_goal_scanner s;
	struct wl_goal_token t; /* the word that is looked at */
	const char *name;
	struct base_errors *errors;
	struct wl_goal_draft draft;
	struct wl_goal_labels labels; /* of this rank */
	struct wait *wait;            /* of this rank */
	size_t waits, wait_room;
	uint32_t *line; /* of each operation */
	size_t line_room;
	unsigned problems;
	bool full;
};

static bool gave_up(const struct goal_text_reader *r)
{
	return r->problems >= WL_GOAL_PROBLEMS || r->full;
}

__attribute__((format(printf, 3, 4))) static bool problem(struct goal_text_reader *r, const struct wl_goal_token *at,
                                                          const char *fmt, ...)
{
	char place[1100], text[512];
	va_list ap;
	if (r->problems++ >= WL_GOAL_PROBLEMS)
		return false;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	snprintf(place, sizeof place, "@%.1000s:%" PRIu32 ":%" PRIu32, r->name, at->line, at->column);
	base_errorf(r->errors, place, "%s", text);
	return false;
}

static void next(struct goal_text_reader *r)
{
	wl_goal_scan(&r->s, &r->t);
}

static bool is_word(const struct wl_goal_token *t, const char *word)
{
	return t->kind == WL_GOAL_NAME && t->length == strlen(word) && !memcmp(t->text, word, t->length);
}

static bool is_sign(const struct wl_goal_token *t, char sign)
{
	return t->kind == WL_GOAL_SIGN && t->sign == sign;
}

/* The word that is looked at, for messages. */
static const char *found(const struct goal_text_reader *r, bool in_statement, char *out, size_t room)
{
	const struct wl_goal_token *t = &r->t;
	if (t->kind == WL_GOAL_END)
		snprintf(out, room, "the end of the file");
	else if (in_statement && t->gap == WL_GOAL_NEW_LINE)
		snprintf(out, room, "the end of the line");
	else
		snprintf(out, room, "\"%.*s\"", (int)(t->length > 40 ? 40 : t->length), t->text);
	return out;
}

static bool expected(struct goal_text_reader *r, const char *what, const char *after)
{
	char word[64];
	found(r, true, word, sizeof word);
	return problem(r, &r->t, "%s is expected %s, not %s", what, after, word);
}

/* Does the statement go on with the word that is looked at? */
static bool goes_on(const struct goal_text_reader *r)
{
	return r->t.kind != WL_GOAL_END && r->t.gap != WL_GOAL_NEW_LINE;
}

static bool take_number(struct goal_text_reader *r, const char *what, const char *after, uint64_t most, uint64_t *out)
{
	if (!goes_on(r) || r->t.kind != WL_GOAL_NUMBER)
		return expected(r, what, after);
	if (r->t.large || r->t.number > most)
		return problem(r, &r->t, "%.*s is too large %s: the maximum is %" PRIu64,
		               (int)(r->t.length > 40 ? 40 : r->t.length), r->t.text, after, most);
	*out = r->t.number;
	next(r);
	if (goes_on(r) && r->t.kind == WL_GOAL_STRANGE && *r->t.text == '.')
		return problem(r, &r->t, "a whole number is expected %s, not a fraction", after);
	return true;
}

/* A number, or -1 for any. */
static bool take_or_any(struct goal_text_reader *r, const char *what, const char *after, uint64_t most, bool any,
                        uint32_t *out)
{
	uint64_t v = 0;
	if (goes_on(r) && is_sign(&r->t, '-')) {
		struct wl_goal_token sign = r->t;
		next(r);
		if (r->t.kind != WL_GOAL_NUMBER || r->t.number != 1 || !goes_on(r))
			return problem(r, &sign, "-1 (any) is the only negative number permitted %s", after);
		next(r);
		*out = WL_GOAL_ANY;
		return any || problem(r, &sign, "-1 (any) is permitted only for receives %s", after);
	}
	if (!take_number(r, what, after, most, &v))
		return false;
	*out = (uint32_t)v;
	return true;
}

static bool take_rank(struct goal_text_reader *r, const char *after, bool any, uint32_t *out)
{
	struct wl_goal_token at = r->t;
	if (!take_or_any(r, "a rank", after, UINT32_MAX - 1, any, out))
		return false;
	return *out == WL_GOAL_ANY || *out < r->draft.ranks ||
	       problem(r, &at, "there is no rank %" PRIu32 "; num_ranks is %" PRIu32, *out, r->draft.ranks);
}

static bool take_word(struct goal_text_reader *r, const char *word, const char *after)
{
	char quoted[24];
	snprintf(quoted, sizeof quoted, "\"%s\"", word);
	if (!goes_on(r) || !is_word(&r->t, word))
		return expected(r, quoted, after);
	next(r);
	return true;
}

/* The rest of a statement: tag, cpu and nic, each once, in any order. */
static bool take_options(struct goal_text_reader *r, struct wl_goal_op *op)
{
	static const char *const known[] = { "tag", "cpu", "nic" };
	static const char *const after[] = { "after \"tag\"", "after \"cpu\"", "after \"nic\"" };
	bool given[3] = { false, false, false };
	while (goes_on(r) && r->t.kind == WL_GOAL_NAME) {
		unsigned i = 0;
		while (i < 3 && !is_word(&r->t, known[i]))
			i++;
		if (i == 3 && r->t.gap == WL_GOAL_OVER_COMMENT)
			return true; /* the next statement */
		if (i == 3) {
			char word[40];
			snprintf(word, sizeof word, "%.*s", (int)(r->t.length > 32 ? 32 : r->t.length), r->t.text);
			const char *near = base_nearest(word, known, 3);
			return problem(r, &r->t, "the option \"%s\" must be one of tag, cpu and nic%s%s%s", word,
			               near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
		}
		if (given[i])
			return problem(r, &r->t, "%s is set twice", known[i]);
		if (op->kind == WL_GOAL_CALC && i != 1)
			return problem(r, &r->t, "a calc cannot have a %s", known[i]);
		given[i] = true;
		next(r);
		uint64_t v = 0;
		if (i == 0 ? !take_or_any(r, "a number", after[0], UINT32_MAX - 1, op->kind == WL_GOAL_RECV, &op->tag)
		           : !take_number(r, "a number", after[i], 255, &v))
			return false;
		if (i)
			*(i == 1 ? &op->cpu : &op->nic) = (uint8_t)v;
	}
	return true;
}

static void add_op(struct goal_text_reader *r, const struct wl_goal_token *at, const struct wl_goal_token *label,
                   const struct wl_goal_op *op)
{
	uint32_t i = wl_goal_add_op(&r->draft, op);
	if (i == UINT32_MAX) {
		problem(r, at, "the schedule has more than 4294967293 operations");
		r->full = true;
		return;
	}
	if (i == r->line_room) {
		r->line_room = r->line_room ? 2 * r->line_room : 64;
		r->line = base_realloc(r->line, r->line_room * sizeof *r->line);
	}
	r->line[i] = at->line;
	if (!label->length)
		return;
	const struct wl_goal_label *before = wl_goal_labels_add(&r->labels, label->text, label->length, i);
	if (before)
		problem(r, label, "label \"%.*s\" is defined twice: first in line %" PRIu32,
		        (int)(label->length > 40 ? 40 : label->length), label->text, r->line[before->op]);
}

/* From the word "send", "recv" or "calc" on. */
static bool read_op(struct goal_text_reader *r, const struct wl_goal_token *label)
{
	struct wl_goal_token at = r->t;
	struct wl_goal_op op = { .kind = is_word(&at, "send")   ? WL_GOAL_SEND
		                         : is_word(&at, "recv") ? WL_GOAL_RECV
		                                                : WL_GOAL_CALC };
	bool send = op.kind == WL_GOAL_SEND;
	const char *after = send ? "after \"send\"" : op.kind == WL_GOAL_RECV ? "after \"recv\"" : "after \"calc\"";
	next(r);
	if (!take_number(r, op.kind == WL_GOAL_CALC ? "a time" : "a number of bytes", after, UINT64_MAX, &op.size))
		return false;
	if (op.kind != WL_GOAL_CALC && (!take_word(r, "b", "after the number of bytes, as in 8b") ||
	                                !take_word(r, send ? "to" : "from", "after the size") ||
	                                !take_rank(r, send ? "after \"to\"" : "after \"from\"", !send, &op.peer)))
		return false;
	if (!take_options(r, &op))
		return false;
	add_op(r, &at, label, &op);
	return true;
}

/* "later requires earlier"; the word that is looked at is (i)requires. */
static bool read_wait(struct goal_text_reader *r, const struct wl_goal_token *later)
{
	struct wait w = { .later = *later, .starts = is_word(&r->t, "irequires") };
	next(r);
	if (!goes_on(r) || r->t.kind != WL_GOAL_NAME)
		return expected(r, "a label", w.starts ? "after \"irequires\"" : "after \"requires\"");
	w.earlier = r->t;
	if (r->waits == r->wait_room) {
		r->wait_room = r->wait_room ? 2 * r->wait_room : 64;
		r->wait = base_realloc(r->wait, r->wait_room * sizeof *r->wait);
	}
	r->wait[r->waits++] = w;
	next(r);
	return true;
}

static bool is_op(const struct wl_goal_token *t)
{
	return is_word(t, "send") || is_word(t, "recv") || is_word(t, "calc");
}

static bool read_statement(struct goal_text_reader *r)
{
	static const char *const verbs[] = { "send", "recv", "calc", "requires", "irequires" };
	struct wl_goal_token first = r->t, none = { .length = 0 };
	char word[40];
	if (first.kind != WL_GOAL_NAME)
		return problem(r, &first, "a statement or \"}\" is expected, not %s",
		               found(r, false, (char[64]){ 0 }, 64));
	struct wl_goal_scanner here = r->s;
	next(r);
	if (is_op(&first) && !(goes_on(r) && is_sign(&r->t, ':'))) { /* without a label: back to the verb */
		r->s = here;
		r->t = first;
		return read_op(r, &none);
	}
	if (goes_on(r) && is_sign(&r->t, ':')) {
		next(r);
		if (goes_on(r) && is_op(&r->t))
			return read_op(r, &first);
		return expected(r, "send, recv or calc", "after a label");
	}
	if (goes_on(r) && (is_word(&r->t, "requires") || is_word(&r->t, "irequires")))
		return read_wait(r, &first);
	snprintf(word, sizeof word, "%.*s", (int)(first.length > 32 ? 32 : first.length), first.text);
	const char *near = base_nearest(word, verbs, 3);
	if (near)
		return problem(r, &first, "\"%s\" is not the beginning of a statement; did you mean \"%s\"?", word,
		               near);
	return expected(r, "\":\", \"requires\" or \"irequires\"", "after a label");
}

static bool find_label(struct goal_text_reader *r, const struct wl_goal_token *t, uint32_t *out)
{
	const struct wl_goal_label *label = wl_goal_labels_find(&r->labels, t->text, t->length);
	if (!label)
		return problem(r, t, "label \"%.*s\" is not defined in this rank",
		               (int)(t->length > 40 ? 40 : t->length), t->text);
	*out = label->op;
	return true;
}

static void resolve(struct goal_text_reader *r)
{
	for (size_t i = 0; i < r->waits && !gave_up(r); i++) {
		struct wl_goal_edge e = { .starts = r->wait[i].starts };
		bool good = find_label(r, &r->wait[i].later, &e.later);
		good = find_label(r, &r->wait[i].earlier, &e.earlier) && good;
		if (good && !wl_goal_add_edge(&r->draft, e)) {
			problem(r, &r->wait[i].later, "the schedule has more than 4294967293 dependencies");
			r->full = true;
		}
	}
}

/* Continues reading at the next line. */
static void recover(struct goal_text_reader *r)
{
	if (r->t.gap != WL_GOAL_NEW_LINE && r->t.kind != WL_GOAL_END && !is_sign(&r->t, '}')) {
		wl_goal_scan_skip_line(&r->s);
		next(r);
	}
}

static void read_body(struct goal_text_reader *r, const struct wl_goal_token *opened)
{
	while (!gave_up(r) && !is_sign(&r->t, '}')) {
		if (r->t.kind == WL_GOAL_END ||
		    (is_word(&r->t, "rank") && r->t.gap == WL_GOAL_NEW_LINE && r->s.at < r->s.end && *r->s.at != ':' &&
		     r->s.at[0] == ' ' && r->s.at + 1 < r->s.end && r->s.at[1] >= '0' && r->s.at[1] <= '9')) {
			problem(r, opened, "the rank that begins here is not closed by \"}\"");
			return;
		}
		uint32_t line = r->t.line;
		if (!read_statement(r)) {
			recover(r);
		} else if (r->t.gap == WL_GOAL_SAME_LINE && r->t.kind != WL_GOAL_END && !is_sign(&r->t, '}')) {
			problem(r, &r->t,
			        "\"%.*s\" does not belong to this statement; the next one must begin on a new line",
			        (int)(r->t.length > 40 ? 40 : r->t.length), r->t.text);
			recover(r);
		}
		(void)line;
	}
	if (is_sign(&r->t, '}'))
		next(r);
}

/* "rank R {" and what follows, up to "}". */
static void read_rank(struct goal_text_reader *r)
{
	struct wl_goal_token at = r->t;
	uint32_t rank;
	if (!is_word(&r->t, "rank")) {
		char word[64];
		problem(r, &at, "\"rank\" is expected, not %s", found(r, false, word, sizeof word));
		wl_goal_scan_skip_line(&r->s);
		next(r);
		return;
	}
	next(r);
	bool good = false;
	if (!take_rank(r, "after \"rank\"", false, &rank)) {
		if (!is_sign(&r->t, '{'))
			recover(r);
	} else if (r->draft.block_of[rank]) {
		problem(r, &at, "rank %" PRIu32 " is defined twice", rank);
	} else {
		good = true;
		wl_goal_begin_rank(&r->draft, rank);
	}
	if (!is_sign(&r->t, '{')) {
		if (good)
			expected(r, "\"{\"", "after the rank's number");
		recover(r);
		return;
	}
	next(r);
	r->waits = 0;
	wl_goal_labels_clear(&r->labels);
	read_body(r, &at);
	resolve(r);
	if (good)
		wl_goal_end_rank(&r->draft);
}

static bool read_ranks(struct goal_text_reader *r)
{
	uint64_t ranks = 0;
	next(r);
	if (!is_word(&r->t, "num_ranks")) {
		char word[64];
		return problem(r, &r->t, "a schedule must begin with \"num_ranks N\", not with %s",
		               found(r, false, word, sizeof word));
	}
	next(r);
	struct wl_goal_token at = r->t;
	if (!take_number(r, "the number of ranks", "after \"num_ranks\"", WL_GOAL_RANKS, &ranks))
		return false;
	if (!ranks)
		return problem(r, &at, "a schedule must have at least one rank");
	wl_goal_draft_begin(&r->draft, (uint32_t)ranks);
	return true;
}

static void tell_of_missing(struct goal_text_reader *r)
{
	char place[1100];
	uint32_t missing = r->draft.ranks - r->draft.blocks, first = 0;
	if (!missing)
		return;
	while (r->draft.block_of[first])
		first++;
	snprintf(place, sizeof place, "@%.1000s", r->name);
	base_warnf(r->errors, place,
	           "%" PRIu32 " of %" PRIu32 " ranks are missing, the first one is rank %" PRIu32 ": they do nothing",
	           missing, r->draft.ranks, first);
}

/* "the operation of line 4 requires that of line 7, that of line 9" */
static void tell_of_cycles(struct goal_text_reader *r, const struct wl_goal *g, const uint32_t *line)
{
	for (uint32_t rank = 0; rank < g->ranks && !gave_up(r); rank++) {
		if (g->first_op[rank] == g->first_op[rank + 1])
			continue;
		uint32_t n;
		uint32_t *cycle = wl_goal_cycle(g, rank, &n);
		char text[256] = "";
		for (uint32_t i = 1; cycle && i <= n && i <= 8; i++)
			snprintf(text + strlen(text), sizeof text - strlen(text), "%s line %" PRIu32, i > 1 ? "," : "",
			         line[cycle[i % n]]);
		struct wl_goal_token at = { .line = cycle ? line[cycle[0]] : 0, .column = 1 };
		if (cycle)
			problem(r, &at, "this operation depends on itself, so it never starts: by way of%s%s", text,
			        n > 8 ? ", ..." : "");
		free(cycle);
	}
}

/* The lines of operations in the order of the schedule, which is by rank: the draft is sorted. */
static uint32_t *lines_by_rank(const struct goal_text_reader *r)
{
	uint32_t *line = base_calloc(r->draft.ops + 1, sizeof *line), n = 0;
	for (uint32_t k = 0; k < r->draft.blocks; k++) {
		const struct wl_goal_block *b = &r->draft.block[k];
		for (uint32_t i = 0; i < b->ops; i++)
			line[n++] = r->line[b->first_op + i];
	}
	return line;
}

int wl_goal_read_text(struct wl_goal *out, const char *bytes, size_t n, const char *name, struct base_errors *errors)
{
	struct goal_text_reader r = { .name = name, .errors = errors };
	wl_goal_scan_begin(&r.s, bytes, n);
	if (read_ranks(&r))
		while (r.t.kind != WL_GOAL_END && !gave_up(&r))
			read_rank(&r);
	if (r.s.open_comment) {
		struct wl_goal_token at = { .line = r.s.comment_line, .column = r.s.comment_column };
		problem(&r, &at, "the comment that begins here is not closed");
	}
	if (!r.problems) {
		tell_of_missing(&r);
		wl_goal_sort(&r.draft);
		uint32_t *line = lines_by_rank(&r);
		wl_goal_finish(out, &r.draft);
		tell_of_cycles(&r, out, line);
		free(line);
	}
	wl_goal_draft_free(&r.draft);
	wl_goal_labels_free(&r.labels);
	free(r.wait);
	free(r.line);
	if (!r.problems)
		return 0;
	wl_goal_free(out);
	return -1;
}
