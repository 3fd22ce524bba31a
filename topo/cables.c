/* topo/cables.c - see cables.h */
#include "topo/cables.h"

#include "base/memory.h"
#include "base/param.h"
#include "topo/checked.h"
#include "topo/text_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ERRORS 20
#define MOST_BYTES ((size_t)1 << 30)
#define MOST_CABLES ((size_t)1 << 28)
#define MOST_ENDPOINTS 65535 /* per switch */
#define MOST_WORDS 6         /* of a line */

struct cable_reader {
	struct topo_cables *cables;
	uint32_t *endpoints; /* of TOPO_MAX_TABLED switches; NULL before the first "endpoints" line */
	const char *file;
	struct base_errors *errors;
	unsigned line, problems;
	unsigned attributes,
	    attributes_at; /* lines with attributes in braces, which are not read, and the first of them */
};

/* Adds FILE:LINE: text, quoting the offending word. */
static void problem(struct cable_reader *r, const char *text, const char *word, size_t length)
{
	if (r->problems++ < MOST_ERRORS)
		base_errorf(r->errors, "file", "%s:%u: %s%s%.*s%s", r->file, r->line, text, word ? ": \"" : "",
		            word ? (int)(length > 40 ? 40 : length) : 0, word ? word : "", word ? "\"" : "");
}

static bool read_switch(struct cable_reader *r, const char *word, size_t length, topo_switch *out)
{
	uint64_t value = 0;
	for (size_t i = 0; i < length || !length; i++) {
		if (!length || word[i] < '0' || word[i] > '9') {
			problem(r, "a switch number is expected (0, 1, 2, ...)", word, length);
			return false;
		}
		if (value < TOPO_MAX_TABLED)
			value = 10 * value + (uint64_t)(word[i] - '0');
	}
	if (value >= TOPO_MAX_TABLED) {
		problem(r,
		        "at most 16384 switches are supported, numbered from 0 (their distances take switches^2 bytes)",
		        word, length);
		return false;
	}
	*out = (topo_switch)value;
	return true;
}

static bool read_class(struct cable_reader *r, const char *word, size_t length, uint16_t *out)
{
	struct topo_cables *c = r->cables;
	char name[TOPO_CLASS_NAME] = "", text[200];
	if (length >= TOPO_CLASS_NAME) {
		problem(r, "the name of a link class has at most 31 characters", word, length);
		return false;
	}
	for (size_t i = 0; i < length; i++)
		if (word[i] < '!' || word[i] > '~') {
			problem(r, "the name of a link class is printable ASCII", NULL, 0);
			return false;
		}
	for (*out = 0; *out < c->classes; ++*out)
		if (strlen(c->class_name[*out]) == length && !memcmp(c->class_name[*out], word, length))
			return true;
	if (c->classes == TOPO_LINK_CLASSES) {
		problem(r, "at most 4096 link classes are supported", word, length);
		return false;
	}
	memcpy(name, word, length);
	const char *refused = topo_class_name_refused(name);
	if (refused) {
		snprintf(text, sizeof text, "no link class may be called \"%s\", which %s", name, refused);
		problem(r, text, NULL, 0);
		return false;
	}
	if (!(c->classes & (c->classes - 1)))
		c->class_name = base_realloc(c->class_name, 2 * ((size_t)c->classes + 1) * sizeof *c->class_name);
	memcpy(c->class_name[c->classes++], name, sizeof name);
	return true;
}

int topo_cables_own(struct topo_cables *c, struct topo_direction there, struct topo_direction back)
{
	static const char *const one[] = { "own" };
	if (!c->own.n)
		topo_kinds_start(&c->own, one, 1);
	return topo_kinds_class(&c->own, 0, there, back);
}

/* What a line says about a cable behind its class. */
struct cable_words {
	struct topo_direction there, back;
	bool has_bandwidth, has_latency, has_absent, absent;
};

