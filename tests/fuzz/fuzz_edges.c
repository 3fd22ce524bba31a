/* tests/fuzz/fuzz_edges.c - any bytes as a file of cables and endpoints: an error or a graph, and a graph has facts and
 * reads back to the same. A libFuzzer target (preset fuzz). */
#include "topo/cables.h"
#include "topo/params.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_SWITCHES 200 /* larger ones say no more and take longer */

static int build(struct topo *topo, int fd, int64_t endpoints, struct base_errors *errors)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	struct topo_edges_params params = { .file = path, .endpoints = endpoints };
	return topo_build(topo, &topo_edges, &params, errors);
}

/* Written and read again it is the same graph. */
static void read_back(const struct topo *topo)
{
	struct topo again;
	struct topo_facts a, b;
	struct base_errors errors = { 0 };
	int fd = memfd_create("again", 0);
	FILE *out = fdopen(dup(fd), "w");
	if (!out || topo_write_edges(topo, out) || fclose(out) || build(&again, fd, 1, &errors))
		abort();
	topo_compute_facts(topo, &a);
	topo_compute_facts(&again, &b);
	if (a.switches != b.switches || a.endpoints != b.endpoints || a.links != b.links || a.radix != b.radix ||
	    a.diameter != b.diameter || a.girth != b.girth)
		abort();
	for (topo_switch s = 0; s < topo->switches; s++)
		if (topo_endpoints_at(topo, s) != topo_endpoints_at(&again, s))
			abort();
	topo_destroy(&again);
	base_errors_free(&errors);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct topo_cables cables;
	struct base_errors errors = { 0 };
	int parsed = topo_parse_cables(&cables, (const char *)data, size, "fuzz", &errors);
	bool small =
	    parsed || cables.switches <= MOST_SWITCHES; /* a gzip file is none that can be parsed as it stands */
	if (!parsed)
		topo_cables_free(&cables);
	base_errors_free(&errors);
	int fd = small ? memfd_create("edges", 0) : -1;
	if (fd >= 0 && write(fd, data, size) == (ssize_t)size) {
		struct topo topo;
		if (!build(&topo, fd, 2, &errors)) {
			if (topo.switches <= MOST_SWITCHES)
				read_back(&topo);
			topo_destroy(&topo);
		} else if (!errors.errors) {
			abort();
		}
		base_errors_free(&errors);
	}
	if (fd >= 0)
		close(fd);
	return 0;
}
