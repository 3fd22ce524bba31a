/* workload/formats/dumpi/dumpi.c - see dumpi.h: the files of a trace, and its calls one by one. */
#include "workload/formats/dumpi/dumpi.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define META_MOST 65536u

/* The words of a cursor; all zero stands for the beginning. */
enum { AT, STOP, LINE, CARRIED };

static enum mpi_next read_record(const struct dumpi_file *f, uint64_t *at, uint64_t *line, struct dumpi_record *r,
                                 struct base_errors *errors)
{
	return f->text ? dumpi_read_text(f, at, line, r, errors) : dumpi_read_binary(f, at, line, r, errors);
}

/* The next record that is a call; and the computation before it, over calls without communication, in ps. */
static enum mpi_next next_call(const struct mpi_source *s, uint32_t rank, struct mpi_cursor *cursor,
                               struct mpi_call *call, struct base_errors *errors)
{
	const struct dumpi *d = s->data;
	const struct dumpi_file *f = &d->rank[rank].file;
	struct dumpi_record r = { 0 };
	enum mpi_next next;
	uint64_t *word = cursor->word;
	if (!word[AT])
		word[AT] = f->begin;
	do {
		next = read_record(f, &word[AT], &word[LINE], &r, errors);
		if (next != WL_MPI_CALL)
			break;
		if (r.timed[d->clock]) {
			uint64_t start = dumpi_moment(f, &r, d->clock, false, word[STOP]);
			word[CARRIED] += word[STOP] ? start - word[STOP] : 0;
			word[STOP] = dumpi_moment(f, &r, d->clock, true, start);
		}
	} while (dumpi_function[r.function].op == DUMPI_LOCAL);
	if (next == WL_MPI_CALL)
		next = dumpi_translate(d, rank, &r, call, errors);
	else if (next == WL_MPI_END && word[CARRIED])
		next = WL_MPI_CALL; /* computation alone, up to MPI_Finalize */
	if (next == WL_MPI_CALL) {
		call->compute = word[CARRIED] > UINT64_MAX / 1000 ? UINT64_MAX : word[CARRIED] * 1000;
		word[CARRIED] = 0;
	}
	dumpi_record_free(&r);
	return next;
}

static void place_of_call(const struct mpi_source *s, uint32_t rank, const struct mpi_cursor *at, char *out,
                          size_t room)
{
	const struct dumpi *d = s->data;
	const struct dumpi_file *f = &d->rank[rank].file;
	if (f->text)
		snprintf(out, room, "%s:%" PRIu64, f->file.path, at->word[LINE] + 1);
	else
		snprintf(out, room, "%s: byte %" PRIu64, f->file.path, at->word[AT] ? at->word[AT] : f->begin);
}

static bool changed(const struct mpi_source *s, char *out, size_t room)
{
	const struct dumpi *d = s->data;
	for (uint32_t i = 0; i < d->ranks; i++)
		if (wl_trace_file_changed(&d->rank[i].file.file)) {
			snprintf(out, room, "%s", d->rank[i].file.file.path);
			return true;
		}
	return false;
}

static void close_trace(struct mpi_source *s)
{
	struct dumpi *d = s->data;
	for (uint32_t i = 0; i < d->ranks; i++) {
		struct dumpi_rank *rank = &d->rank[i];
		for (uint32_t k = 0; k < rank->groups; k++)
			free(rank->group[k].rank.v);
		free(rank->group);
		free(rank->definition);
		free(rank->file.size);
		wl_trace_file_close(&rank->file.file);
	}
	free(d->rank);
	free(d->facts.rank_calls);
	free(d);
	*s = (struct mpi_source){ 0 };
}

static const struct mpi_source_ops source_ops = {
	.next = next_call, .place = place_of_call, .changed = changed, .close = close_trace
};

const struct wl_dumpi_facts *wl_dumpi_facts(const struct mpi_source *s)
{
	return &((const struct dumpi *)s->data)->facts;
}

static int open_rank(struct dumpi *d, uint32_t rank, const char *path, bool hold, struct base_errors *errors)
{
	struct dumpi_rank *mine = &d->rank[rank];
	struct wl_bytes b;
	char key[1200];
	const char *why = wl_trace_file_open(&mine->file.file, path, hold);
	if (why)
		return base_errorf(errors, wl_trace_key(path, 0, key, sizeof key), "cannot be read: %s", why);
	wl_bytes_begin(&b, &mine->file.file, 0);
	int first = wl_bytes_next(&b);
	mine->file.text = first >= 0 && first != 0xff; /* binary begins with ff aa dd */
	size_t n = strlen(path);
	if (n > 4 && !strcmp(path + n - 4, ".bin"))
		mine->file.text = false; /* and an error if it is none */
	if (mine->file.text ? dumpi_open_text(&mine->file, errors) : dumpi_open_binary(&mine->file, errors))
		return -1;
	return dumpi_define(d, rank, errors);
}

int wl_dumpi_open_files(struct mpi_source *out, const char *const *path, uint32_t ranks, enum dumpi_clock clock,
                        struct base_errors *errors)
{
	struct dumpi *d = base_alloc(sizeof *d);
	const char *scope = errors->scope;
	bool hold = ranks <= wl_trace_files_most();
	uint32_t wrong = 0;
	errors->scope = NULL;
	d->rank = base_calloc(ranks, sizeof *d->rank);
	d->facts.rank_calls = base_calloc(ranks, sizeof *d->facts.rank_calls);
	d->ranks = ranks;
	d->clock = clock;
	for (uint32_t i = 0; i < ranks; i++)
		d->rank[i].file.file.fd = -1;
	*out = (struct mpi_source){ .ops = &source_ops, .ranks = ranks, .data = d };
	for (uint32_t i = 0; i < ranks && wrong < 20; i++)
		wrong += open_rank(d, i, path[i], hold, errors) != 0;
	errors->scope = scope;
	if (!wrong)
		return 0;
	close_trace(out);
	return -1;
}