/* A bandwidth or a latency. */
static bool read_quantity(struct cable_reader *r, enum base_type type, const char *at, size_t length, uint64_t *out)
{
	char text[64];
	const char *why = "is empty";
	*out = 0;
	if (length == 1 && *at == '-') /* that of the class */
		return true;
	snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1), at);
	bool good =
	    length && length < sizeof text && !(type == BASE_RATE ? base_parse_rate : base_parse_time)(text, out, &why);
	double most = type == BASE_RATE ? TOPO_MOST_BANDWIDTH : TOPO_MOST_LATENCY,
	       least = type == BASE_RATE ? TOPO_LEAST_BANDWIDTH : 1;
	if (good && (double)*out >= least && (double)*out <= most)
		return true;
	char text_of[200];
	snprintf(text_of, sizeof text_of, "%s, %s",
	         type == BASE_RATE ? "a bandwidth from 1Mbps to 1000Tbps is expected"
	                           : "a latency from 1ps to 1s is expected",
	         good ? "this is out of range" : why);
	problem(r, text_of, at, length);
	return false;
}

/* "VALUE", for both directions, or "VALUE/VALUE", there and back. */
static bool read_directions(struct cable_reader *r, enum base_type type, const char *at, size_t length, uint64_t *there,
                            uint64_t *back)
{
	const char *slash = memchr(at, '/', length);
	size_t first = slash ? (size_t)(slash - at) : length;
	if (!read_quantity(r, type, at, first, there))
		return false;
	*back = *there;
	return !slash || read_quantity(r, type, slash + 1, length - first - 1, back);
}

static bool again(struct cable_reader *r, bool *has, const char *word, size_t length)
{
	if (*has)
		problem(r, "given twice for one cable", word, length);
	bool before = *has;
	*has = true;
	return before;
}

/* "bandwidth=100Gbps", "latency=10ns/12ns", "absent=true" */
static bool read_word(struct cable_reader *r, const char *word, size_t length, struct cable_words *out)
{
	const char *equals = memchr(word, '=', length);
	size_t name = (size_t)(equals - word), left = length - name - 1;
	const char *value = equals + 1;
	if (name == 9 && !memcmp(word, "bandwidth", name))
		return !again(r, &out->has_bandwidth, word, length) &&
		       read_directions(r, BASE_RATE, value, left, &out->there.bandwidth, &out->back.bandwidth);
	if (name == 7 && !memcmp(word, "latency", name))
		return !again(r, &out->has_latency, word, length) &&
		       read_directions(r, BASE_TIME, value, left, &out->there.latency, &out->back.latency);
	if (name != 6 || memcmp(word, "absent", name) != 0) {
		problem(r, "a cable has bandwidth=, latency= and absent=, nothing else", word, length);
		return false;
	}
	out->absent = left == 4 && !memcmp(value, "true", 4);
	if (!out->absent && (left != 5 || memcmp(value, "false", 5) != 0)) {
		problem(
		    r,
		    memchr(value, '/', left)
			? "absent=true or absent=false is expected, for both directions: credits and acknowledgements "
			  "of one direction travel by the other"
			: "absent=true or absent=false is expected",
		    word, length);
		return false;
	}
	return !again(r, &out->has_absent, word, length);
}

static void add_cable(struct topo_cables *c, struct topo_cable cable)
{
	if (c->n == c->cap) {
		c->cap = c->cap ? 2 * c->cap : 1024;
		c->v = base_realloc(c->v, c->cap * sizeof *c->v);
	}
	c->v[c->n++] = cable;
	uint32_t top = (cable.a > cable.b ? cable.a : cable.b) + 1;
	c->switches = top > c->switches ? top : c->switches;
}

/* A cable that the file says is not there: its switches are. */
static void note_absent(struct topo_cables *c, const struct topo_cable *cable)
{
	uint32_t top = (cable->a > cable->b ? cable->a : cable->b) + 1;
	c->switches = top > c->switches ? top : c->switches;
	c->absent++;
}

