/* experiments/commands/record.c - `tilefly record`: runs an MPI program with the library of workload/record/ preloaded,
 * and merges the files of all ranks. */
#include "base/error.h"
#include "base/format.h"
#include "base/input.h"
#include "base/memory.h"
#include "experiments/commands/command.h"
#include "experiments/commands/workload.h"
#include "experiments/config/builtin.h"
#include "experiments/config/message.h"
#include "experiments/results/file.h"
#include "workload/formats/format.h"
#include "workload/formats/recorded/recorded_text.h"
#include "workload/mpi/collective.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_RANKS 4096

struct recording {
	char library[PATH_MAX], folder[PATH_MAX], out[PATH_MAX];
	char calls[PATH_MAX]; /* where calls go as text: out, or, of a schedule, a file beside it */
	enum xp_emit form;    /* XP_EMIT_NOTHING: calls are what is wanted */
	bool quiet;
	long ranks; /* 0: as many as the launcher starts */
	struct base_errors errors;
};

/* Beside the program, as built or as installed. */
static bool find_library(char *out, size_t room)
{
	static const char *const where[] = { "../lib/", "../libexec/tilefly/" };
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n <= 0)
		return false;
	self[n] = 0;
	char *slash = strrchr(self, '/');
	for (size_t i = 0; i < sizeof where / sizeof *where && slash; i++) {
		snprintf(out, room, "%.*s/%slibtilefly-record.so", (int)(slash - self), self, where[i]);
		if (!access(out, R_OK))
			return true;
	}
	return false;
}

/* LD_PRELOAD separates its entries by spaces and colons. If the library's path contains one, a symbolic link in the
 * temporary directory is preloaded instead. */
static int name_library(struct recording *r)
{
	char link[PATH_MAX + 32];
	if (!strpbrk(r->library, " :"))
		return 0;
	snprintf(link, sizeof link, "%s/library.so", r->folder);
	if (strpbrk(link, " :"))
		return xp_error_at(&r->errors, r->library,
		                   "cannot be preloaded, because the path of this library and that of TMPDIR contain a "
		                   "space or a colon: set TMPDIR to another directory");
	if (strlen(link) >= sizeof r->library || symlink(r->library, link))
		return xp_error_at(&r->errors, link, "%s", strerror(errno));
	memcpy(r->library, link, strlen(link) + 1);
	return 0;
}

/* Records an argument of the command line as an input file if a file of this name exists. If `program` is set and the
 * argument contains no slash, the file is searched in PATH. */
static void note_word(const char *word, bool program)
{
	const char *folder = getenv("PATH");
	char path[PATH_MAX];
	base_note_input(word);
	for (size_t n; program && folder && !strchr(word, '/') && *folder; folder += n + (folder[n] == ':')) {
		n = strcspn(folder, ":");
		if (snprintf(path, sizeof path, "%.*s/%s", (int)n, folder, word) < (int)sizeof path)
			base_note_input(path);
	}
}

static bool ends_with(const char *name, const char *end)
{
	size_t length = strlen(name), n = strlen(end);
	return length > n && !strcmp(name + length - n, end);
}

/* The end of the name, if it says that the file is of a format that is not written here; else NULL. */
static const char *other_format(const char *file)
{
	struct base_registry registry = { 0 };
	const char *end = NULL;
	xp_register_builtin(&registry);
	for (size_t i = 0; i < registry.n; i++) {
		const struct wl_format *f = wl_format_of(registry.v[i]);
		if (f && f->content != WL_SCHEDULE && registry.v[i] != &wl_process_recorded && wl_format_fits(f, file))
			end = strrchr(file, '.');
	}
	base_registry_free(&registry);
	return end;
}

/* What the end of its name says that the file is to hold. */
static void choose_form(struct recording *r, const struct xp_options *o)
{
	const char *other = other_format(r->out);
	struct mpi_choices choices;
	r->form = ends_with(r->out, ".goal")  ? XP_EMIT_GOAL
	          : ends_with(r->out, ".bin") ? XP_EMIT_GOAL_BIN
	                                      : XP_EMIT_NOTHING;
	if (other)
		xp_error_at(&r->errors, "--out",
		            "must end in .mpi (recorded calls as text), .goal or .bin (a schedule), not in *%s", other);
	if (o->collectives && !r->form)
		xp_error_at(&r->errors, "--collectives", "has an effect only if --out is FILE.goal or FILE.bin");
	else if (o->collectives)
		mpi_choices_read(&choices, o->collectives, "@--collectives", &r->errors);
	if (snprintf(r->calls, sizeof r->calls, "%s%s", r->out, r->form ? ".mpi" : "") >= (int)sizeof r->calls)
		xp_error_at(&r->errors, "--out", "the file name is too long");
}

