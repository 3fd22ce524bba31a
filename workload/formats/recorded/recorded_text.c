/* workload/formats/recorded/recorded_text.c - see recorded_text.h
 *
 * A cursor is a place in the file: word[0] is that of the next line, counted from the rank's first one, word[1] its
 * number, counted likewise. The file is mapped; where it has become shorter since there are zeros, which are no call.
 */
#include "workload/formats/recorded/recorded_text.h"

#include "base/input.h"
#include "base/mapped.h"
#include "base/memory.h"
#include "base/param.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_RANKS (1u << 24)
#define WORD_BYTES 48u
#define MOST_TOLD 20u
#define MPI_PREFIX 4u /* of "MPI_Send" */

struct recorded_part {
	size_t at, end; /* of the rank's lines */
	uint64_t line;
};

struct text {
	char *path;
	const char *bytes;
	size_t n;
	struct base_mapped *mapped; /* NULL: the bytes are the caller's */
	struct recorded_part *part; /* [ranks] */
	bool promised;              /* "ranks N end": its last line is "end" */
};

struct recorded_line {
	const char *at, *end;
	const struct text *text;
	uint64_t number;
	struct base_errors *errors;
};

static int fail(const struct recorded_line *l, const char *fmt, const char *word)
{
	char key[600];
	if (!l->errors)
		return -1;
	const char *changed = l->text->mapped ? base_mapped_changed(l->text->mapped) : NULL;
	if (changed) {
		snprintf(key, sizeof key, "@%s", l->text->path);
		return base_errorf(l->errors, key, "%s", changed);
	}
	snprintf(key, sizeof key, "@%s:%" PRIu64, l->text->path, l->number);
	return base_errorf(l->errors, key, fmt, word);
}

/* The next word of a line, cut off by white space or a comment; false: none. */
static bool next_word(struct recorded_line *l, char *out)
{
	size_t n = 0;
	while (l->at < l->end && (*l->at == ' ' || *l->at == '\t' || *l->at == '\r'))
		l->at++;
	if (l->at == l->end || *l->at == '#')
		return false;
	for (; l->at < l->end && *l->at != ' ' && *l->at != '\t' && *l->at != '\r' && *l->at != '='; l->at++)
		if (n + 1 < WORD_BYTES)
			out[n++] = *l->at;
	out[n] = 0;
	return true;
}

static bool read_number(struct recorded_line *l, bool *negative, uint64_t *out)
{
	uint64_t value = 0;
	bool any = false;
	*negative = l->at < l->end && *l->at == '-';
	l->at += *negative;
	for (; l->at < l->end && *l->at >= '0' && *l->at <= '9'; l->at++, any = true)
		if (__builtin_mul_overflow(value, 10u, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*l->at - '0'), &value))
			return false;
	*out = value;
	return any;
}

static int read_list(struct recorded_line *l, struct mpi_list *list)
{
	bool negative;
	uint64_t value;
	do {
		if (!read_number(l, &negative, &value) || negative)
			return -1;
		mpi_list_add(list, value);
	} while (l->at < l->end && *l->at == ',' && l->at++);
	return 0;
}

static const char *const any_words[] = { "any", "null" };

static int read_int(struct recorded_line *l, int32_t *out)
{
	bool negative;
	uint64_t value;
	for (int i = 0; i < 2; i++) {
		size_t n = strlen(any_words[i]);
		if ((size_t)(l->end - l->at) < n || strncmp(l->at, any_words[i], n) != 0)
			continue;
		l->at += n;
		*out = i ? WL_MPI_PROC_NULL : WL_MPI_ANY;
		return 0;
	}
	if (!read_number(l, &negative, &value) || value > INT32_MAX)
		return -1;
	*out = negative ? -(int32_t)value : (int32_t)value;
	return 0;
}

static int read_word(struct recorded_line *l, uint64_t most, uint64_t *out)
{
	bool negative;
	return read_number(l, &negative, out) && !negative && *out <= most ? 0 : -1;
}

