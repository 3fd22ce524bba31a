/* What a sweep says of a result that it does not keep. */
#include "base/memory.h"
#include "base/text.h"
#include "experiments/runs/keep.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD "{\"record\":\"manifest\",\"inputs\":[],\"config\":{\"seed\":1"
#define TAIL "}}\n{\"record\":\"summary\",\"complete\":true,\"accepted_load\":0.5,\"digest\":\"0\"}\n"
#define END "{\"record\":\"end\",\"records\":3}\n"

static char path[] = "/tmp/tilefly-keep-XXXXXX";

static void start(void)
{
	close(mkstemp(path));
}

static void finish(void)
{
	unlink(path);
}

/* Of a point with the configuration { seed = 1 }, made from nothing. */
static char *keep(const char *text)
{
	struct xp_run run = { .file = path, .resolved = "{\"seed\":1}" };
	FILE *out = text ? fopen(path, "w") : NULL;
	if (out) {
		fputs(text, out);
		fclose(out);
	}
	char *why = xp_keep(&run);
	cr_assert_eq(!why, run.row != NULL);
	json_decref(run.row);
	return why;
}

static void expect(const char *text, const char *reason)
{
	char *why = keep(text);
	if (reason)
		cr_expect_str_eq(why ? why : "(kept)", reason, "%s", text);
	else
		cr_expect_null(why, "%s: %s", text, why);
	free(why);
}

Test(keep, what_is_whole_and_equal, .init = start, .fini = finish)
{
	expect(HEAD TAIL END, NULL);
	expect(HEAD TAIL, "its result is incomplete");
	expect(HEAD TAIL END "{\"record\":\"job\"}\n", "its result is incomplete");
	expect(HEAD ",\"more\":2" TAIL END, "its configuration changed (more)");
	expect(HEAD TAIL "{\"record\":\"end\",\"records\":2}\n", "its result is incomplete");
	expect("", XP_UNREADABLE);
	unlink(path);
	expect(NULL, "");
}

/* Found by tests/fuzz/fuzz_manifest.c. */
Test(keep, a_reason_is_one_line_and_commands_no_terminal, .init = start, .fini = finish)
{
	expect(HEAD ",\"a\\n\\u001b[2J\":2" TAIL END, "its configuration changed (a??[2J)");
}

Test(keep, does_not_wait_for_the_writer_of_a_fifo, .init = start, .fini = finish, .timeout = 10)
{
	unlink(path);
	cr_assert_eq(mkfifo(path, 0600), 0);
	expect(NULL, XP_UNREADABLE);
}