static int prepare(struct recording *r, const struct xp_options *o)
{
	const char *program = o->operand[0], *slash = strrchr(program, '/'), *tmp = getenv("TMPDIR");
	char *end;
	errno = 0;
	r->ranks = o->ranks ? strtol(o->ranks, &end, 10) : 0;
	if (o->ranks && (errno || *end || end == o->ranks || r->ranks < 1 || r->ranks > MOST_RANKS))
		xp_error_at(&r->errors, "--ranks", "\"%s\" is not a number from 1 to %d", o->ranks, MOST_RANKS);
	if (!find_library(r->library, sizeof r->library))
		xp_error_at(
		    &r->errors, program,
		    "the library libtilefly-record.so was found neither beside this program nor where it is installed");
	if (o->out)
		snprintf(r->out, sizeof r->out, "%s", o->out);
	else
		snprintf(r->out, sizeof r->out, "%s.mpi", slash ? slash + 1 : program);
	if (!strcmp(r->out, "-"))
		xp_error_at(&r->errors, "--out", "must be a file, not \"-\", because the recording is read again");
	choose_form(r, o);
	for (int i = 0; i < o->operands; i++)
		note_word(o->operand[i], i == 0);
	if (base_was_read(r->out) || base_was_read(r->calls))
		xp_error_at(&r->errors, base_was_read(r->out) ? r->out : r->calls,
		            "is the program itself or one of its input files");
	if (r->form && !access(r->calls, F_OK))
		xp_error_at(&r->errors, "--out",
		            "the file %s exists, but its name is needed for the recorded calls until the schedule is "
		            "written: move it, or choose another name",
		            r->calls);
	if (r->errors.errors || xp_file_try(r->out))
		return -1;
	snprintf(r->folder, sizeof r->folder, "%s/tilefly-record-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (mkdtemp(r->folder)) {
		char *whole = realpath(r->folder, NULL); /* a rank may have another working directory */
		if (whole)
			snprintf(r->folder, sizeof r->folder, "%s", whole);
		free(whole);
		return name_library(r);
	}
	xp_error_at(&r->errors, r->folder, "%s", strerror(errno));
	*r->folder = 0;
	return -1;
}

/* A file of the folder, or NULL. */
static FILE *open_in(const struct recording *r, const char *name)
{
	char path[PATH_MAX + 32];
	snprintf(path, sizeof path, "%s/%s", r->folder, name);
	return fopen(path, "re");
}

static void remove_folder(const struct recording *r)
{
	DIR *d = *r->folder ? opendir(r->folder) : NULL;
	for (struct dirent *e; d && (e = readdir(d));)
		if (e->d_name[0] != '.')
			unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
	if (*r->folder)
		rmdir(r->folder);
}

/* That of the MPI that tilefly was built with, where it is on this machine. */
static const char *launcher_of(void)
{
	const char *named = getenv("TILEFLY_MPIEXEC");
	if (named && *named)
		return named;
	return access(TILEFLY_LAUNCHER, X_OK) == 0 ? TILEFLY_LAUNCHER : "mpirun";
}

static void launch(const struct recording *r, char **program, int words)
{
	const char *before = getenv("LD_PRELOAD");
	char ranks[24], *preload = NULL, *folder = NULL;
	char **argv = base_calloc((size_t)words + 12, sizeof *argv);
	int n = 0;
	snprintf(ranks, sizeof ranks, "%ld", r->ranks);
	preload = base_format("LD_PRELOAD=%s%s%s", r->library, before ? ":" : "", before ? before : "");
	folder = base_format("TILEFLY_RECORD_DIR=%s", r->folder);
	/* Open MPI asks for these as root, and where ranks are more than cores; others do not look at them */
	setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
	setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
	setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);
	argv[n++] = (char *)(uintptr_t)launcher_of();
	if (r->ranks) {
		argv[n++] = (char *)(uintptr_t) "-n";
		argv[n++] = ranks;
	}
	argv[n++] = (char *)(uintptr_t) "env";
	argv[n++] = preload;
	argv[n++] = folder;
	/* env would take a name with = in it for a variable */
	static const char *const shell[] = { "sh", "-c", "exec \"$@\"", "sh" };
	for (size_t i = 0; i < sizeof shell / sizeof *shell && strchr(program[0], '='); i++)
		argv[n++] = (char *)(uintptr_t)shell[i];
	for (int i = 0; i < words; i++)
		argv[n++] = program[i];
	signal(SIGXFSZ, SIG_DFL);         /* which main() ignores: a launcher that does hangs over its own files */
	prctl(PR_SET_PDEATHSIG, SIGTERM); /* no program continues without its recorder */
	execvp(argv[0], argv);
	fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