static int read_handle(struct recorded_line *l, uint32_t *out)
{
	uint64_t value = 0;
	int status = read_word(l, UINT32_MAX, &value);
	*out = (uint32_t)value;
	return status;
}

static const char *const keys[] = { "to",          "from",    "root",    "tag",     "bytes",   "rfrom",   "rtag",
	                            "rbytes",      "request", "reqs",    "done",    "counts",  "rcounts", "members",
	                            "comm",        "new",     "color",   "key",     "element", "compute", "found",
	                            "nonblocking", "ordered", "user-op", "in-place" };
/* Those from NONBLOCKING on are flags, without a value. */
enum key {
	TO,
	FROM,
	ROOT,
	TAG,
	BYTES,
	RFROM,
	RTAG,
	RBYTES,
	REQUEST,
	REQS,
	DONE,
	COUNTS,
	RCOUNTS,
	MEMBERS,
	COMM,
	NEW,
	COLOR,
	KEY,
	ELEMENT,
	COMPUTE,
	FOUND,
	NONBLOCKING,
	ORDERED,
	USER_OP,
	IN_PLACE,
	KEYS
};
_Static_assert(sizeof keys / sizeof *keys == KEYS, "one for each");
_Static_assert(KEYS <= 32, "a bit for each");

#define BIT(key) (1u << (key))
#define SENDS (BIT(TO) | BIT(TAG) | BIT(BYTES) | BIT(COMM))
#define RECEIVES (BIT(FROM) | BIT(TAG) | BIT(BYTES) | BIT(COMM))
#define LATER BIT(REQUEST)
#define OF_LIST (BIT(REQS) | BIT(REQUEST))
#define FINDS (OF_LIST | BIT(DONE))
#define TOGETHER (BIT(COMM) | BIT(NONBLOCKING) | BIT(REQUEST))
#define MOVES (TOGETHER | BIT(BYTES) | BIT(IN_PLACE))
#define REDUCES (MOVES | BIT(ELEMENT) | BIT(ORDERED) | BIT(USER_OP))
#define MAKES (BIT(COMM) | BIT(NEW))

