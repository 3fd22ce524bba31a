/* tests/fuzz/fuzz_aspen.c - any bytes as an Aspen model, and after a NUL as a machine: errors, each at a place, or a
 * walk that ends in a finite time. A libFuzzer target (preset fuzz). */
#include "workload/formats/aspen/emit.h"
#include "workload/formats/aspen/run.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void walk(struct aspen *a, struct aspen_model *m, struct aspen_model *machine, struct base_errors *errors)
{
	const struct aspen_kernel *k = aspen_kernel_find(m, "main", 4);
	struct aspen_program program = { 0 };
	struct aspen_run run = { .a = a, .seed = 1, .program = &program, .steps = ASPEN_MOST_STEPS - 100000 };
	struct aspen_ranks ranks = { 0 };
	if (machine && (!machine->root || aspen_choose(&run, machine, NULL)))
		run.machine = NULL;
	if (k && !errors->errors) {
		double seconds = aspen_walk(&run, k);
		if (run.failed != !!errors->errors || (!run.failed && !isfinite(seconds)))
			abort();
		if (!run.failed && !aspen_ranks_make(&ranks, 6, false, errors)) {
			struct aspen_count *count = calloc(program.phases + 1, sizeof *count);
			aspen_count_program(&program, &ranks, count);
			free(count);
			if (program.n < 200) {
				FILE *out = fopen("/dev/null", "w");
				aspen_emit_goal(out, &program, &ranks, m->name);
				aspen_emit_mpi(out, &program, m->name, errors);
				fclose(out);
			}
		}
	}
	aspen_ranks_free(&ranks);
	aspen_program_free(&program);
	aspen_run_free(&run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct base_errors errors = { 0 };
	struct aspen *a = aspen_new(&errors);
	const uint8_t *end = size ? memchr(data, 0, size) : NULL;
	size_t bytes = end ? (size_t)(end - data) : size;
	char lines[1200];
	a->no_files = true;
	struct aspen_model *m = aspen_load_text(a, "fuzz", (const char *)data, bytes), *machine = NULL;
	if (!m && !errors.errors)
		abort();
	if (m && end)
		machine = aspen_load_text(a, "machine", (const char *)end + 1, size - bytes - 1);
	if (machine && (machine->name || aspen_bind(a, machine, NULL)))
		machine = NULL;
	if (m && !errors.errors && !aspen_bind(a, m, machine))
		walk(a, m, machine, &errors);
	for (size_t i = 0; i < errors.n; i++) {
		aspen_excerpt(a, errors.v[i].key, lines, sizeof lines);
		if (errors.v[i].key[0] != '@')
			abort();
	}
	aspen_free(a);
	base_errors_free(&errors);
	return 0;
}
