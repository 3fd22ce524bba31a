/* workload/formats/chakra/chakra_wire.c - see chakra_wire.h. The end of a message is known when it begins; nothing is
 * read beyond it, whatever its bytes. */
#include "workload/formats/chakra/chakra_wire.h"
#include "workload/formats/chakra/chakra_json.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum wire { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };

const char *const chakra_collective_name[CHAKRA_COLLECTIVES] = { "ALL_REDUCE", "REDUCE",         "ALL_GATHER",
	                                                         "GATHER",     "SCATTER",        "BROADCAST",
	                                                         "ALL_TO_ALL", "REDUCE_SCATTER", "REDUCE_SCATTER_BLOCK",
	                                                         "BARRIER" };

const char *const chakra_attribute_name[CHAKRA_ATTRIBUTES] = {
	"comm_size", "comm_type",   "comm_src", "comm_dst", "comm_tag",     "is_cpu_op",
	"num_ops",   "tensor_size", "pg_name",  "pg_id",    "involved_dim",
};

struct message {
	struct wl_bytes *b;
	uint64_t end;
	bool failed;
};

static uint64_t varint(struct message *m)
{
	uint64_t v = 0;
	for (unsigned shift = 0; shift < 70; shift += 7) {
		int byte = wl_bytes_place(m->b) < m->end ? wl_bytes_next(m->b) : -1;
		if (byte < 0)
			break;
		if (shift == 63 && byte > 1)
			break;
		v |= (uint64_t)(byte & 127) << shift;
		if (byte < 128)
			return v;
	}
	m->failed = true;
	return 0;
}

static uint64_t fixed(struct message *m, unsigned bytes)
{
	uint64_t v = 0;
	for (unsigned i = 0; i < bytes; i++) {
		int byte = wl_bytes_place(m->b) < m->end ? wl_bytes_next(m->b) : -1;
		m->failed = m->failed || byte < 0;
		v |= (uint64_t)(byte < 0 ? 0 : byte) << 8 * i;
	}
	return v;
}

/* A field's number; 0 at the end of the message, or if it is damaged. */
static unsigned field(struct message *m, enum wire *wire)
{
	if (m->failed || wl_bytes_place(m->b) >= m->end)
		return 0;
	uint64_t key = varint(m);
	*wire = (enum wire)(key & 7);
	if (m->failed || key >> 3 == 0 || key >> 3 > 536870911) {
		m->failed = true;
		return 0;
	}
	return (unsigned)(key >> 3);
}

/* A message, or a text, inside of one: up to where it goes. */
static struct message inside(struct message *m)
{
	uint64_t n = varint(m);
	if (m->failed || n > m->end - wl_bytes_place(m->b)) {
		m->failed = true;
		n = 0;
	}
	return (struct message){ .b = m->b, .end = wl_bytes_place(m->b) + n, .failed = m->failed };
}

static void skip_to_end(struct message *m)
{
	wl_bytes_skip(m->b, m->end - wl_bytes_place(m->b));
}

static void skip(struct message *m, enum wire wire)
{
	struct message part;
	if (wire == VARINT) {
		varint(m);
	} else if (wire == FIXED64 || wire == FIXED32) {
		fixed(m, wire == FIXED64 ? 8 : 4);
	} else if (wire == BYTES) {
		part = inside(m);
		if (!m->failed)
			skip_to_end(&part);
	} else {
		m->failed = true; /* groups are no longer used */
	}
}

static void text(struct message *m, char out[CHAKRA_TEXT])
{
	struct message part = inside(m);
	unsigned n = 0;
	while (!m->failed && n + 1 < CHAKRA_TEXT && wl_bytes_place(part.b) < part.end) {
		int c = wl_bytes_next(part.b);
		if (c < 0)
			break;
		out[n++] = (char)c;
	}
	out[n] = 0;
	if (!m->failed)
		skip_to_end(&part);
}