/* The keys of each call, but for "compute", which all have, and those of them that have to be there. */
static const struct {
	uint32_t has, needs;
} keys_of[WL_MPI_OPS] = {
	[WL_MPI_SEND] = { SENDS, BIT(TO) },
	[WL_MPI_BSEND] = { SENDS, BIT(TO) },
	[WL_MPI_SSEND] = { SENDS, BIT(TO) },
	[WL_MPI_RSEND] = { SENDS, BIT(TO) },
	[WL_MPI_ISEND] = { SENDS | LATER, BIT(TO) | LATER },
	[WL_MPI_IBSEND] = { SENDS | LATER, BIT(TO) | LATER },
	[WL_MPI_ISSEND] = { SENDS | LATER, BIT(TO) | LATER },
	[WL_MPI_IRSEND] = { SENDS | LATER, BIT(TO) | LATER },
	[WL_MPI_RECV] = { RECEIVES, BIT(FROM) },
	[WL_MPI_IRECV] = { RECEIVES | LATER, BIT(FROM) | LATER },
	[WL_MPI_SENDRECV] = { SENDS | BIT(RFROM) | BIT(RTAG) | BIT(RBYTES), BIT(TO) | BIT(RFROM) },
	[WL_MPI_SEND_INIT] = { SENDS | LATER, BIT(TO) | LATER },
	[WL_MPI_BSEND_INIT] = { SENDS | LATER, BIT(TO) | LATER },
	[WL_MPI_SSEND_INIT] = { SENDS | LATER, BIT(TO) | LATER },
	[WL_MPI_RSEND_INIT] = { SENDS | LATER, BIT(TO) | LATER },
	[WL_MPI_RECV_INIT] = { RECEIVES | LATER, BIT(FROM) | LATER },
	[WL_MPI_START] = { OF_LIST, 0 },
	[WL_MPI_REQUEST_FREE] = { OF_LIST, 0 },
	[WL_MPI_CANCEL] = { OF_LIST, 0 },
	[WL_MPI_WAITALL] = { OF_LIST, 0 },
	[WL_MPI_WAITANY] = { FINDS, 0 },
	[WL_MPI_WAITSOME] = { FINDS, 0 },
	[WL_MPI_TESTALL] = { FINDS, 0 },
	[WL_MPI_TESTANY] = { FINDS, 0 },
	[WL_MPI_TESTSOME] = { FINDS, 0 },
	[WL_MPI_PROBE] = { BIT(FROM) | BIT(TAG) | BIT(COMM), BIT(FROM) },
	[WL_MPI_IPROBE] = { BIT(FROM) | BIT(TAG) | BIT(COMM) | BIT(FOUND), BIT(FROM) },
	[WL_MPI_BARRIER] = { TOGETHER, 0 },
	[WL_MPI_BCAST] = { TOGETHER | BIT(BYTES) | BIT(ROOT), BIT(ROOT) },
	[WL_MPI_REDUCE] = { REDUCES | BIT(ROOT), BIT(ROOT) },
	[WL_MPI_ALLREDUCE] = { REDUCES, 0 },
	[WL_MPI_GATHER] = { MOVES | BIT(ROOT), BIT(ROOT) },
	[WL_MPI_GATHERV] = { MOVES | BIT(ROOT) | BIT(COUNTS), BIT(ROOT) },
	[WL_MPI_SCATTER] = { MOVES | BIT(ROOT), BIT(ROOT) },
	[WL_MPI_SCATTERV] = { MOVES | BIT(ROOT) | BIT(COUNTS), BIT(ROOT) },
	[WL_MPI_ALLGATHER] = { MOVES, 0 },
	[WL_MPI_ALLGATHERV] = { MOVES | BIT(COUNTS), 0 },
	[WL_MPI_ALLTOALL] = { MOVES, 0 },
	[WL_MPI_ALLTOALLV] = { TOGETHER | BIT(IN_PLACE) | BIT(COUNTS) | BIT(RCOUNTS), 0 },
	[WL_MPI_REDUCE_SCATTER] = { REDUCES | BIT(COUNTS), 0 },
	[WL_MPI_REDUCE_SCATTER_BLOCK] = { REDUCES, 0 },
	[WL_MPI_SCAN] = { REDUCES, 0 },
	[WL_MPI_EXSCAN] = { REDUCES, 0 },
	[WL_MPI_COMM_DUP] = { MAKES, BIT(NEW) },
	[WL_MPI_COMM_SPLIT] = { MAKES | BIT(COLOR) | BIT(KEY), BIT(COLOR) },
	[WL_MPI_COMM_CREATE] = { MAKES | BIT(MEMBERS), BIT(MEMBERS) },
	[WL_MPI_COMM_FREE] = { BIT(COMM), BIT(COMM) },
};

static int read_color(struct recorded_line *l, int32_t *color)
{
	uint64_t value = 0;
	if (l->end - l->at >= 4 && !strncmp(l->at, "none", 4)) {
		l->at += 4;
		*color = WL_MPI_NO_COLOR;
		return 0;
	}
	int status = read_word(l, INT32_MAX, &value);
	*color = (int32_t)value;
	return status;
}

static int read_value(struct recorded_line *l, enum key key, struct mpi_call *c)
{
	uint64_t value = 0;
	int status;
	switch (key) {
	case TO:
	case FROM:
	case ROOT:
		return read_int(l, &c->peer);
	case TAG:
		return read_int(l, &c->tag);
	case BYTES:
		return read_word(l, UINT64_C(1) << 50, &c->bytes);
	case RFROM:
		return read_int(l, &c->from);
	case RTAG:
		return read_int(l, &c->from_tag);
	case RBYTES:
		return read_word(l, UINT64_C(1) << 50, &c->from_bytes);
	case REQUEST:
		return read_word(l, UINT64_MAX, &c->request);
	case REQS:
		return read_list(l, &c->requests);
	case DONE:
		c->outcome_known = true;
		return l->at < l->end && *l->at >= '0' && *l->at <= '9' ? read_list(l, &c->completed) : 0;
	case COUNTS:
		return read_list(l, &c->counts);
	case RCOUNTS:
		return read_list(l, &c->from_counts);
	case MEMBERS:
		return read_list(l, &c->members);
	case COMM:
		return read_handle(l, &c->comm);
	case NEW:
		return read_handle(l, &c->new_comm) || c->new_comm <= WL_MPI_SELF ? -1 : 0;
	case COLOR:
		return read_color(l, &c->color);
	case KEY:
		return read_int(l, &c->key);
	case ELEMENT:
		return read_word(l, UINT32_MAX, &c->element);
	case COMPUTE:
		return read_word(l, UINT64_MAX / 4, &c->compute);
	case FOUND:
		status = read_word(l, 1, &value);
		c->outcome_known = true;
		c->found = value != 0;
		return status;
	case NONBLOCKING:
	case ORDERED:
	case USER_OP:
	case IN_PLACE:
	case KEYS:
		break;
	}
	return -1;
}

