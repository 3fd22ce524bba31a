/* workload/process/aspen_model.c - see aspen_model.h */
#include "workload/process/aspen_model.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The machine, whose errors are kept separate; NULL: there is none, or it cannot be read. */
static struct aspen_model *read_machine(const struct wl_aspen_model *q, struct aspen *a, struct base_errors *of_machine)
{
	struct base_errors *of_model = a->errors;
	a->errors = of_machine;
	struct aspen_model *machine = q->machine && *q->machine ? aspen_load(a, q->machine) : NULL;
	if (machine && machine->name)
		aspen_errorf(a, machine->at, "is an application model, but a machine model is required");
	a->errors = of_model;
	return machine;
}

static void bind_machine(const struct wl_aspen_model *q, struct aspen_run *run, struct aspen_model *machine,
                         struct base_errors *of_machine)
{
	struct base_errors *of_model = run->a->errors;
	run->a->errors = of_machine;
	if (!aspen_bind(run->a, machine, NULL))
		aspen_choose(run, machine, q->socket && *q->socket ? q->socket : NULL);
	run->a->errors = of_model;
}

static int read_model(const struct wl_aspen_model *q, struct aspen *a, struct aspen_run *run,
                      struct base_errors *of_machine, double *seconds)
{
	struct aspen_model *m = aspen_load(a, q->model);
	if (m && !m->name)
		aspen_errorf(a, m->at, "is a machine model, but an application model is required");
	struct aspen_model *machine = read_machine(q, a, of_machine);
	if (a->errors->errors || of_machine->errors)
		return -1;
	char *values = base_strdup(q->values ? q->values : ""), *rest = values;
	for (char *word; (word = strsep(&rest, ","));) {
		char *end = word;
		for (const char *c = word; *c; c++)
			if (*c != ' ' && *c != '\t')
				*end++ = *c;
		*end = 0;
		if (*word)
			aspen_set(a, m, word);
	}
	free(values);
	if (machine)
		bind_machine(q, run, machine, of_machine);
	if (aspen_bind(a, m, machine) || a->errors->errors || of_machine->errors)
		return -1;
	const struct aspen_kernel *k = aspen_kernel_find(m, "main", 4);
	if (!k)
		return aspen_errorf(a, m->at, "model %s has no kernel main", m->name);
	*seconds = aspen_walk(run, k);
	return run->failed ? -1 : 0;
}

/* Converts errors of the reader, whose keys are locations in files or options of `tilefly workload`, to errors of this
 * job's key. */
static int pass_on_model(const struct base_errors *found, const char *key, const char *socket,
                         struct base_errors *errors)
{
	int status = 0;
	for (size_t i = 0; i < found->n; i++) {
		const struct base_error *e = &found->v[i];
		if (e->warning)
			continue;
		if (!strncmp(e->key, "@--", 3))
			status = base_errorf(errors, !strcmp(e->key, "@--param") ? "params" : socket, "%s", e->text);
		else
			status = base_errorf(errors, key, "%s: %s", e->key + (e->key[0] == '@'), e->text);
	}
	return status;
}

int wl_aspen_walk(const struct wl_aspen_model *q, struct aspen_program *program, double *seconds,
                  struct base_errors *errors)
{
	struct base_errors found = { 0 }, of_machine = { 0 };
	struct aspen *a = aspen_new(&found);
	struct aspen_run run = { .a = a, .seed = q->seed, .program = program, .apart = q->apart };
	*seconds = 0;
	int status = read_model(q, a, &run, &of_machine, seconds);
	if (!status && q->seed != WL_ASPEN_SEED && !run.draws)
		status = base_errorf(errors, "model_seed",
		                     "has an effect only with a model that draws samples, or in which a probability "
		                     "decides on communication");
	status |= pass_on_model(&found, q->model_key, q->socket_key, errors) |
	          pass_on_model(&of_machine, "machine", q->socket_key, errors);
	aspen_run_free(&run);
	aspen_free(a);
	base_errors_free(&found);
	base_errors_free(&of_machine);
	return status ? -1 : 0;
}

void wl_aspen_files(const char *model, void (*visit)(void *arg, const char *path), void *arg)
{
	struct base_errors found = { 0 };
	struct aspen *a = aspen_new(&found);
	if (model && *model && aspen_load(a, model))
		for (uint32_t i = 1; i < a->nsources; i++)
			visit(arg, a->sources[i].name);
	aspen_free(a);
	base_errors_free(&found);
}