static volatile sig_atomic_t launched, interrupted;

static void pass_on(int number)
{
	interrupted = 1;
	if (launched > 0)
		kill(launched, number == SIGHUP ? SIGTERM : number); /* launchers know no SIGHUP */
}

/* Returns the wait status, or -1 if the launcher could not be started. Signals are handled by the launcher, which ends
 * its ranks. */
static int run_program(const struct recording *r, const struct xp_options *o)
{
	int status;
	static const int number[] = { SIGTERM, SIGINT, SIGHUP };
	struct sigaction pass = { .sa_handler = pass_on }, before[3];
	fflush(NULL);
	for (size_t i = 0; i < 3; i++)
		if (!sigaction(number[i], NULL, &before[i]) && before[i].sa_handler != SIG_IGN) /* nohup */
			sigaction(number[i], &pass, NULL);
	pid_t child = fork();
	if (child == 0) {
		for (size_t i = 0; i < 3; i++)
			sigaction(number[i], &before[i], NULL);
		launch(r, o->operand, o->operands);
	}
	if (child < 0)
		return -1;
	launched = child;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

/* Why there is no recording; false: there is one. */
static bool failed(struct recording *r, const char *program, int status)
{
	char call[256] = "", name[32];
	FILE *f = open_in(r, "refused");
	if (f) {
		bool read = fgets(call, sizeof call, f) != NULL;
		fclose(f);
		call[strcspn(call, "\n")] = 0;
		xp_error_at(&r->errors, program, "the program calls %s, which cannot be recorded",
		            read ? call : "something");
		return true;
	}
	if (interrupted)
		xp_error_at(&r->errors, program, "interrupted; no recording is written");
	else if (status == -1)
		xp_error_at(&r->errors, program, "cannot be started: %s", strerror(errno));
	else if (WIFSIGNALED(status))
		xp_error_at(&r->errors, program, "mpirun was ended by signal %d", WTERMSIG(status));
	else if (WEXITSTATUS(status) == 127 || WEXITSTATUS(status) == 126)
		xp_error_at(&r->errors, program, "cannot be started");
	else if (WEXITSTATUS(status))
		xp_error_at(&r->errors, program, "exited with status %d; no recording is written", WEXITSTATUS(status));
	if (r->errors.errors)
		return true;
	f = open_in(r, "ranks");
	long started = 0;
	if (!f || fscanf(f, "%ld", &started) != 1)
		xp_error_at(&r->errors, program,
		            "no MPI call was recorded. Is it an MPI program, dynamically linked with the MPI that "
		            "tilefly was built with?");
	else if (!r->ranks && started > MOST_RANKS)
		xp_error_at(&r->errors, program, "mpirun started %ld ranks, but at most %d can be recorded: use -n",
		            started, MOST_RANKS);
	else if (!r->ranks && r->quiet)
		r->ranks = started;
	else if (!r->ranks)
		xp_message("recorded %ld rank%s, as many as mpirun starts by itself; -n sets another number",
		           r->ranks = started, started == 1 ? "" : "s");
	else if (started != r->ranks)
		xp_error_at(&r->errors, program,
		            "the program ran with %ld ranks instead of %ld; does mpirun belong to another MPI?",
		            started, r->ranks);
	if (f)
		fclose(f);
	for (long i = 0; i < r->ranks && !r->errors.errors; i++) {
		snprintf(name, sizeof name, "rank.%ld", i);
		f = open_in(r, name);
		if (!f)
			xp_error_at(&r->errors, program, "rank %ld did not reach MPI_Finalize; no recording is written",
			            i);
		else
			fclose(f);
	}
	return r->errors.errors > 0;
}

static int put_together(struct recording *r, const struct xp_options *o)
{
	struct xp_file out;
	if (xp_file_open(&out, r->calls))
		return -1;
	fprintf(out.stream, "# tilefly record -n %ld --", r->ranks);
	for (int i = 0; i < o->operands; i++) {
		fputc(' ', out.stream);
		for (const char *c = o->operand[i]; *c; c++)
			fputc((unsigned char)*c < ' ' ? '?' : *c, out.stream);
	}
	fprintf(out.stream, "\nranks %ld end\n", r->ranks);
	for (long i = 0; i < r->ranks; i++) {
		static char block[1 << 16];
		char name[32];
		size_t n;
		snprintf(name, sizeof name, "rank.%ld", i);
		FILE *f = open_in(r, name);
		fprintf(out.stream, "rank %ld\n", i);
		while (f && (n = fread(block, 1, sizeof block, f)) > 0)
			fwrite(block, 1, n, out.stream);
		bool bad = !f || ferror(f);
		if (f)
			fclose(f);
		if (!bad)
			continue;
		xp_error_at(&r->errors, r->folder, "rank %ld: %s", i, strerror(errno));
		xp_file_discard(&out);
		return -1;
	}
	fputs("end\n", out.stream);
	return xp_file_close(&out);
}

/* What it holds, read as a replay reads it. */
static int tell(struct recording *r)
{
	struct mpi_source s = { 0 };
	struct mpi_call call = { 0 };
	uint64_t calls = 0, collectives = 0, sends = 0, compute = 0;
	if (mpi_text_open(&s, r->calls, &r->errors))
		return -1;
	for (uint32_t i = 0; i < s.ranks; i++) {
		struct mpi_cursor at = { { 0 } };
		for (;;) {
			mpi_call_reset(&call);
			enum mpi_next next = s.ops->next(&s, i, &at, &call, &r->errors);
			if (next != WL_MPI_CALL)
				break;
			calls += call.op != WL_MPI_COMPUTE;
			collectives += mpi_is_collective(call.op);
			sends += (call.op >= WL_MPI_SEND && call.op <= WL_MPI_IRSEND) || call.op == WL_MPI_SENDRECV;
			compute += call.compute;
		}
	}
	if (!r->quiet)
		printf("%s: %" PRIu32 " ranks, %" PRIu64 " MPI calls, including %" PRIu64 " sends and %" PRIu64
		       " collectives; %.6g s of computation\n",
		       r->out, s.ranks, calls, sends, collectives, (double)compute * 1e-12);
	mpi_call_free(&call);
	s.ops->close(&s);
	return r->errors.errors ? -1 : 0;
}

/* The calls as the schedule that is wanted; if that fails they stay. */
static int make_schedule(struct recording *r, const struct xp_options *o)
{
	if (!r->form)
		return 0;
	if (!xp_recording_to_goal(r->calls, r->out, r->form, o->collectives, &r->errors))
		return unlink(r->calls) ? xp_error_at(&r->errors, r->calls, "%s", strerror(errno)) : 0;
	return xp_error_at(&r->errors, r->out, "the schedule could not be written; the recorded calls are in %s",
	                   r->calls);
}

static int run_record(const struct xp_options *o)
{
	struct recording r = { .quiet = o->quiet };
	int status = XP_USAGE;
	if (!prepare(&r, o)) {
		int ended = run_program(&r, o);
		status = XP_FAILURE;
		if (!failed(&r, o->operand[0], ended) && !put_together(&r, o) && !tell(&r) && !make_schedule(&r, o))
			status = XP_OK;
		else if (interrupted)
			status = XP_INTERRUPT;
	}
	remove_folder(&r);
	xp_message_errors(&r.errors);
	base_errors_free(&r.errors);
	return status;
}

const struct xp_command xp_command_record = {
	.name = "record",
	.summary = "record the MPI calls of a program for replay in a simulation",
	.operands = "-- PROGRAM [ARGUMENT]...",
	.text = "Runs an unmodified MPI program under mpirun, records the MPI calls of each rank and the CPU time "
		"between calls, and writes them to one text file. Process \"recorded\" replays the file on any "
		"network, and `tilefly workload FILE.mpi` prints it or converts it to a GOAL schedule. Collectives are "
		"recorded as calls: the simulation executes them by the algorithms of mpi.collectives. With --out "
		"FILE.goal or FILE.bin a GOAL schedule is written instead, with the collectives' algorithms set by "
		"--collectives.\n\nThe program must be dynamically linked with the MPI that tilefly was built with, "
		"and call MPI through its C interface; calls from Fortran are refused. One-sided calls, MPI-IO, "
		"dynamic processes, intercommunicators and neighbourhood collectives are refused, too: the first of "
		"them ends the recording with an error that names it. A recording represents one execution with this "
		"number of ranks.\n\nThe launcher is that of the MPI that tilefly was built with, or the one in the "
		"environment variable TILEFLY_MPIEXEC. All ranks must run on this machine. See docs/record.md.",
	.examples = "tilefly record -n 8 -- ./program input.txt\n"
		    "tilefly record -n 4 --out ring.mpi -- ./ring\n"
		    "tilefly record -n 4 --out ring.goal --collectives openmpi-4.1 -- ./ring\n"
		    "tilefly workload ring.mpi --emit goal --collectives openmpi-4.1 --out ring.goal",
	.status = "0 recorded, 1 the program failed or made a call that cannot be recorded (nothing is written), 2 "
		  "wrong usage, 130 interrupted",
	.bit = XP_CMD_RECORD,
	.min_operands = 1,
	.max_operands = INT_MAX,
	.word = XP_WORD_FILE,
	.ranks = XP_ALONE,
	.run = run_record,
};