static void set_flag(enum key flag, struct mpi_call *c)
{
	c->nonblocking |= flag == NONBLOCKING;
	c->not_commutative |= flag == ORDERED;
	c->user_op |= flag == USER_OP;
	c->in_place |= flag == IN_PLACE;
}

static enum mpi_op op_of(const char *word)
{
	static const struct {
		const char *name;
		enum mpi_op op;
	} others[] = { { "compute", WL_MPI_COMPUTE }, { "wait", WL_MPI_WAITALL }, { "test", WL_MPI_TESTALL } };
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (!strcasecmp(word, others[i].name))
			return others[i].op;
	for (enum mpi_op op = WL_MPI_SEND; op < WL_MPI_OPS; op++)
		if (!strcasecmp(word, mpi_op_name(op) + MPI_PREFIX))
			return op;
	return WL_MPI_OPS;
}

/* What a call of MPI that has no name here is written as; false: it is none. */
static bool other_form(const char *word, char *out, size_t room)
{
	static const struct {
		const char *call, *form;
	} forms[] = { { "startall", "start reqs=..." }, { "sendrecv_replace", "sendrecv" } };
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (!strcasecmp(word, forms[i].call)) {
			snprintf(out, room, "%s", forms[i].form);
			return true;
		}
	enum mpi_op op = *word == 'i' || *word == 'I' ? op_of(word + 1) : WL_MPI_OPS;
	if (op == WL_MPI_OPS || !mpi_is_collective(op))
		return false;
	snprintf(out, room, "%s nonblocking request=...", mpi_op_name(op) + MPI_PREFIX);
	out[0] = (char)tolower((unsigned char)out[0]);
	return true;
}

static int bad_op(const struct recorded_line *l, const char *word)
{
	const char *names[WL_MPI_OPS];
	char text[128], form[64];
	size_t n = 0;
	for (enum mpi_op op = WL_MPI_SEND; op < WL_MPI_OPS; op++)
		names[n++] = mpi_op_name(op) + MPI_PREFIX;
	if (other_form(word, form, sizeof form)) {
		snprintf(text, sizeof text, "\"%.40s\" is written \"%s\"", word, form);
		return fail(l, "%s", text);
	}
	const char *near = base_nearest(word, names, n);
	snprintf(text, sizeof text, "\"%.40s\" is no call%s%s%s", word, near ? "; did you mean " : "", near ? near : "",
	         near ? "?" : "");
	return fail(l, "%s", text);
}

static int bad_value(const struct recorded_line *l, enum key key, const char *value)
{
	char text[256];
	size_t n = 0;
	while (value + n < l->end && !isspace((unsigned char)value[n]) && value[n] != '#')
		n++;
	snprintf(text, sizeof text, "the value of \"%s\" is none that it may have: \"%.*s\"%s", keys[key],
	         (int)(n < 60 ? n : 60), value,
	         key == COLOR ? "; a number from 0 on, or none, which stands for MPI_UNDEFINED" : "");
	return fail(l, "%s", text);
}

