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

/* Opens a log; "-" is standard input. NULL if the file cannot be opened or is not a regular file: *why, unless `why` is
 * NULL, is then a text that the next call may overwrite. Uncompressed text is read as well. */
struct xp_log *xp_log_open(const char *path, const char **why);
/* The name used in messages: its path, or "<stdin>". */
const char *xp_log_name(const char *path);
/* Writes a path through which all of standard input can be opened repeatedly; it is copied to an unnamed file if it is
 * not a regular file. Returns -1 with *why if it cannot be read. */
int xp_log_keep_stdin(char path[32], const char **why);
/* Does the path name something other than a regular file or a directory? It may have no end, or block. */
bool xp_is_special_file(const char *path);
/* Records of kinds "packet" and "message" are passed over without being parsed, for there may be millions, unless they
 * are wanted. */
void xp_log_want_packets(struct xp_log *log);
/* The next record, owned by the caller; NULL at the end or at damage. */
json_t *xp_log_next(struct xp_log *log);
/* The text of the record that xp_log_next() returned last. */
const char *xp_log_line(const struct xp_log *log);
/* NULL if there was no problem so far, otherwise a description. Static text. */
const char *xp_log_problem(const struct xp_log *log);
/* Is the problem one that neither truncation nor damage explains? The records read so far are then not worth showing.
 */
bool xp_log_refused(const struct xp_log *log);
/* Is every record in the file complete, even if the last one may be missing? */
bool xp_log_readable(const struct xp_log *log);
void xp_log_close(struct xp_log *log);

/* The kind of a record, "" if it has none. */
const char *xp_record_kind(const json_t *record);
/* The number at a path of member names that ends with NULL; NAN if there is none. */
double xp_number(const json_t *object, ...) __attribute__((sentinel));
/* A text member, or "". */
const char *xp_text(const json_t *object, const char *name);

#endif