/* --- the .meta file ---------------------------------------------------------------------------------------------- */

struct meta {
	char path[4096], prefix[512];
	uint32_t ranks;
};

static int meta_error(const struct meta *m, struct base_errors *errors, const char *text)
{
	char key[1200];
	return base_errorf(errors, wl_trace_key(m->path, 0, key, sizeof key), "%s", text);
}

static int read_meta(struct meta *m, struct base_errors *errors)
{
	struct wl_trace_file f;
	struct wl_bytes b;
	char key[1200], line[600];
	const char *why = wl_trace_file_open(&f, m->path, true);
	if (why)
		return base_errorf(errors, wl_trace_key(m->path, 0, key, sizeof key), "cannot be read: %s", why);
	bool large = f.size > META_MOST;
	wl_bytes_begin(&b, &f, 0);
	for (size_t n = 0; !large;) {
		int c = wl_bytes_next(&b);
		if (c >= 0 && c != '\n') {
			if (n + 1 < sizeof line && c != '\r')
				line[n++] = (char)c;
			continue;
		}
		line[n] = 0;
		n = 0;
		if (!strncmp(line, "numprocs=", 9)) {
			char *end;
			unsigned long long ranks = strtoull(line + 9, &end, 10);
			m->ranks = end > line + 9 && !*end && ranks <= WL_DUMPI_RANKS ? (uint32_t)ranks : 0;
		} else if (!strncmp(line, "fileprefix=", 11)) {
			snprintf(m->prefix, sizeof m->prefix, "%.500s", line + 11);
		}
		if (c < 0)
			break;
	}
	wl_trace_file_close(&f);
	if (large)
		return meta_error(m, errors, "is larger than 64 KiB, so it is not a .meta file of DUMPI");
	if (!m->ranks)
		return meta_error(m, errors, "has no numprocs=N with N from 1 to 16777216");
	if (!*m->prefix || strchr(m->prefix, '/'))
		return meta_error(m, errors, "has no fileprefix=NAME of files beside it");
	return 0;
}

/* The file of a rank, of which there are several spellings; false: there is none. */
static bool find_file(const char *base, uint32_t rank, char *out, size_t room)
{
	static const char *const end[] = { "bin", "txt", "ascii" };
	for (size_t e = 0; e < sizeof end / sizeof *end; e++)
		for (int digits = 4; digits <= 9; digits++) {
			snprintf(out, room, "%.4700s-%0*" PRIu32 ".%s", base, digits, rank, end[e]);
			if (!access(out, F_OK))
				return true;
		}
	snprintf(out, room, "%.4700s-%04" PRIu32 ".bin", base, rank);
	return false;
}

/* Where the files of the ranks are: beside the .meta, by its prefix or, if it was renamed, by its own name. */
static void find_base(const struct meta *m, char *out, size_t room)
{
	char some[4800];
	const char *slash = strrchr(m->path, '/');
	int folder = slash ? (int)(slash + 1 - m->path) : 0;
	snprintf(out, room, "%.*s%s", folder, m->path, m->prefix);
	if (find_file(out, 0, some, sizeof some))
		return;
	size_t n = strlen(m->path);
	char own[4200];
	snprintf(own, sizeof own, "%.*s", (int)(n > 5 ? n - 5 : n), m->path); /* without .meta */
	if (find_file(own, 0, some, sizeof some))
		snprintf(out, room, "%s", own);
}

void wl_dumpi_files(const char *path, void (*visit)(void *arg, const char *path), void *arg)
{
	struct meta m = { 0 };
	struct base_errors errors = { 0 };
	char base[4700], file[4800];
	snprintf(m.path, sizeof m.path, "%s", path);
	if (strlen(path) < sizeof m.path && !read_meta(&m, &errors)) {
		find_base(&m, base, sizeof base);
		for (uint32_t i = 0; i < m.ranks && find_file(base, i, file, sizeof file); i++)
			visit(arg, file);
	}
	base_errors_free(&errors);
}

int wl_dumpi_open(struct mpi_source *out, const char *path, enum dumpi_clock clock, struct base_errors *errors)
{
	struct meta m = { 0 };
	char base[4700], file[4800], key[1200];
	const char *scope = errors->scope;
	int status = 0;
	errors->scope = NULL;
	snprintf(m.path, sizeof m.path, "%s", path);
	if (strlen(path) >= sizeof m.path)
		status = meta_error(&m, errors, "has a name with more than 4095 characters");
	else
		status = read_meta(&m, errors);
	if (status) {
		errors->scope = scope;
		return -1;
	}
	find_base(&m, base, sizeof base);
	char **files = base_calloc(m.ranks, sizeof *files);
	uint32_t missing = 0;
	for (uint32_t i = 0; i < m.ranks && missing < 20; i++) {
		if (!find_file(base, i, file, sizeof file) && ++missing)
			base_errorf(errors, wl_trace_key(path, 0, key, sizeof key),
			            "rank %" PRIu32 " (of %" PRIu32 "): neither %s nor its text form (.txt) exists", i,
			            m.ranks, file);
		files[i] = base_strdup(file);
	}
	if (missing)
		status = -1;
	else
		status = wl_dumpi_open_files(out, (const char *const *)files, m.ranks, clock, errors);
	for (uint32_t i = 0; i < m.ranks; i++)
		free(files[i]);
	free(files);
	errors->scope = scope;
	return status;
}