static void add_own_cable(struct cable_reader *r, struct topo_cable cable, const struct cable_words *words)
{
	int own = 0;
	if (words->has_bandwidth || words->has_latency)
		own = topo_cables_own(r->cables, words->there, words->back);
	if (own < 0)
		problem(r, "at most 4095 different bandwidths and latencies of cables are supported", NULL, 0);
	else
		cable.own = (uint16_t)own;
	add_cable(r->cables, cable);
}

static bool read_count(struct cable_reader *r, const char *word, size_t length, uint32_t *out)
{
	*out = 0;
	for (size_t i = 0; i < length && *out <= MOST_ENDPOINTS; i++) {
		if (word[i] < '0' || word[i] > '9') {
			problem(r, "a number of endpoints is expected", word, length);
			return false;
		}
		*out = 10 * *out + (uint32_t)(word[i] - '0');
	}
	if (*out > MOST_ENDPOINTS)
		problem(r, "a switch has at most 65535 endpoints", word, length);
	return *out <= MOST_ENDPOINTS;
}

/* "7" or "0-127" */
static bool read_switches(struct cable_reader *r, const char *word, size_t length, topo_switch *first,
                          topo_switch *last)
{
	const char *dash = memchr(word, '-', length);
	size_t left = dash ? (size_t)(dash - word) : length;
	if (!read_switch(r, word, left, first))
		return false;
	*last = *first;
	if (!dash)
		return true;
	if (!read_switch(r, dash + 1, length - left - 1, last))
		return false;
	if (*last < *first)
		problem(r, "a range of switches begins with the smaller one", word, length);
	return *last >= *first;
}

/* "endpoints SWITCHES N" */
static void read_endpoints(struct cable_reader *r, const char *const *word, const size_t *length, size_t n)
{
	topo_switch first, last;
	uint32_t count;
	if (n != 3) {
		problem(r, "expected is \"endpoints SWITCH N\" or \"endpoints FIRST-LAST N\"", NULL, 0);
		return;
	}
	bool good = read_switches(r, word[1], length[1], &first, &last);
	good = read_count(r, word[2], length[2], &count) && good;
	if (!good)
		return;
	if (!r->endpoints) {
		r->endpoints = base_alloc(TOPO_MAX_TABLED * sizeof *r->endpoints);
		memset(r->endpoints, 0xff, TOPO_MAX_TABLED * sizeof *r->endpoints);
	}
	for (topo_switch s = first; s <= last; s++) {
		if (r->endpoints[s] != TOPO_NONE) {
			problem(r, "the endpoints of a switch are given twice", word[1], length[1]);
			return;
		}
		r->endpoints[s] = count;
	}
	r->cables->switches = last >= r->cables->switches ? last + 1 : r->cables->switches;
}

/* Graph tools separate columns by commas, too. */
static bool is_separator(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == ',';
}

/* Recognizes a Python dictionary of an edge's attributes, "{}" or "{'weight': 3}", after the two switch numbers of a
 * line, as networkx writes one in every line. */
static void skip_attributes(struct cable_reader *r, const char *at, const char *end)
{
	const char *last = end;
	while (last > at && is_separator(last[-1]))
		last--;
	if (last - at < 2 || last[-1] != '}') {
		problem(r, "attributes that do not end with \"}\"", at, (size_t)(last - at));
	} else if (last - at > 2) {
		r->attributes_at = r->attributes++ ? r->attributes_at : r->line;
	}
}

/* Splits a line; at most MOST_WORDS of its words are kept. Returns how many there are. */
static size_t split_line(struct cable_reader *r, const char *at, const char *end, const char *word[MOST_WORDS],
                         size_t length[MOST_WORDS])
{
	size_t n = 0;
	if (at < end && *at == '%') /* a comment, as in Matrix Market and KONECT */
		return 0;
	while (at < end && *at != '#') {
		if (is_separator(*at)) {
			at++;
			continue;
		}
		if (*at == '{' && n == 2) {
			skip_attributes(r, at, end);
			break;
		}
		const char *start = at;
		while (at < end && !is_separator(*at) && *at != '#')
			at++;
		if (n < MOST_WORDS) {
			word[n] = start;
			length[n] = (size_t)(at - start);
		}
		n++;
	}
	return n;
}