/* Waits, tests and starts are of a list, whichever way their requests are written. */
static void list_request(struct mpi_call *c)
{
	bool listed = (c->op >= WL_MPI_WAITALL && c->op <= WL_MPI_TESTSOME) || c->op == WL_MPI_START;
	if (!listed || c->request == WL_MPI_REQUEST_NULL)
		return;
	mpi_list_add(&c->requests, c->request);
	c->request = WL_MPI_REQUEST_NULL;
}

/* TO, FROM and ROOT are the same field: a call that has it goes by one of them alone. */
static int bad_peer(const struct recorded_line *l, enum mpi_op op, enum key key)
{
	char text[96];
	snprintf(text, sizeof text, "%s has \"%s\"%s, not \"%s\"", mpi_op_name(op), mpi_peer_key(op),
	         op == WL_MPI_SENDRECV ? " and \"rfrom\"" : "", keys[key]);
	return fail(l, "%s", text);
}

static int bad_key(const struct recorded_line *l, enum mpi_op op, enum key key)
{
	char text[320];
	uint32_t has = keys_of[op].has | BIT(COMPUTE);
	if (key <= ROOT && mpi_peer_key(op))
		return bad_peer(l, op, key);
	int n = snprintf(text, sizeof text, "%s has no \"%s\", but ", mpi_op_name(op), keys[key]);
	for (enum key k = 0; k < KEYS; k++)
		if (has & BIT(k)) {
			has &= ~BIT(k);
			n += snprintf(text + n, sizeof text - (size_t)n, "%s%s", keys[k],
			              !has              ? ""
			              : has & (has - 1) ? ", "
			                                : " and ");
		}
	return fail(l, "%s", text);
}

/* Keys that a call needs and has not. */
static int check_needs(const struct recorded_line *l, const struct mpi_call *c, uint32_t given)
{
	uint32_t needs = keys_of[c->op].needs;
	char text[128];
	if (c->op >= WL_MPI_START && c->op <= WL_MPI_TESTSOME && !(given & BIT(REQUEST)))
		needs |= BIT(REQS);
	if (mpi_is_collective(c->op) && c->nonblocking)
		needs |= BIT(REQUEST);
	if (mpi_is_collective(c->op) && given & BIT(REQUEST))
		needs |= BIT(NONBLOCKING);
	if (c->op == WL_MPI_COMM_SPLIT && c->color != WL_MPI_NO_COLOR)
		needs |= BIT(NEW);
	for (enum key k = 0; k < KEYS; k++)
		if (needs & ~given & BIT(k)) {
			snprintf(text, sizeof text, "%s needs \"%s\"%s", mpi_op_name(c->op), keys[k],
			         k == NONBLOCKING ? ", as it has a request" : "");
			return fail(l, "%s", text);
		}
	return 0;
}

/* What is reduced is of whole elements. */
static int check_elements(const struct recorded_line *l, const struct mpi_call *c)
{
	uint64_t element = c->element ? c->element : 1, odd = c->bytes % element ? c->bytes : 0;
	bool counted = c->op == WL_MPI_REDUCE_SCATTER;
	char text[128];
	for (uint32_t i = 0; counted && i < c->counts.n && !odd; i++)
		odd = c->counts.v[i] % element ? c->counts.v[i] : 0;
	if (!odd)
		return 0;
	snprintf(text, sizeof text, "%s of %" PRIu64 " B is of no whole number of elements of %" PRIu64 " B",
	         mpi_op_name(c->op), odd, element);
	return fail(l, "%s", text);
}

/* The next KEY=VALUE, or flag, whose word was read. */
static int read_key(struct recorded_line *l, const char *word, struct mpi_call *c, uint32_t *given)
{
	enum key key = 0;
	bool valued = l->at < l->end && *l->at == '=';
	while (key < KEYS && strcmp(keys[key], word) != 0)
		key++;
	if (!valued && key < NONBLOCKING)
		return fail(l, "\"%s\" has a value: KEY=VALUE", word);
	if (key == KEYS)
		return fail(l, valued ? "there is no key \"%s\"" : "\"%s\" is neither KEY=VALUE nor a flag", word);
	if (valued && key >= NONBLOCKING)
		return fail(l, "\"%s\" is a flag, which takes no value", word);
	if (!((keys_of[c->op].has | BIT(COMPUTE)) & BIT(key)))
		return bad_key(l, c->op, key);
	if (*given & BIT(key))
		return fail(l, "the key \"%s\" is given twice", word);
	*given |= BIT(key);
	if (key >= NONBLOCKING) {
		set_flag(key, c);
		return 0;
	}
	const char *value = ++l->at;
	if (read_value(l, key, c) ||
	    (l->at < l->end && *l->at != ' ' && *l->at != '\t' && *l->at != '\r' && *l->at != '#'))
		return bad_value(l, key, value);
	return 0;
}

