/* workload/formats/chakra/chakra_json.c - see chakra_json.h. Two forms are read: that of Chakra's feeder
 * (json_node.cpp),
 *
 *   { "workload_graph": [ { "Id": 216, "Name": "...", "NodeType": 4, "ctrlDeps": [3], "data_deps": [], "runtime": 318,
 *                           "is_cpu_op": true, "comm_size": 1024, ... }, ... ], ... }
 *
 * and that of its jsonizer: the messages of a trace one after the other, as protobuf's MessageToJson writes them:
 *
 *   { "version": "0.0.4" } { "id": "3", "type": "COMP_NODE", "dataDeps": ["2"], "durationMicros": "7",
 *                            "attr": [ { "name": "is_cpu_op", "boolVal": true } ] } ...
 *
 * Members of a node that are no fields of the schema are attributes of those names. */
#include "workload/formats/chakra/chakra_json.h"

#include "base/exhausted.h"
#include "base/json.h"
#include "base/memory.h"
#include "topo/text_file.h"
#include "workload/formats/chakra/chakra_wire.h"

#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_BYTES ((size_t)1 << 28)

bool chakra_is_json(const char *path)
{
	size_t n = strlen(path);
	return n > 5 && !strcmp(path + n - 5, ".json");
}

const char *chakra_place(const char *path, uint64_t place, uint64_t id, char out[64])
{
	if (chakra_is_json(path))
		snprintf(out, 64, "node %" PRIu64, id);
	else
		snprintf(out, 64, "byte %" PRIu64 ", node %" PRIu64, place, id);
	return out;
}

/* --- protobuf's wire format ------------------------------------------------------------------------------------- */

enum { VARINT_FIELD = 0, FIXED64_FIELD = 1, BYTES_FIELD = 2 };

static void put_varint(struct base_buffer *b, uint64_t v)
{
	char bytes[10];
	size_t n = 0;
	do {
		bytes[n++] = (char)((v & 127) | (v > 127 ? 128 : 0));
		v >>= 7;
	} while (v);
	base_buffer_write(b, bytes, n);
}

static void put_number(struct base_buffer *b, unsigned field, uint64_t v)
{
	put_varint(b, field << 3 | VARINT_FIELD);
	put_varint(b, v);
}

static void put_bytes(struct base_buffer *b, unsigned field, const char *bytes, size_t n)
{
	put_varint(b, field << 3 | BYTES_FIELD);
	put_varint(b, n);
	base_buffer_write(b, bytes, n);
}

/* --- nodes ------------------------------------------------------------------------------------------------------ */

struct chakra_json {
	const char *key;
	struct base_errors *errors;
	struct base_buffer node, part;
	size_t index; /* of the node, for messages */
};

__attribute__((format(printf, 2, 3))) static int refuse_node(const struct chakra_json *c, const char *fmt, ...)
{
	char text[300];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return base_errorf(c->errors, c->key, "node %zu of the file: %s", c->index, text);
}

/* A whole number, which protobuf's JSON writes as a text where it may be of 64 bits; negative: two's complement. */
static bool whole_number(const json_t *value, uint64_t *out)
{
	if (json_is_integer(value)) {
		*out = (uint64_t)json_integer_value(value);
		return true;
	}
	const char *text = json_string_value(value);
	if (!text || !*text || strlen(text) > 20 || text[strspn(text, "-0123456789")])
		return false;
	*out = *text == '-' ? (uint64_t)strtoll(text, NULL, 10) : strtoull(text, NULL, 10);
	return true;
}

/* Names without underscores, in small letters: "ctrl_deps" and "ctrlDeps" are one. */
static void plain_key(const char *key, char out[32])
{
	size_t n = 0;
	for (; *key && n < 31; key++)
		if (*key != '_')
			out[n++] = (char)(*key >= 'A' && *key <= 'Z' ? *key - 'A' + 'a' : *key);
	out[n] = 0;
}

static const char *const type_names[CHAKRA_TYPES] = { "INVALID_NODE",   "METADATA_NODE", "MEM_LOAD_NODE",
	                                              "MEM_STORE_NODE", "COMP_NODE",     "COMM_SEND_NODE",
	                                              "COMM_RECV_NODE", "COMM_COLL_NODE" };

static int put_type(struct chakra_json *c, const json_t *value)
{
	const char *text = json_string_value(value);
	uint64_t type = 0;
	while (text && type < CHAKRA_TYPES && strcmp(text, type_names[type]) != 0)
		type++;
	if ((text && type == CHAKRA_TYPES) || (!text && !whole_number(value, &type)))
		return refuse_node(c, "its type is no number, nor one of INVALID_NODE ... COMM_COLL_NODE");
	put_number(&c->node, 3, type);
	return 0;
}

static int put_needs(struct chakra_json *c, unsigned field, const json_t *list, const char *name)
{
	uint64_t id;
	size_t i;
	json_t *value;
	if (!json_is_array(list))
		return refuse_node(c, "%s is no list", name);
	c->part.n = 0;
	json_array_foreach (list, i, value) {
		if (!whole_number(value, &id))
			return refuse_node(c, "%s has something else than numbers", name);
		put_varint(&c->part, id);
	}
	put_bytes(&c->node, field, c->part.data ? c->part.data : "", c->part.n);
	return 0;
}