/* "src dst [class] [bandwidth=...] [latency=...] [absent=...]" */
static void read_cable(struct cable_reader *r, const char *const *word, const size_t *length, size_t n)
{
	struct topo_cable cable = { 0 };
	struct cable_words own = { 0 };
	bool good = read_switch(r, word[0], length[0], &cable.a), classed = n > 2 && !memchr(word[2], '=', length[2]);
	good = read_switch(r, word[1], length[1], &cable.b) && good;
	good = (classed ? read_class(r, word[2], length[2], &cable.link_class)
	                : read_class(r, "local", 5, &cable.link_class)) &&
	       good;
	for (size_t i = classed ? 3 : 2; i < n; i++) {
		if (i >= MOST_WORDS || !memchr(word[i], '=', length[i])) {
			problem(r, "more than \"src dst class\" and bandwidth=, latency=, absent=",
			        i < MOST_WORDS ? word[i] : NULL, i < MOST_WORDS ? length[i] : 0);
			return;
		}
		good = read_word(r, word[i], length[i], &own) && good;
	}
	if (good && cable.a == cable.b)
		problem(r, "a cable from a switch to itself", word[0], length[0]);
	else if (good && own.absent)
		note_absent(r->cables, &cable);
	else if (good)
		add_own_cable(r, cable, &own);
}

static void read_line(struct cable_reader *r, const char *at, const char *end)
{
	const char *word[MOST_WORDS];
	size_t length[MOST_WORDS], n = split_line(r, at, end, word, length);
	if (n == 0)
		return;
	if (length[0] == 9 && !memcmp(word[0], "endpoints", 9)) {
		read_endpoints(r, word, length, n);
		return;
	}
	if (n == 1) {
		problem(r, "two switch numbers are expected", word[0], length[0]);
		return;
	}
	read_cable(r, word, length, n);
}

static int by_ends(const void *a, const void *b)
{
	const struct topo_cable *x = a, *y = b;
	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	return x->b < y->b ? -1 : x->b > y->b;
}

/* Is every cable a - b listed as often as b - a? Then the file means directed lines, two a cable. */
static bool all_twice(const struct topo_cables *cables)
{
	struct topo_cable *there = base_calloc(2 * cables->n, sizeof *there), *back = there + cables->n;
	for (size_t i = 0; i < cables->n; i++) {
		there[i] = cables->v[i];
		back[i] = (struct topo_cable){ .a = there[i].b, .b = there[i].a };
	}
	qsort(there, cables->n, sizeof *there, by_ends);
	qsort(back, cables->n, sizeof *back, by_ends);
	bool twice = true;
	for (size_t i = 0; i < cables->n && twice; i++)
		twice = by_ends(&there[i], &back[i]) == 0;
	free(there);
	return twice;
}

static int fail(struct topo_cables *cables)
{
	topo_cables_free(cables);
	return -1;
}

/* Reads the text from a line on; the caller may discard the reader's errors. */
static void read_lines(struct cable_reader *r, const char *at, const char *end)
{
	for (; at < end && r->cables->n < MOST_CABLES;) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		stop = stop ? stop : end;
		r->line++;
		read_line(r, at, stop);
		at = stop + 1;
	}
	r->cables->endpoints = r->endpoints;
}

/* Is the line two numbers and nothing else? */
static bool two_numbers(const char *at, const char *end, uint64_t number[2])
{
	for (int i = 0; i < 2; i++) {
		number[i] = 0;
		while (at < end && is_separator(*at))
			at++;
		if (at == end || *at < '0' || *at > '9')
			return false;
		for (; at < end && *at >= '0' && *at <= '9'; at++)
			number[i] = number[i] < MOST_CABLES ? 10 * number[i] + (uint64_t)(*at - '0') : number[i];
	}
	while (at < end && is_separator(*at))
		at++;
	return at == end;
}

