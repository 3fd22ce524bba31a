/* experiments/results/reader.h - reads FILE.jsonl.gz record by record.
 *
 * The file is streamed: memory is that of the longest record. For a truncated or damaged file the records before the
 * damage are returned; xp_log_problem() then describes the damage, also if the last record of a run's log is not `end`.
 * Files that no run can have written are refused: without a record, or whose first line is not one, logs that end
 * without results, logs with records after the end record, or with a number of records that differs from that in the
 * end record. */
#ifndef EXPERIMENTS_RESULTS_READER_H
#define EXPERIMENTS_RESULTS_READER_H

#include <jansson.h>
#include <stdbool.h>

struct xp_log;

/* Opens a result log, compressed or not; path "-" is standard input. Returns NULL if the file cannot be opened or is
 * not a regular file. Unless `why` is NULL, *why is then the reason, in a buffer that the next call may overwrite. */
struct xp_log *xp_log_open(const char *path, const char **why);
/* Returns the name of a log for messages: its path, or "<stdin>". */
const char *xp_log_name(const char *path);
/* Makes it possible to read standard input several times: writes a path to `path` that can be opened repeatedly. If
 * standard input is not a regular file, its content is copied to an unnamed temporary file. Returns 0, or -1 with *why
 * if it cannot be read. */
int xp_log_keep_stdin(char path[32], const char **why);
/* Returns whether the path names something other than a regular file or a directory, such as a pipe. Reading it might
 * block or never end. */
bool xp_is_special_file(const char *path);
/* Makes xp_log_next() return also the records of kinds "packet" and "message". By default it skips them without
 * parsing, because a log may contain millions of them. */
void xp_log_want_packets(struct xp_log *log);
/* Returns the next record of the log, owned by the caller. NULL at the end of the file, and before damage. */
json_t *xp_log_next(struct xp_log *log);
/* Returns the line of text of the last record that xp_log_next() has returned. */
const char *xp_log_line(const struct xp_log *log);
/* Returns a description (static text) of the problem of the log that was found so far, such as truncation or damage;
 * NULL if there is none. */
const char *xp_log_problem(const struct xp_log *log);
/* Returns whether the file is no result log at all: its problem is not explained by truncation or damage. The records
 * read so far should then not be shown. */
bool xp_log_refused(const struct xp_log *log);
/* Returns whether all records in the file are complete. The end of the log may nevertheless be missing. */
bool xp_log_readable(const struct xp_log *log);
void xp_log_close(struct xp_log *log);

/* Returns the kind of a record, "" if it has none. */
const char *xp_record_kind(const json_t *record);
/* Returns a number inside a nested object. The arguments are the names of members, from the outermost to the innermost,
 * followed by NULL. NAN if there is no such number. */
double xp_number(const json_t *object, ...) __attribute__((sentinel));
/* Returns a member that is a text, or "" if there is none. */
const char *xp_text(const json_t *object, const char *name);

#endif
