/* tests/experiments/config/test_every_key_long.c - every key of every shipped configuration acts or is refused: see
 * every_key.h. The variable TILEFLY_EVERY_KEY gives a part of the names of those that are tried, for a look at a few.
 */
#include "tests/experiments/config/every_key.h"

#include <dirent.h>

#define MOST 100

static struct {
	char v[MOST][TEXT];
	size_t n;
} names; /* of the shipped configurations */

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void list_shipped(void)
{
	DIR *d = opendir(SHIPPED);
	cr_assert(d, "%s", SHIPPED);
	names.n = 0;
	for (struct dirent *e; (e = readdir(d));) {
		size_t length = strlen(e->d_name);
		if (length <= 4 || strcmp(e->d_name + length - 4, ".cfg") != 0)
			continue;
		cr_assert_lt(names.n, (size_t)MOST);
		snprintf(names.v[names.n++], TEXT, "%s", e->d_name);
	}
	closedir(d);
	qsort(names.v, names.n, TEXT, by_name);
}

Test(every_key_long, of_every_shipped_configuration)
{
	const char *only = getenv("TILEFLY_EVERY_KEY");
	list_shipped();
	cr_assert_geq(names.n, 14u);
	for (size_t i = 0; i < names.n; i++)
		if (!only || strstr(names.v[i], only))
			try_shipped(names.v[i]);
	if (!only)
		try_others();
	report_judged(!only);
}