/* A value of an attribute, of the field numbers of AttributeProto. Texts of whole numbers are such, if `numbers`. */
static void put_value(struct base_buffer *b, const char *name, const json_t *value, bool numbers)
{
	uint64_t number;
	const char *text = json_string_value(value);
	size_t i;
	json_t *one;
	if (json_is_boolean(value)) {
		put_number(b, 27, json_is_true(value));
	} else if (text && !strcmp(name, "comm_type") && !whole_number(value, &number)) {
		for (i = 0; i < CHAKRA_COLLECTIVES && strcmp(text, chakra_collective_name[i]) != 0; i++)
			;
		put_number(b, 9, i);
	} else if ((json_is_integer(value) || (numbers && text)) && whole_number(value, &number)) {
		put_number(b, 9, number); /* int64: ten bytes if it is negative */
	} else if (text) {
		put_bytes(b, 29, text, strlen(text));
	} else if (json_is_real(value)) {
		static const char zeros[8];
		put_varint(b, 3 << 3 | FIXED64_FIELD); /* no number that a replay uses is one */
		base_buffer_write(b, zeros, sizeof zeros);
	} else if (json_is_array(value) && json_array_size(value) && json_is_boolean(json_array_get(value, 0))) {
		struct base_buffer list = { 0 };
		json_array_foreach (value, i, one)
			put_number(&list, 1, json_is_true(one));
		put_bytes(b, 28, list.data, list.n);
		free(list.data);
	}
}

static void put_attribute(struct chakra_json *c, const char *name, const json_t *value, bool numbers)
{
	c->part.n = 0;
	put_bytes(&c->part, 1, name, strlen(name));
	put_value(&c->part, name, value, numbers);
	put_bytes(&c->node, 10, c->part.data, c->part.n);
}

/* { "name": "comm_size", "int64Val": "1024" }, or of PyTorch { "name": ..., "type": ..., "value": ... } */
static int put_attributes(struct chakra_json *c, const json_t *list)
{
	const char *key;
	size_t i;
	json_t *one, *value;
	if (!json_is_array(list))
		return refuse_node(c, "attr is no list");
	json_array_foreach (list, i, one) {
		const char *name = json_string_value(json_object_get(one, "name"));
		const json_t *found = NULL;
		bool numbers = false;
		if (!name)
			return refuse_node(c, "attr[%zu] has no name", i);
		json_object_foreach(one, key, value)
		{
			if (!strcmp(key, "name") || !strcmp(key, "docString") || !strcmp(key, "doc_string") ||
			    !strcmp(key, "type"))
				continue;
			found = json_is_object(value) ? json_object_get(value, "values") : value;
			numbers = strncmp(key, "string", 6) != 0 && strncmp(key, "bytes", 5) != 0;
		}
		if (found)
			put_attribute(c, name, found, numbers);
	}
	return 0;
}

static int put_member(struct chakra_json *c, const char *key, const json_t *value)
{
	char plain[32];
	uint64_t number;
	plain_key(key, plain);
	if (!strcmp(plain, "id")) {
		if (!whole_number(value, &number))
			return refuse_node(c, "its id is no number");
		put_number(&c->node, 1, number);
	} else if (!strcmp(plain, "nodetype") || !strcmp(plain, "type")) {
		return put_type(c, value);
	} else if (!strcmp(plain, "ctrldeps")) {
		return put_needs(c, 4, value, key);
	} else if (!strcmp(plain, "datadeps")) {
		return put_needs(c, 5, value, key);
	} else if (!strcmp(plain, "starttimemicros") || !strcmp(plain, "inputs") || !strcmp(plain, "outputs")) {
		unsigned field = *plain == 's' ? 6 : *plain == 'i' ? 8 : 9;
		if (field == 6)
			put_number(&c->node, 6, 0);
		else
			put_bytes(&c->node, field, "", 0);
	} else if (!strcmp(plain, "durationmicros") || !strcmp(plain, "runtime")) {
		if (!whole_number(value, &number) || (int64_t)number < 0)
			return refuse_node(c, "%s is no whole number of microseconds", key);
		put_number(&c->node, 7, number);
	} else if (!strcmp(plain, "attr") || !strcmp(plain, "attrs")) {
		return put_attributes(c, value);
	} else if (strcmp(plain, "name") != 0 && !json_is_null(value)) {
		put_attribute(c, key, value, true);
	}
	return 0;
}

static int put_node(struct chakra_json *c, const json_t *node, FILE *out)
{
	const char *key;
	json_t *value;
	c->node.n = 0;
	if (!json_is_object(node))
		return refuse_node(c, "is no object");
	json_object_foreach((json_t *)(uintptr_t)node, key, value) if (put_member(c, key, value)) return -1;
	c->part.n = 0;
	put_varint(&c->part, c->node.n);
	fwrite(c->part.data, 1, c->part.n, out);
	if (c->node.n)
		fwrite(c->node.data, 1, c->node.n, out);
	c->index++;
	return 0;
}