/* Numbers that are repeated: packed, or one by one. */
static uint64_t numbers(struct message *m, enum wire wire, struct mpi_list *list)
{
	uint64_t before = list->n;
	if (wire == VARINT) {
		mpi_list_add(list, varint(m));
	} else if (wire == BYTES) {
		struct message part = inside(m);
		while (!part.failed && wl_bytes_place(part.b) < part.end && list->n < UINT32_MAX / 2)
			mpi_list_add(list, varint(&part));
		m->failed = m->failed || part.failed;
	} else {
		m->failed = true;
	}
	return list->n - before;
}

/* --- attributes ------------------------------------------------------------------------------------------------ */

struct attribute {
	char name[CHAKRA_TEXT], text[CHAKRA_TEXT];
	bool integer, negative;
	uint64_t value;
	uint32_t bits, bit; /* of a list of truth values: how many, and 1 << those that are true */
};

static int64_t zigzag(uint64_t v)
{
	return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}

static void take_bits(struct message *m, struct attribute *a)
{
	struct message part = inside(m);
	struct mpi_list list = { 0 };
	enum wire wire = VARINT;
	unsigned number;
	while ((number = field(&part, &wire)) && list.n <= CHAKRA_DIMS) {
		if (number == 1)
			numbers(&part, wire, &list);
		else
			skip(&part, wire);
	}
	m->failed = m->failed || part.failed;
	if (!m->failed)
		skip_to_end(&part);
	for (uint32_t i = 0; i < list.n && i < CHAKRA_DIMS; i++)
		a->bit |= (uint32_t)(list.v[i] != 0) << i;
	a->bits = list.n;
	free(list.v);
}

/* The value, of any integer type; field numbers are those of the "oneof". */
static void take_value(struct message *m, unsigned number, enum wire wire, struct attribute *a)
{
	int64_t value = 0;
	a->integer = true;
	if ((number == 7 || number == 9) && wire == VARINT)
		value = (int64_t)varint(m);
	else if ((number == 11 || number == 13 || number == 27) && wire == VARINT)
		a->value = varint(m);
	else if ((number == 15 || number == 17) && wire == VARINT)
		value = zigzag(varint(m));
	else if (number == 19 && wire == FIXED32)
		a->value = fixed(m, 4);
	else if (number == 21 && wire == FIXED64)
		a->value = fixed(m, 8);
	else if (number == 23 && wire == FIXED32)
		value = (int32_t)(uint32_t)fixed(m, 4);
	else if (number == 25 && wire == FIXED64)
		value = (int64_t)fixed(m, 8);
	else {
		a->integer = false;
		if (number == 29 && wire == BYTES)
			text(m, a->text);
		else if (number == 28 && wire == BYTES)
			take_bits(m, a);
		else
			skip(m, wire);
		return;
	}
	a->negative = value < 0;
	if (value)
		a->value = (uint64_t)value;
}

static void read_attribute(struct message *m, struct attribute *a)
{
	struct message part = inside(m);
	enum wire wire;
	unsigned number;
	*a = (struct attribute){ 0 };
	while ((number = field(&part, &wire))) {
		if (number == 1 && wire == BYTES)
			text(&part, a->name);
		else if (number == 2 || number == 1)
			skip(&part, wire);
		else
			take_value(&part, number, wire, a);
	}
	m->failed = m->failed || part.failed;
}

int chakra_errorf(const struct wl_trace_file *f, const struct chakra_node *n, struct base_errors *errors,
                  const char *fmt, ...)
{
	char key[1200], why[300], place[64];
	va_list ap;
	if (!errors)
		return -1;
	va_start(ap, fmt);
	vsnprintf(why, sizeof why, fmt, ap);
	va_end(ap);
	wl_trace_key(f->path, 0, key, sizeof key);
	return base_errorf(errors, key, "%s: %s", chakra_place(f->path, n->place, n->id, place), why);
}

static int take_group(struct chakra_node *n, const struct attribute *a)
{
	if (a->integer)
		snprintf(n->group, sizeof n->group, "%" PRIu64, a->value);
	else if (*a->text)
		memcpy(n->group, a->text, sizeof n->group);
	return 0;
}