static int read_call(struct recorded_line *l, struct mpi_call *c)
{
	char word[WORD_BYTES];
	uint32_t given = 0; /* bits of keys */
	if (!next_word(l, word))
		return 0;
	c->op = op_of(word);
	if (c->op == WL_MPI_OPS)
		return bad_op(l, word);
	while (next_word(l, word))
		if (read_key(l, word, c, &given))
			return -1;
	if (check_needs(l, c, given) || check_elements(l, c))
		return -1;
	list_request(c);
	c->counted = true;
	c->own_bytes = given & BIT(BYTES);
	return 1;
}

static enum mpi_next next(const struct mpi_source *s, uint32_t rank, struct mpi_cursor *at, struct mpi_call *call,
                          struct base_errors *errors)
{
	const struct text *t = s->data;
	const struct recorded_part *p = &t->part[rank];
	while (p->at + at->word[0] < p->end) {
		const char *begin = t->bytes + p->at + at->word[0];
		const char *end = memchr(begin, '\n', (size_t)(t->bytes + p->end - begin));
		struct recorded_line l = { begin, end ? end : t->bytes + p->end, t, p->line + at->word[1], errors };
		at->word[0] += (uint64_t)(l.end - begin) + (end != NULL);
		at->word[1]++;
		int status = read_call(&l, call);
		if (status)
			return status < 0 ? WL_MPI_UNREADABLE : WL_MPI_CALL;
	}
	return WL_MPI_END;
}

static void place_of_call(const struct mpi_source *s, uint32_t rank, const struct mpi_cursor *at, char *out,
                          size_t room)
{
	const struct text *t = s->data;
	const char *p = t->bytes + t->part[rank].at + at->word[0], *end = t->bytes + t->part[rank].end;
	uint64_t line = t->part[rank].line + at->word[1];
	for (; p < end && (isspace((unsigned char)*p) || *p == '#'); p++) { /* lines without a call */
		if (*p == '#' && !(p = memchr(p, '\n', (size_t)(end - p))))
			break;
		line += *p == '\n';
	}
	snprintf(out, room, "%.150s:%" PRIu64, t->path, line);
}

static bool changed(const struct mpi_source *s, char *out, size_t room)
{
	const struct text *t = s->data;
	snprintf(out, room, "%s", t->path);
	return t->mapped && base_mapped_changed(t->mapped);
}

static void close_text(struct mpi_source *s)
{
	struct text *t = s->data;
	if (!t)
		return;
	base_unmap_file(t->mapped);
	free(t->part);
	free(t->path);
	free(t);
	s->data = NULL;
}

static const struct mpi_source_ops ops = { next, place_of_call, changed, close_text };

/* --- opening ---------------------------------------------------------------------------------------------- */

static int map_file(struct text *t, struct base_errors *errors)
{
	char key[600];
	struct stat st;
	const char *why = "is empty";
	int file = base_open_input(t->path, false, &why);
	snprintf(key, sizeof key, "@%s", t->path);
	if (file < 0)
		return base_errorf(errors, key, "%s", why);
	t->n = fstat(file, &st) ? 0 : (size_t)st.st_size;
	t->mapped = t->n ? base_map_file(file, t->n, &why) : NULL;
	close(file);
	if (!t->mapped)
		return base_errorf(errors, key, "%s", why);
	t->bytes = t->mapped->bytes;
	return 0;
}

