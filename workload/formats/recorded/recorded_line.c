/* workload/formats/recorded/recorded_line.c - see recorded_line.h */
#include "workload/formats/recorded/recorded_line.h"

#include "base/param.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define MPI_PREFIX 4u /* of "MPI_Send" */

int recorded_fail(const struct recorded_line *l, const char *fmt, const char *word)
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

bool recorded_next_word(struct recorded_line *l, char *out)
{
	size_t n = 0;
	while (l->at < l->end && (*l->at == ' ' || *l->at == '\t' || *l->at == '\r'))
		l->at++;
	if (l->at == l->end || *l->at == '#')
		return false;
	for (; l->at < l->end && *l->at != ' ' && *l->at != '\t' && *l->at != '\r' && *l->at != '='; l->at++)
		if (n + 1 < RECORDED_WORD)
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

int recorded_read_word(struct recorded_line *l, uint64_t most, uint64_t *out)
{
	bool negative;
	return read_number(l, &negative, out) && !negative && *out <= most ? 0 : -1;
}

static int read_handle(struct recorded_line *l, uint32_t *out)
{
	uint64_t value = 0;
	int status = recorded_read_word(l, UINT32_MAX, &value);
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
	int status = recorded_read_word(l, INT32_MAX, &value);
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
		return recorded_read_word(l, UINT64_C(1) << 50, &c->bytes);
	case RFROM:
		return read_int(l, &c->from);
	case RTAG:
		return read_int(l, &c->from_tag);
	case RBYTES:
		return recorded_read_word(l, UINT64_C(1) << 50, &c->from_bytes);
	case REQUEST:
		return recorded_read_word(l, UINT64_MAX, &c->request);
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
		return recorded_read_word(l, UINT32_MAX, &c->element);
	case COMPUTE:
		return recorded_read_word(l, UINT64_MAX / 4, &c->compute);
	case FOUND:
		status = recorded_read_word(l, 1, &value);
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
		return recorded_fail(l, "%s", text);
	}
	const char *near = base_nearest(word, names, n);
	snprintf(text, sizeof text, "\"%.40s\" is no call%s%s%s", word, near ? "; did you mean " : "", near ? near : "",
	         near ? "?" : "");
	return recorded_fail(l, "%s", text);
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
	return recorded_fail(l, "%s", text);
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
	return recorded_fail(l, "%s", text);
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
	return recorded_fail(l, "%s", text);
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
			return recorded_fail(l, "%s", text);
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
	return recorded_fail(l, "%s", text);
}

/* The next KEY=VALUE, or flag, whose word was read. */
static int read_key(struct recorded_line *l, const char *word, struct mpi_call *c, uint32_t *given)
{
	enum key key = 0;
	bool valued = l->at < l->end && *l->at == '=';
	while (key < KEYS && strcmp(keys[key], word) != 0)
		key++;
	if (!valued && key < NONBLOCKING)
		return recorded_fail(l, "\"%s\" requires a value: KEY=VALUE", word);
	if (key == KEYS)
		return recorded_fail(l, valued ? "there is no key \"%s\"" : "\"%s\" must be KEY=VALUE or a flag", word);
	if (valued && key >= NONBLOCKING)
		return recorded_fail(l, "\"%s\" is a flag and takes no value", word);
	if (!((keys_of[c->op].has | BIT(COMPUTE)) & BIT(key)))
		return bad_key(l, c->op, key);
	if (*given & BIT(key))
		return recorded_fail(l, "the key \"%s\" is set twice", word);
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

int recorded_read_call(struct recorded_line *l, struct mpi_call *c)
{
	char word[RECORDED_WORD];
	uint32_t given = 0; /* bits of keys */
	if (!recorded_next_word(l, word))
		return 0;
	c->op = op_of(word);
	if (c->op == WL_MPI_OPS)
		return bad_op(l, word);
	while (recorded_next_word(l, word))
		if (read_key(l, word, c, &given))
			return -1;
	if (check_needs(l, c, given) || check_elements(l, c))
		return -1;
	list_request(c);
	c->counted = true;
	c->own_bytes = given & BIT(BYTES);
	return 1;
}