static int take_dims(const struct wl_trace_file *f, struct chakra_node *n, const struct attribute *a,
                     struct base_errors *errors)
{
	if (!a->bits || a->bits > CHAKRA_DIMS)
		return chakra_errorf(f, n, errors, "%s is not a list of 1 to %u truth values", a->name, CHAKRA_DIMS);
	n->dims = a->bits;
	n->involved = a->bit;
	return 0;
}

/* Stores an attribute that a replay may need. -1 with an error if its value is not permitted. Attributes of the amount
 * of work, which a replay only counts, may have any type. */
static int take_attribute(const struct wl_trace_file *f, struct chakra_node *n, const struct attribute *a,
                          struct base_errors *errors)
{
	enum chakra_attribute k = 0;
	while (k < CHAKRA_ATTRIBUTES && strcmp(a->name, chakra_attribute_name[k]) != 0)
		k++;
	if (k == CHAKRA_ATTRIBUTES) {
		if (n->unknown)
			chakra_names_count(n->unknown, a->name);
		return 0;
	}
	n->has |= 1u << k;
	if (k == CHAKRA_PG_NAME || k == CHAKRA_PG_ID)
		return take_group(n, a);
	if (k == CHAKRA_INVOLVED_DIM)
		return take_dims(f, n, a, errors);
	if ((!a->integer || a->negative) && k != CHAKRA_NUM_OPS && k != CHAKRA_TENSOR_SIZE)
		return chakra_errorf(f, n, errors, a->integer ? "%s is negative" : "%s is not an integer", a->name);
	n->value[k] = a->value;
	return 0;
}

/* --- nodes ------------------------------------------------------------------------------------------------------ */

void chakra_node_free(struct chakra_node *n)
{
	free(n->needs.v);
	free(n->control.v);
	*n = (struct chakra_node){ 0 };
}

static int damaged(const struct wl_trace_file *f, uint64_t place, struct base_errors *errors, const char *what)
{
	char key[1200];
	if (!errors)
		return -1;
	return base_errorf(errors, wl_trace_key(f->path, 0, key, sizeof key), "byte %" PRIu64 ": %s", place, what);
}

/* The message at a place; false: it is longer than the file. */
static bool begin_message(const struct wl_trace_file *f, struct wl_bytes *b, uint64_t at, struct message *m)
{
	struct message whole = { .b = b, .end = f->size };
	wl_bytes_move(b, f, at);
	*m = inside(&whole);
	return !m->failed;
}

int chakra_read_head(const struct wl_trace_file *f, uint64_t *at, char version[CHAKRA_TEXT], struct base_errors *errors)
{
	struct wl_bytes b = { .file = NULL };
	struct message m;
	struct attribute a;
	enum wire wire = VARINT;
	unsigned number;
	*version = 0;
	if (!begin_message(f, &b, *at, &m))
		return damaged(f, *at, errors, "is not a Chakra trace, or is truncated: there is no metadata message");
	while ((number = field(&m, &wire))) {
		if (number == 1 && wire == BYTES) {
			text(&m, version);
		} else if (number == 2 && wire == BYTES) {
			read_attribute(&m, &a);
			if (!*version && !strcmp(a.name, "schema"))
				memcpy(version, a.text, CHAKRA_TEXT);
		} else {
			skip(&m, wire);
		}
	}
	if (m.failed || b.failed)
		return damaged(f, *at, errors, "is not a Chakra trace: its metadata are damaged");
	if (!*version)
		return damaged(f, *at, errors,
		               "is not a Chakra trace: its metadata contain neither a version nor a schema");
	*at = m.end;
	return 0;
}

/* Fields of a node that no replay uses. */
static void count_field(struct chakra_node *n, unsigned number)
{
	static const char *const name[] = { [6] = "start_time_micros", [8] = "inputs", [9] = "outputs" };
	if (n->unknown && number < sizeof name / sizeof *name && name[number])
		chakra_names_count(n->unknown, name[number]);
}