static void warn_of_attributes(const struct cable_reader *r, struct base_errors *errors)
{
	if (r->attributes)
		base_warnf(errors, "file", "%s:%u: attributes in braces are not read, in %u line%s", r->file,
		           r->attributes_at, r->attributes, r->attributes > 1 ? "s" : "");
}

/* Graph tools begin a list with "n m", the numbers of vertices and of edges. Read as a cable, such a line would connect
 * switch n, which no other line names, to switch m. It is taken for a header if the lines after it are m cables between
 * switches 0 to n - 1. */
static bool read_behind_header(struct topo_cables *cables, const char *text, size_t bytes, const char *file,
                               struct base_errors *errors)
{
	const char *end = text + bytes, *stop = memchr(text, '\n', bytes);
	uint64_t number[2];
	if (!stop || !two_numbers(text, stop, number) || number[0] < 2 || number[1] + 1 < number[0])
		return false;
	struct base_errors none = { 0 };
	struct cable_reader r = { .cables = cables, .file = file, .errors = &none, .line = 1 };
	read_lines(&r, stop + 1, end);
	bool is = !r.problems && cables->switches == number[0] && cables->n + cables->absent == number[1];
	if (is)
		base_warnf(errors, "file",
		           "%s:1: \"%llu %llu\" is read as a header, because the file has %llu switches and %llu "
		           "cables; if it is a cable, put it in another line",
		           file, (unsigned long long)number[0], (unsigned long long)number[1],
		           (unsigned long long)number[0], (unsigned long long)number[1]);
	if (is)
		warn_of_attributes(&r, errors);
	else
		topo_cables_free(cables);
	base_errors_free(&none);
	return is;
}

int topo_parse_cables(struct topo_cables *cables, const char *text, size_t bytes, const char *file,
                      struct base_errors *errors)
{
	*cables = (struct topo_cables){ 0 };
	struct cable_reader r = { .cables = cables, .file = file, .errors = errors };
	static const char mark[3] = { '\xef', '\xbb', '\xbf' };
	if (bytes >= sizeof mark && !memcmp(text, mark, sizeof mark)) { /* UTF-8, as some editors write it */
		text += sizeof mark;
		bytes -= sizeof mark;
	}
	if (!read_behind_header(cables, text, bytes, file, errors))
		read_lines(&r, text, text + bytes);
	if (r.problems > MOST_ERRORS)
		base_errorf(errors, "file", "%s: %u more problems of this kind", file, r.problems - MOST_ERRORS);
	if (r.problems)
		return fail(cables);
	if (cables->n == MOST_CABLES)
		base_errorf(errors, "file", "%s lists more than %zu cables", file, MOST_CABLES - 1);
	else if (!cables->n && cables->switches != 1) /* a single switch with endpoints needs none */
		base_errorf(errors, "file", "%s lists no cables", file);
	if (cables->n == MOST_CABLES || (!cables->n && cables->switches != 1))
		return fail(cables);
	if (!cables->n && !cables->classes)
		read_class(&r, "local", 5, &(uint16_t){ 0 });
	warn_of_attributes(&r, errors);
	if (cables->n && all_twice(cables))
		base_warnf(errors, "file",
		           "%s: every cable is listed in both directions; each line is one cable, so all are doubled",
		           file);
	return 0;
}

int topo_read_cables(struct topo_cables *cables, const char *file, struct base_errors *errors)
{
	size_t bytes = 0;
	char *text = topo_read_file(file, "file", MOST_BYTES, &bytes, errors);
	*cables = (struct topo_cables){ 0 };
	if (!text)
		return -1;
	int status = topo_parse_cables(cables, text, bytes, file, errors);
	free(text);
	return status;
}

void topo_cables_free(struct topo_cables *cables)
{
	free(cables->v);
	free(cables->endpoints);
	free(cables->class_name);
	topo_kinds_free(&cables->own);
	*cables = (struct topo_cables){ 0 };
}
