/* tests/mpi/mpi_shares.c - a file that all ranks write holds what each wrote of every section, in order, whichever way
 * it went; and an error of any rank leaves nothing. */
#include "experiments/results/shares.h"

#include "tests/mpi/reference.h"

#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define SECTIONS 5
#define PAGE 4096u

enum way {
	TOGETHER, /* every rank writes to the file */
	BY_PAGES, /* as ranks of several hosts do */
	BY_RANK_0 /* as without a common file system */
};

/* Lines of a rank's share of a section: none, a few, or more than a block of a hundred kilobytes. */
static unsigned lines(int section, int rank)
{
	static const unsigned some[] = { 1, 0, 40, 9000, 0, 3 };
	return section == SECTIONS - 2 ? 0 : some[(unsigned)(section * 5 + rank * 2) % 6];
}

static int line(char out[80], int section, int rank, unsigned i)
{
	return snprintf(out, 80, "section %d rank %d line %u of %u, %08x\n", section, rank, i, lines(section, rank),
	                (i + 1) * 2654435761u * (unsigned)(section + rank + 1));
}

static void choose(struct xp_shares *s, enum way way)
{
	s->page = way == BY_PAGES ? PAGE : 1;
	if (way != BY_RANK_0 || s->alone)
		return;
	if (sim_rank() != 0 && s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

static void write_all(struct xp_shares *s)
{
	char text[80];
	for (int section = 0; section < SECTIONS; section++) {
		for (unsigned i = 0; i < lines(section, sim_rank()); i++)
			xp_shares_write(s, text, (size_t)line(text, section, sim_rank(), i));
		xp_shares_end_section(s);
	}
}

/* On rank 0: does the file hold what it should? */
static bool is_right(const char *path)
{
	gzFile in = gzopen(path, "rb"); /* reads plain files, too */
	char want[80], got[80];
	bool right = in != NULL;
	for (int section = 0; section < SECTIONS; section++)
		for (int rank = 0; rank < sim_ranks(); rank++)
			for (unsigned i = 0; right && i < lines(section, rank); i++) {
				int n = line(want, section, rank, i);
				right = gzread(in, got, (unsigned)n) == n && !memcmp(want, got, (size_t)n);
			}
	right = right && gzread(in, got, 1) == 0 && gzeof(in);
	if (in)
		gzclose(in);
	return right;
}

static unsigned files(const char *folder)
{
	unsigned n = 0;
	DIR *dir = opendir(folder);
	for (struct dirent *e; dir && (e = readdir(dir));)
		n += *e->d_name != '.';
	if (dir)
		closedir(dir);
	return n;
}

/* Rank 0's verdict, which all hold. */
static bool agreed(bool good)
{
	uint64_t all = good;
	sim_broadcast(&all, sizeof all);
	return all;
}

static void check_content(const char *folder, const char *name, enum way way)
{
	struct xp_shares s;
	struct stat st;
	char path[400];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	snprintf(reference_case, sizeof reference_case, "%s, way %d", name, (int)way);
	bool open = !xp_shares_open(&s, path);
	REFERENCE_CHECK(open, "cannot be opened");
	if (!open)
		return;
	REFERENCE_CHECK(s.alone || s.fd >= 0, "ranks of one host do not find the file");
	choose(&s, way);
	write_all(&s);
	REFERENCE_CHECK(!xp_shares_close(&s), "cannot be closed");
	if (sim_rank() == 0) {
		REFERENCE_CHECK(is_right(path), "the content is another");
		REFERENCE_CHECK(files(folder) == 1, "%u files", files(folder));
		bool pages = way == BY_PAGES && sim_ranks() > 1;
		REFERENCE_CHECK(!pages || (!stat(path, &st) && st.st_size % PAGE == 0), "%ld bytes", (long)st.st_size);
		unlink(path);
	}
	agreed(true); /* it is gone before the next is made */
}

/* Files of one rank may not be so long: what it writes fails, and what stood there stays. */
static void check_failure(const char *folder, const char *name, enum way way, int failing)
{
	struct xp_shares s;
	char path[400], kept[8] = "";
	struct rlimit before, small = { 10, 10 };
	snprintf(path, sizeof path, "%s/%s", folder, name);
	snprintf(reference_case, sizeof reference_case, "%s, way %d, rank %d fails", name, (int)way, failing);
	if (sim_rank() == 0) {
		FILE *old = fopen(path, "w");
		fputs("before", old);
		fclose(old);
	}
	getrlimit(RLIMIT_FSIZE, &before);
	small.rlim_max = before.rlim_max;
	bool open = !xp_shares_open(&s, path);
	REFERENCE_CHECK(open, "cannot be opened");
	if (!open)
		return;
	choose(&s, way);
	if (sim_rank() == failing)
		setrlimit(RLIMIT_FSIZE, &small);
	write_all(&s);
	int status = xp_shares_close(&s);
	if (sim_rank() == failing)
		setrlimit(RLIMIT_FSIZE, &before);
	REFERENCE_CHECK(status == -1, "status %d", status);
	if (sim_rank() == 0) {
		FILE *old = fopen(path, "r");
		REFERENCE_CHECK(old && fread(kept, 1, 7, old) == 6 && !strcmp(kept, "before"),
		                "what stood there is gone");
		if (old)
			fclose(old);
		REFERENCE_CHECK(files(folder) == 1, "%u files", files(folder));
		unlink(path);
	}
	agreed(true);
}

int main(int argc, char **argv)
{
	char folder[] = "/tmp/mpi_shares.XXXXXX";
	reference_watch(170);
	signal(SIGXFSZ, SIG_IGN);
	if (sim_mpi_start(&argc, &argv))
		return 1;
	bool made = agreed(sim_rank() != 0 || mkdtemp(folder));
	sim_broadcast(folder, sizeof folder);
	static const char *const names[] = { "a.gz", "a.txt" };
	for (int k = 0; made && k < 2; k++)
		for (int way = TOGETHER; way <= BY_RANK_0; way++) {
			if (way == BY_PAGES && k)
				continue; /* plain files have no way to fill pages */
			check_content(folder, names[k], (enum way)way);
			for (int rank = 0; rank < sim_ranks(); rank++)
				if (way != BY_RANK_0 || rank == 0)
					check_failure(folder, names[k], (enum way)way, rank);
		}
	struct xp_shares s;
	snprintf(reference_case, sizeof reference_case, "a folder that is not there");
	char nowhere[400];
	snprintf(nowhere, sizeof nowhere, "%s/nowhere/a.gz", folder);
	REFERENCE_CHECK(xp_shares_open(&s, nowhere) == -1, "opened");
	if (sim_rank() == 0)
		rmdir(folder);
	return reference_end();
}