static int read_fields(const struct wl_trace_file *f, struct message *m, struct chakra_node *n,
                       struct base_errors *errors)
{
	struct attribute a;
	enum wire wire = VARINT;
	unsigned number;
	uint64_t type = 0;
	while ((number = field(m, &wire))) {
		if (number == 1 && wire == VARINT)
			n->id = varint(m);
		else if (number == 3 && wire == VARINT)
			type = varint(m);
		else if (number == 4)
			numbers(m, wire, &n->control);
		else if (number == 5)
			n->data_needs += numbers(m, wire, &n->needs);
		else if (number == 7 && wire == VARINT)
			n->duration_us = varint(m);
		else if (number == 10 && wire == BYTES) {
			read_attribute(m, &a);
			if (!m->failed && take_attribute(f, n, &a, errors))
				return -1;
		} else {
			skip(m, wire);
			count_field(n, number);
		}
	}
	if (m->failed || m->b->failed)
		return damaged(f, n->place, errors, "a node is damaged");
	if (type >= CHAKRA_TYPES)
		return chakra_errorf(f, n, errors, "type %" PRIu64 " is not one of 0 to 7", type);
	n->type = (unsigned)type;
	for (uint32_t i = 0; i < n->control.n; i++)
		mpi_list_add(&n->needs, n->control.v[i]);
	return 0;
}

/* The host's part of a collective, which launches it on the device: of PyTorch's traces. */
static void take_launch(struct chakra_node *n)
{
	n->launch = n->type == CHAKRA_COLL && chakra_on_host(n) && !chakra_has(n, CHAKRA_COMM_TYPE);
	if (n->launch)
		n->type = CHAKRA_COMP;
}

static int check_node(const struct wl_trace_file *f, const struct chakra_node *n, struct base_errors *errors)
{
	bool message = n->type == CHAKRA_SEND || n->type == CHAKRA_RECV;
	if (n->type == CHAKRA_SEND && !chakra_has(n, CHAKRA_COMM_DST))
		return chakra_errorf(f, n, errors, "the send has no comm_dst");
	if (n->type == CHAKRA_RECV && !chakra_has(n, CHAKRA_COMM_SRC))
		return chakra_errorf(f, n, errors, "the receive has no comm_src");
	if (message && n->value[CHAKRA_COMM_TAG] >= UINT32_MAX)
		return chakra_errorf(f, n, errors, "tag %" PRIu64 " is larger than 4294967294",
		                     n->value[CHAKRA_COMM_TAG]);
	if (n->type == CHAKRA_COLL && !chakra_has(n, CHAKRA_COMM_TYPE))
		return chakra_errorf(f, n, errors, "the collective has no comm_type");
	if (n->type == CHAKRA_COLL && n->value[CHAKRA_COMM_TYPE] >= CHAKRA_COLLECTIVES)
		return chakra_errorf(f, n, errors, "comm_type %" PRIu64 " is not one of 0 to 9",
		                     n->value[CHAKRA_COMM_TYPE]);
	if (n->duration_us > UINT64_MAX / 1000000)
		return chakra_errorf(f, n, errors, "a duration of %" PRIu64 " us is too long", n->duration_us);
	return 0;
}

enum mpi_next chakra_read_node(const struct wl_trace_file *f, uint64_t *at, struct chakra_node *n,
                               struct base_errors *errors)
{
	struct mpi_list needs = n->needs, control = n->control;
	struct message m;
	needs.n = control.n = 0;
	memset(n, 0, offsetof(struct chakra_node, window));
	n->needs = needs;
	n->control = control;
	n->place = *at;
	if (*at >= f->size)
		return WL_MPI_END;
	if (!begin_message(f, &n->window, *at, &m)) {
		damaged(f, *at, errors, "the node is truncated");
		return WL_MPI_UNREADABLE;
	}
	if (read_fields(f, &m, n, errors))
		return WL_MPI_UNREADABLE;
	take_launch(n);
	if (check_node(f, n, errors))
		return WL_MPI_UNREADABLE;
	*at = m.end;
	return WL_MPI_CALL;
}
