/* experiments/runs/folder.c - see folder.h.
 *
 * sweep.json contains the path of the study's file. A results directory belongs to this study if that is the same file,
 * or if the copy in the directory has the same content, in which case the study was moved or copied. */
#include "experiments/runs/folder.h"
#include "experiments/config/scan.h"
#include "experiments/results/file.h"
#include "experiments/results/temporary.h"

#include "base/memory.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int xp_make_folder(const char *path, struct base_errors *errors)
{
	char *copy = base_strdup(path);
	int status = 0;
	for (char *p = copy + 1; !status; p++) {
		bool end = !*p;
		if (*p != '/' && !end)
			continue;
		*p = 0;
		if (mkdir(copy, 0777) && errno != EEXIST)
			status = base_errorf(errors, NULL, "%s: %s", copy, strerror(errno));
		if (end)
			break;
		*p = '/';
	}
	struct stat st;
	if (!status && (stat(path, &st) || !S_ISDIR(st.st_mode)))
		status = base_errorf(errors, NULL, "%s: is not a directory", path);
	free(copy);
	return status;
}

static char *path_in(const char *folder, const char *name)
{
	size_t room = strlen(folder) + strlen(name) + 2;
	char *path = base_alloc(room);
	snprintf(path, room, "%s/%s", folder, name);
	return path;
}

char *xp_folder_named(const char *out)
{
	return *out == '-' ? path_in(".", out) : base_strdup(out);
}

static bool reads_as(const char *path, const char *text, size_t bytes)
{
	char *there;
	const char *why;
	size_t n;
	if (xp_slurp(path, &there, &n, &why))
		return false;
	bool same = n == bytes && !memcmp(there, text, n);
	free(there);
	return same;
}

char *xp_folder_owner(const char *path)
{
	char *text, *owner = NULL;
	const char *why;
	size_t bytes;
	if (xp_slurp(path, &text, &bytes, &why))
		return NULL;
	json_t *record = json_loadb(text, bytes, 0, NULL);
	const char *name = json_string_value(json_object_get(record, "experiment"));
	if (name)
		owner = base_strdup(name);
	json_decref(record);
	free(text);
	return owner;
}

static const char *own_path(const struct xp_ground *g, char *room)
{
	return realpath(g->path, room) ? room : g->path;
}

/* Whose results these are cannot be said where a file of the folder is there and cannot be read. */
static int check_readable(const char *path, struct base_errors *errors)
{
	struct stat st;
	char *text;
	const char *why;
	size_t bytes;
	if (stat(path, &st) ? errno == ENOENT : !S_ISREG(st.st_mode))
		return 0;
	if (xp_slurp(path, &text, &bytes, &why)) {
		base_errorf(errors, NULL, "%s: cannot be read: %s", path, why);
		return 1;
	}
	free(text);
	return 0;
}

static int check_owner(const struct xp_runs *runs, struct base_errors *errors)
{
	const struct xp_ground *g = runs->ground;
	char room[PATH_MAX];
	const char *own = own_path(g, room);
	char *path = path_in(runs->folder, "sweep.json"), *copy = path_in(runs->folder, "experiment.cfg");
	char *owner = xp_folder_owner(path);
	int status = check_readable(path, errors) || check_readable(copy, errors);
	struct stat st;
	bool nameless = !owner && !stat(path, &st) && S_ISREG(st.st_mode), other = owner && strcmp(owner, own) != 0;
	if (!status && (other || nameless) && !reads_as(copy, g->text, g->bytes)) {
		bool there = owner && !access(owner, F_OK);
		const char *gone =
		    there   ? ""
		    : owner ? ", which no longer exists, and whose copy in the directory differs from this experiment"
			    : "whose sweep.json cannot be read, and whose copy in the directory differs from this "
			      "experiment";
		base_errorf(
		    errors, NULL,
		    "%s: contains the results of another experiment, %s%s; set another directory by --out%s%s%s",
		    runs->folder, owner ? owner : "", gone,
		    there ? "" : "; if it is this experiment, renamed and edited, remove ", there ? "" : path,
		    there ? "" : " to continue there");
		status = 2;
	}
	free(owner);
	free(path);
	free(copy);
	return status;
}

static int save_in(const struct xp_runs *runs, const char *name, const char *text, size_t bytes,
                   struct base_errors *errors)
{
	char *path = path_in(runs->folder, name);
	int status = xp_file_save(path, text, bytes, errors);
	free(path);
	return status;
}

static int write_files(const struct xp_runs *runs, struct base_errors *errors)
{
	const struct xp_ground *g = runs->ground;
	char room[PATH_MAX];
	json_t *owner = json_pack("{s:s}", "experiment", own_path(g, room));
	char *text = json_dumps(owner, JSON_COMPACT | JSON_ENSURE_ASCII); /* NULL: the path is not UTF-8 */
	int status = text ? save_in(runs, "sweep.json", text, strlen(text), errors) : 0;
	char *copy = path_in(runs->folder, "experiment.cfg");
	if (!status && !reads_as(copy, g->text, g->bytes))
		xp_folder_forget_tables(runs->folder); /* of another study than the copy, from now on */
	free(copy);
	if (!status)
		status = save_in(runs, "experiment.cfg", g->text, g->bytes, errors);
	if (!status && g->config)
		status = save_in(runs, "base.cfg", g->config, strlen(g->config), errors);
	free(text);
	json_decref(owner);
	return status ? 1 : 0;
}

static void clean_temporaries(const struct xp_runs *runs, const char *points)
{
	static const char *const names[] = { "sweep.json",    "experiment.cfg", "base.cfg",    "summary.csv",
		                             "summary.jsonl", "saturation.csv", "report.html", "compare.json",
		                             "ranking.csv",   "design.json",    "front.csv" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		xp_temporary_clean(runs->folder, names[i]);
	xp_temporary_clean(points, NULL);
}

/* No run is worth its time if the tables have no place. */
static int check_tables(const struct xp_runs *runs, const char *const *table, struct base_errors *errors)
{
	int status = 0;
	for (size_t i = 0; table[i]; i++) {
		struct stat there;
		char *path = path_in(runs->folder, table[i]);
		if (!stat(path, &there) && S_ISDIR(there.st_mode))
			status =
			    base_errorf(errors, path, "is a directory, but a table of this name must be written there");
		free(path);
	}
	return status;
}

int xp_folder_take(struct xp_runs *runs, const char *const *table, struct base_errors *errors)
{
	char *points = path_in(runs->folder, "points");
	int status = xp_make_folder(points, errors) || xp_lock_take(&runs->lock, runs->folder, errors) ? 1 : 0;
	if (!status)
		status = check_owner(runs, errors);
	if (!status && check_tables(runs, table, errors))
		status = 1;
	if (!status) {
		clean_temporaries(runs, points);
		status = write_files(runs, errors);
	}
	if (status)
		xp_folder_release(runs);
	free(points);
	return status;
}

void xp_folder_release(struct xp_runs *runs)
{
	xp_lock_release(&runs->lock);
}

void xp_folder_forget_tables(const char *folder)
{
	static bool forgotten; /* later tables are of this program: a comparison writes them after each round */
	static const char *const names[] = { "summary.csv", "summary.jsonl", "saturation.csv", "compare.json",
		                             "ranking.csv", "design.json",   "front.csv" };
	for (size_t i = 0; i < sizeof names / sizeof *names && !forgotten; i++) {
		char *path = path_in(folder, names[i]);
		xp_file_forget(path);
		free(path);
	}
	forgotten = true;
}