/* The first message of a trace: its version. */
static void put_head(const char *version, FILE *out)
{
	struct base_buffer head = { 0 }, whole = { 0 };
	put_bytes(&head, 1, version, strlen(version));
	put_varint(&whole, head.n);
	base_buffer_write(&whole, head.data, head.n);
	fwrite(whole.data, 1, whole.n, out);
	free(head.data);
	free(whole.data);
}

/* --- files ------------------------------------------------------------------------------------------------------ */

static int convert_graph(struct chakra_json *c, const json_t *root, FILE *out)
{
	const json_t *list = json_object_get(root, "workload_graph");
	size_t i;
	json_t *node;
	if (!json_is_array(list))
		return base_errorf(c->errors, c->key, "workload_graph is no list");
	const char *version = json_string_value(json_object_get(root, "schema"));
	put_head(version ? version : "JSON", out);
	json_array_foreach (list, i, node)
		if (put_node(c, node, out))
			return -1;
	return 0;
}

/* What the first object of a file is. */
static int convert_first(struct chakra_json *c, const json_t *first, bool alone, FILE *out)
{
	if (json_object_get(first, "workload_graph"))
		return convert_graph(c, first, out);
	if (json_object_get(first, "nodes"))
		return base_errorf(c->errors, c->key,
		                   "is a trace of PyTorch's observer, of which chakra_converter makes a Chakra trace");
	if (alone && !json_object_get(first, "version") && json_object_size(first))
		return base_errorf(c->errors, c->key,
		                   "is no Chakra trace: an object with \"workload_graph\" is expected, or messages as "
		                   "chakra_jsonizer writes them");
	const char *version = json_string_value(json_object_get(first, "version"));
	put_head(version ? version : "JSON", out);
	return 0;
}

int chakra_convert_json(const char *text, size_t bytes, FILE *out, const char *key, struct base_errors *errors)
{
	struct chakra_json c = { .key = key, .errors = errors };
	size_t at = 0;
	int status = 0;
	bool first = true, whole = false;
	while (!status) {
		json_error_t error;
		while (at < bytes && strchr(" \t\r\n", text[at]) && text[at])
			at++;
		if (at == bytes && !first)
			break;
		json_t *object =
		    json_loadb(text + at, bytes - at, JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &error);
		size_t used = object && error.position > 0 ? (size_t)error.position : 0;
		bool alone = at + used + strspn(text + at + used, " \t\r\n") >= bytes;
		if (!object || !json_is_object(object) || !used)
			status = base_errorf(errors, key, "is no JSON: %s (line %d of what begins at byte %zu)",
			                     object ? "an object is expected" : error.text, error.line, at);
		else if (whole)
			status = base_errorf(errors, key, "has more behind its workload_graph");
		else if (first)
			status = convert_first(&c, object, alone, out);
		else
			status = put_node(&c, object, out);
		whole = first && object && json_object_get(object, "workload_graph");
		first = false;
		at += used;
		json_decref(object);
	}
	free(c.node.data);
	free(c.part.data);
	return status;
}

/* A file without a name; -1: none can be made. */
static int temporary_file(void)
{
	const char *folder = getenv("TMPDIR");
	char path[4096];
	snprintf(path, sizeof path, "%s/tilefly.XXXXXX", folder && *folder ? folder : "/tmp");
	int fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

/* In place of the file itself its conversion is open. */
static int convert_file(struct wl_trace_file *f, const char *key, struct base_errors *errors)
{
	size_t bytes;
	int fd = temporary_file(), copy = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1;
	FILE *out = copy >= 0 ? fdopen(copy, "w") : NULL;
	int status = out ? 0 : base_errorf(errors, key, "no temporary file can be made; TMPDIR says where");
	char *text = out ? topo_read_file(f->path, key, MOST_BYTES, &bytes, errors) : NULL;
	if (text)
		status = chakra_convert_json(text, bytes, out, key, errors);
	else
		status = -1;
	if (out && !status && (fflush(out) || ferror(out)))
		status = base_errorf(errors, key, "the temporary file cannot be written; TMPDIR says where");
	if (!status) {
		f->size = (uint64_t)lseek(fd, 0, SEEK_END);
		close(f->fd);
		f->fd = fd;
	} else if (fd >= 0) {
		close(fd);
	}
	if (out)
		fclose(out);
	else if (copy >= 0)
		close(copy);
	free(text);
	return status;
}

int chakra_open_file(struct wl_trace_file *f, const char *path, struct base_errors *errors)
{
	char key[1200];
	const char *why = wl_trace_file_open(f, path, true);
	wl_trace_key(path, 0, key, sizeof key);
	if (why)
		return base_errorf(errors, key, "cannot be read: %s", why);
	if (!chakra_is_json(path) || !convert_file(f, key, errors))
		return 0;
	wl_trace_file_close(f);
	return -1;
}
