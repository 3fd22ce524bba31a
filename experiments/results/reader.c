/* experiments/results/reader.c - see reader.h */
#include "experiments/results/reader.h"

#include "base/input.h"
#include "base/memory.h"
#include "experiments/config/config.h"
#include "experiments/results/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LONGEST_LINE ((size_t)1 << 30)
#define LONGEST_FIRST ((size_t)1 << 26) /* a manifest's: it holds a configuration, whose file is at most as long */
#define BLOCK ((size_t)1 << 17)

struct xp_log {
	struct xp_unpack *file;
	char block[BLOCK]; /* what has been read; the lines from `at` to `end` have not been given yet */
	size_t at, end;
	char *line;
	size_t room;
	const char *problem;
	bool refused; /* the problem is not that something is missing or damaged */
	bool between; /* it is that the records end between two of them, with a summary */
	bool packets;
	bool of_run, ended; /* a run's log, which is whole only if its last record is `end` */
	bool has_summary;
	json_int_t records;
};

bool xp_is_special_file(const char *path)
{
	struct stat st;
	return !stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

const char *xp_log_name(const char *path)
{
	return strcmp(path, "-") != 0 ? path : XP_STDIN_NAME;
}

/* Copies standard input to a file without a name; -1 with errno. */
static int copy_stdin(void)
{
	char bytes[1 << 16];
	ssize_t n = 0;
	FILE *file = tmpfile(); /* open until the process ends */
	while (file && ((n = read(STDIN_FILENO, bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR)))
		if (n > 0 && fwrite(bytes, 1, (size_t)n, file) != (size_t)n)
			return -1;
	return file && !n && !fflush(file) ? fileno(file) : -1;
}

int xp_log_keep_stdin(char path[32], const char **why)
{
	struct stat st;
	int fd = !fstat(STDIN_FILENO, &st) && S_ISREG(st.st_mode) ? STDIN_FILENO : copy_stdin();
	snprintf(path, 32, "/proc/self/fd/%d", fd);
	*why = fd < 0 ? strerror(errno) : NULL;
	return fd < 0 ? -1 : 0;
}

/* Does not block on a FIFO without a writer, and does not read files without an end, except standard input. */
static int open_regular(const char *path, const char **why)
{
	struct stat st;
	if (strcmp(path, "-") != 0)
		return base_open_input(path, false, why);
	int fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
	if (fd < 0 || fstat(fd, &st))
		*why = strerror(errno);
	else if (S_ISDIR(st.st_mode))
		*why = "is a directory";
	else
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

struct xp_log *xp_log_open(const char *path, const char **why)
{
	const char *unsaid;
	why = why ? why : &unsaid;
	int fd = open_regular(path, why);
	if (fd < 0)
		return NULL;
	struct xp_log *log = base_alloc(sizeof *log);
	log->file = xp_unpack_open(fd);
	log->room = 1 << 16;
	log->line = base_alloc(log->room);
	return log;
}

static bool refuse(struct xp_log *log, const char *why)
{
	log->problem = why;
	log->refused = true;
	return false;
}

static const char no_object[] = "its first line is not a JSON object";

/* Why there is no further line, of which `n` bytes were there. */
static void note_end(struct xp_log *log, size_t n)
{
	enum xp_unpack_end end = xp_unpack_ended(log->file);
	if (log->ended && (n || end == XP_UNPACK_TRAILING)) {
		refuse(log, "there are records after the end record");
	} else if (end == XP_UNPACK_DAMAGED || end == XP_UNPACK_TRAILING) {
		log->problem = "the compressed data are damaged";
	} else if (n && !log->records && *log->line != '{') {
		refuse(log, no_object);
	} else if (end == XP_UNPACK_TORN || n) {
		log->problem = "the file ends within a record";
	} else if (log->of_run && !log->has_summary) {
		refuse(log, "it contains no summary");
	} else if (log->of_run && !log->ended) {
		log->problem = "there is no end record: the file is truncated, or still being written";
		log->between = true;
	}
}

/* Reads one line without its newline; returns its length, or -1 at the end or at damage. */
static ptrdiff_t read_line(struct xp_log *log)
{
	size_t n = 0;
	for (;;) {
		if (log->at == log->end) {
			log->at = 0;
			log->end = xp_unpack_read(log->file, log->block, BLOCK);
		}
		size_t have = log->end - log->at;
		if (!have) {
			note_end(log, n);
			return -1;
		}
		const char *from = log->block + log->at, *newline = memchr(from, '\n', have);
		size_t part = newline ? (size_t)(newline - from) : have;
		if (!n && !log->records && *from != '{') {
			refuse(log, no_object);
			return -1;
		}
		if (n + part >= (log->records ? LONGEST_LINE : LONGEST_FIRST)) {
			refuse(log, "a record is too long");
			return -1;
		}
		while (log->room <= n + part)
			log->line = base_realloc(log->line, log->room *= 2);
		memcpy(log->line + n, from, part);
		n += part;
		log->line[n] = 0;
		log->at += part + (newline ? 1 : 0);
		if (newline)
			return (ptrdiff_t)n;
	}
}

/* The results that every run has, however short it was; an analytical model has no loads. */
static bool has_results(const json_t *summary)
{
	const json_t *load = json_object_get(summary, "accepted_load");
	return json_is_boolean(json_object_get(summary, "complete")) && *xp_text(summary, "digest") &&
	       (json_is_number(load) || json_is_null(load));
}

/* What a record that has just been read says about the log. False: the log is refused. */
static bool note(struct xp_log *log, const json_t *record)
{
	const char *kind = xp_record_kind(record);
	bool summary = !strcmp(kind, "summary");
	log->ended = !strcmp(kind, "end");
	log->of_run |= log->ended || summary || !strcmp(kind, "manifest");
	log->has_summary |= summary;
	if (summary && !has_results(record))
		return refuse(log, "its summary contains no results");
	if (log->ended && !log->has_summary)
		return refuse(log, "it has an end record, but no summary");
	if (log->ended && json_integer_value(json_object_get(record, "records")) != log->records)
		return refuse(log, "the number of records differs from that in the end record");
	return true;
}

void xp_log_want_packets(struct xp_log *log)
{
	log->packets = true;
}

json_t *xp_log_next(struct xp_log *log)
{
	static const char packet[] = "{\"record\":\"packet\"", message[] = "{\"record\":\"message\"";
	while (!log->problem) {
		ptrdiff_t n = read_line(log);
		if (n < 0 && !log->problem && !log->records)
			refuse(log, "is empty");
		if (n < 0)
			return NULL;
		if (log->ended) {
			refuse(log, "there are records after the end record");
			return NULL;
		}
		log->records++;
		if (!log->packets && (!strncmp(log->line, packet, sizeof packet - 1) ||
		                      !strncmp(log->line, message, sizeof message - 1)))
			continue;
		json_t *record = json_loadb(log->line, (size_t)n, 0, NULL);
		if (!json_is_object(record) && log->records == 1)
			refuse(log, no_object);
		else if (!json_is_object(record))
			log->problem = "a line is not a JSON object";
		else if (note(log, record))
			return record;
		json_decref(record);
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

bool xp_log_refused(const struct xp_log *log)
{
	return log->refused;
}

bool xp_log_readable(const struct xp_log *log)
{
	return !log->problem || log->between;
}

void xp_log_close(struct xp_log *log)
{
	if (!log)
		return;
	xp_unpack_close(log->file);
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
