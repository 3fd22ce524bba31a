/* experiments/results/reader.h - reading FILE.jsonl.gz, record by record.
 *
 * The file is streamed: memory is that of the longest record. A file that was cut off, or damaged, gives the records
 * before the damage; xp_log_problem() then says what is wrong. So it does at the end of a run's log whose last record
 * is not `end`. What no run can have written is refused: a file without a record or whose first line is none, a log
 * that ends without results, one that goes on after its end record or has another number of records than that says. */
#ifndef EXPERIMENTS_RESULTS_READER_H
#define EXPERIMENTS_RESULTS_READER_H

#include <jansson.h>
#include <stdbool.h>

struct xp_log;

/* "-" is standard input. NULL if the file cannot be opened, or is no regular file: *why, unless `why` is NULL, is then
 * a text that the next call may replace. Plain, uncompressed text is read as well. */
struct xp_log *xp_log_open(const char *path, const char **why);
/* What messages call it: its path, or "<stdin>". */
const char *xp_log_name(const char *path);
/* Writes a path by which the whole of standard input can be opened again and again; it is copied to a file without a
 * name if it is no regular file. Returns -1 with *why if it cannot be read. */
int xp_log_keep_stdin(char path[32], const char **why);
/* Is there something of this name that is neither a regular file nor a folder? It may have no end, or wait for one. */
bool xp_is_special_file(const char *path);
/* Records of kinds "packet" and "message" are passed over without being parsed, for there may be millions, unless they
 * are wanted. */
void xp_log_want_packets(struct xp_log *log);
/* The next record, owned by the caller; NULL at the end or at damage. */
json_t *xp_log_next(struct xp_log *log);
/* The text of the record that xp_log_next() gave last. */
const char *xp_log_line(const struct xp_log *log);
/* NULL if all is well so far, else what is wrong. Static text. */
const char *xp_log_problem(const struct xp_log *log);
/* Is the problem one that no cut and no damage explains? Then nothing that was read is worth showing. */
bool xp_log_refused(const struct xp_log *log);
/* Is every record that the file holds a whole one, though its last may be missing? */
bool xp_log_readable(const struct xp_log *log);
void xp_log_close(struct xp_log *log);

/* The kind of a record, "" if it has none. */
const char *xp_record_kind(const json_t *record);
/* A number at a path of member names ended by NULL; NAN if there is none. */
double xp_number(const json_t *object, ...) __attribute__((sentinel));
/* A text member, or "". */
const char *xp_text(const json_t *object, const char *name);

#endif