/* The rest of "ranks N" or "ranks N end", and of "rank R". */
static int read_head(struct recorded_line *l, uint32_t ranks, uint64_t *value, bool *promised)
{
	char word[WORD_BYTES];
	while (l->at < l->end && *l->at == ' ')
		l->at++;
	if (read_word(l, ranks ? ranks - 1 : MOST_RANKS, value) || (!ranks && !*value))
		return -1;
	if (!next_word(l, word))
		return 0;
	*promised = !ranks && !strcmp(word, "end");
	return *promised && !next_word(l, word) ? 0 : -1;
}

/* "ranks N", and "rank R" before the lines of each. */
static int find_parts(struct text *t, uint32_t *ranks, struct base_errors *errors)
{
	struct recorded_line l = { .text = t, .errors = errors };
	struct recorded_part *part = NULL;
	char word[WORD_BYTES];
	uint64_t value;
	bool ended = false;
	for (size_t at = 0; at < t->n;) {
		const char *begin = t->bytes + at, *end = memchr(begin, '\n', t->n - at);
		size_t line = at;
		l.at = begin;
		l.end = end ? end : t->bytes + t->n;
		l.number++;
		at += (size_t)(l.end - begin) + (end != NULL);
		if (!next_word(&l, word))
			continue;
		bool is_rank = !strcmp(word, "rank");
		if (ended)
			return fail(&l, "\"%s\": behind the line \"end\" nothing is expected", word);
		ended = t->promised && end && !strcmp(word, "end") && !next_word(&l, word);
		if (ended) {
			if (part)
				part->end = line;
			continue;
		}
		if (!*ranks ? strcmp(word, "ranks") != 0 : !is_rank && !part)
			return fail(&l, *ranks ? "\"%s\": \"rank R\" is expected" : "\"%s\": \"ranks N\" is expected",
			            word);
		if (*ranks && !is_rank)
			continue;
		if (read_head(&l, *ranks, &value, &t->promised))
			return fail(&l, "\"%s\" has no number that it may have", is_rank ? "rank" : "ranks");
		if (!*ranks) {
			*ranks = (uint32_t)value;
			t->part = base_calloc(*ranks, sizeof *t->part);
			continue;
		}
		if (part)
			part->end = line;
		part = &t->part[value];
		if (part->line)
			return fail(&l, "%s is given twice", "this rank");
		*part = (struct recorded_part){ at, t->n, l.number + 1 };
	}
	if (*ranks && t->promised && !ended)
		return fail(&l, "%s", "is cut off: its last line should be \"end\", as its line \"ranks\" says");
	return *ranks ? 0 : fail(&l, "%s", "there is no line \"ranks N\"");
}

int mpi_text_open(struct mpi_source *out, const char *path, struct base_errors *errors)
{
	struct text *t = base_calloc(1, sizeof *t);
	*out = (struct mpi_source){ .ops = &ops, .data = t };
	t->path = base_strdup(path);
	if (!map_file(t, errors) && !find_parts(t, &out->ranks, errors))
		return 0;
	close_text(out);
	return -1;
}

int mpi_text_check(const struct mpi_source *s, struct base_errors *errors)
{
	struct mpi_call call = { 0 };
	size_t before = errors->errors;
	for (uint32_t rank = 0; rank < s->ranks && errors->errors < before + MOST_TOLD; rank++) {
		struct mpi_cursor at = { { 0 } };
		enum mpi_next status;
		do {
			mpi_call_reset(&call);
			status = next(s, rank, &at, &call, errors);
		} while (status == WL_MPI_CALL);
	}
	mpi_call_free(&call);
	return errors->errors == before ? 0 : -1;
}

int mpi_text_parse(struct mpi_source *out, const char *bytes, size_t n, const char *name, struct base_errors *errors)
{
	struct text *t = base_calloc(1, sizeof *t);
	*out = (struct mpi_source){ .ops = &ops, .data = t };
	t->path = base_strdup(name);
	t->bytes = bytes;
	t->n = n;
	if (!find_parts(t, &out->ranks, errors))
		return 0;
	close_text(out);
	return -1;
}
