/* experiments/results/reader.c - see reader.h */
#include "experiments/results/reader.h"

#include "base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define LONGEST_LINE ((size_t)1 << 30)

struct xp_log {
	gzFile file;
	char *line;
	size_t room;
	const char *problem;
	bool packets;
};

struct xp_log *xp_log_open(const char *path)
{
	gzFile file = gzopen(path, "rb");
	if (!file)
		return NULL;
	gzbuffer(file, 1 << 17);
	struct xp_log *log = base_alloc(sizeof *log);
	log->file = file;
	log->room = 1 << 16;
	log->line = base_alloc(log->room);
	return log;
}

/* Reads one line without its newline; returns its length, or -1 at the end or at damage. */
static ptrdiff_t read_line(struct xp_log *log)
{
	size_t n = 0;
	for (;;) {
		if (!gzgets(log->file, log->line + n, (int)(log->room - n > 1 << 20 ? 1 << 20 : log->room - n)))
			break;
		n += strlen(log->line + n);
		if (n && log->line[n - 1] == '\n') {
			log->line[--n] = 0;
			return (ptrdiff_t)n;
		}
		if (log->room - n < 2 && log->room < LONGEST_LINE)
			log->line = base_realloc(log->line, log->room *= 2);
		else if (log->room - n < 2) {
			log->problem = "a record is too long";
			return -1;
		}
	}
	int status;
	gzerror(log->file, &status);
	if (status != Z_OK)
		log->problem =
		    status == Z_BUF_ERROR ? "the file ends in mid-record" : "the compressed data are damaged";
	else if (n)
		log->problem = "the file ends in mid-record";
	return -1;
}

void xp_log_want_packets(struct xp_log *log)
{
	log->packets = true;
}

json_t *xp_log_next(struct xp_log *log)
{
	static const char packet[] = "{\"record\":\"packet\"";
	while (!log->problem) {
		ptrdiff_t n = read_line(log);
		if (n < 0)
			return NULL;
		if (!log->packets && !strncmp(log->line, packet, sizeof packet - 1))
			continue;
		json_t *record = json_loadb(log->line, (size_t)n, 0, NULL);
		if (json_is_object(record))
			return record;
		json_decref(record);
		log->problem = "a line is not a JSON object";
	}
	return NULL;
}

const char *xp_log_line(const struct xp_log *log)
{
	return log->line;
}

const char *xp_log_problem(const struct xp_log *log)
{
	return log->problem;
}

void xp_log_close(struct xp_log *log)
{
	if (!log)
		return;
	gzclose_r(log->file);
	free(log->line);
	free(log);
}

const char *xp_text(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));
	return text ? text : "";
}

const char *xp_record_kind(const json_t *record)
{
	return xp_text(record, "record");
}

double xp_number(const json_t *object, ...)
{
	va_list names;
	va_start(names, object);
	const char *name;
	while ((name = va_arg(names, const char *)))
		object = json_object_get(object, name);
	va_end(names);
	return json_is_number(object) ? json_number_value(object) : NAN;
}
