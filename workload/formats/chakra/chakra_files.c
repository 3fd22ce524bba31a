/* workload/formats/chakra/chakra_files.c - the files of a Chakra trace, of which one, or their prefix, is named. */
#include "base/memory.h"
#include "workload/formats/chakra/chakra.h"
#include "workload/formats/chakra/chakra_json.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILES_AHEAD 4096u /* of a number that is missing: looked for, for that is more likely than a trace's end */

/* Bytes of PREFIX in the name of a trace, which may be that of one of its files: then *one. *end: ".et" or ".json". */
static int prefix_of(const char *path, bool *one, const char **end)
{
	size_t n = strlen(path), digits = 0;
	char name[4200];
	*end = chakra_is_json(path) ? ".json" : ".et";
	size_t ends = strlen(*end);
	while (n > ends + 1 + digits && path[n - ends - 1 - digits] >= '0' && path[n - ends - 1 - digits] <= '9')
		digits++;
	*one = n >= ends + 3 && digits && !strcmp(path + n - ends, *end) && path[n - ends - 1 - digits] == '.';
	if (*one)
		return (int)(n - ends - 1 - digits);
	*end = ".et";
	snprintf(name, sizeof name, "%.4000s.0.et", path);
	if (access(name, F_OK)) {
		snprintf(name, sizeof name, "%.4000s.0.json", path);
		*end = access(name, F_OK) ? ".et" : ".json";
	}
	return (int)n;
}

void wl_chakra_files(const char *path, void (*visit)(void *arg, const char *path), void *arg)
{
	char name[4200];
	const char *end;
	bool one;
	int prefix = prefix_of(path, &one, &end);
	for (uint32_t npus = 0; prefix <= 4000 && npus < WL_CHAKRA_NPUS; npus++) {
		snprintf(name, sizeof name, "%.*s.%" PRIu32 "%s", prefix, path, npus, end);
		if (access(name, F_OK))
			return;
		visit(arg, name);
	}
}

/* The next number from `npus` on of which there is a file: 0: none soon. */
static uint32_t next_file(const char *path, int prefix, const char *end, uint32_t npus)
{
	char name[4200];
	for (uint32_t i = npus + 1; i < npus + FILES_AHEAD && i < WL_CHAKRA_NPUS; i++) {
		snprintf(name, sizeof name, "%.*s.%" PRIu32 "%s", prefix, path, i, end);
		if (!access(name, F_OK))
			return i;
	}
	return 0;
}

int wl_chakra_read(struct wl_chakra *out, const char *path, const struct wl_chakra_dims *dims,
                   struct base_errors *errors)
{
	size_t n = strlen(path);
	char **files = NULL, name[4200], key[1200];
	uint32_t npus = 0;
	int status = -1;
	const char *end;
	bool one;
	*out = (struct wl_chakra){ 0 };
	if (n > 4000)
		return base_errorf(errors, wl_trace_key(path, 0, key, sizeof key),
		                   "has a name with more than 4000 characters");
	int prefix = prefix_of(path, &one, &end);
	uint32_t behind;
	for (; npus < WL_CHAKRA_NPUS; npus++) {
		snprintf(name, sizeof name, "%.*s.%" PRIu32 "%s", prefix, path, npus, end);
		if (access(name, F_OK))
			break;
		files = base_realloc(files, (npus + (size_t)1) * sizeof *files);
		files[npus] = base_strdup(name);
	}
	snprintf(name, sizeof name, "%.*s.%" PRIu32 "%s", prefix, path, npus, end);
	if (!npus)
		base_errorf(errors, wl_trace_key(name, 0, key, sizeof key), "cannot be read: %s", strerror(errno));
	else if (npus == WL_CHAKRA_NPUS && !access(name, F_OK))
		base_errorf(errors, wl_trace_key(path, 0, key, sizeof key), "belongs to more than %u NPUs",
		            WL_CHAKRA_NPUS);
	else if (one && strtoul(path + prefix + 1, NULL, 10) >= npus)
		base_errorf(errors, wl_trace_key(path, 0, key, sizeof key), "%s is missing", name);
	else if ((behind = next_file(path, prefix, end, npus)))
		base_errorf(errors, wl_trace_key(name, 0, key, sizeof key),
		            "is missing, although there is that of NPU %" PRIu32
		            ": a trace must have the files of all NPUs from 0 on",
		            behind);
	else
		status = wl_chakra_read_files(out, (const char *const *)files, npus, dims, errors);
	for (uint32_t i = 0; i < npus; i++)
		free(files[i]);
	free(files);
	return status;
}
