/* experiments/commands/workload_aspen.c - `tilefly workload MODEL.aspen`. */
#include "base/json.h"
#include "base/memory.h"
#include "base/param.h"
#include "base/text.h"
#include "experiments/commands/command.h"
#include "experiments/commands/workload.h"
#include "experiments/config/config.h"
#include "experiments/config/message.h"
#include "experiments/config/shipped.h"
#include "experiments/results/file.h"
#include "workload/formats/aspen/emit.h"
#include "workload/formats/aspen/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct study {
	const struct xp_options *o;
	struct aspen *a;
	struct aspen_model *model, *machine;
	struct aspen_run run;
	struct aspen_program program;
	struct aspen_ranks ranks;  /* n = 0: none are given */
	struct aspen_count *count; /* [program.phases] */
	double seconds, data;
	int64_t wanted_ranks, seed;
	struct mpi_choices choices;
	uint64_t most; /* bytes */
};

/* --- errors ----------------------------------------------------------------------------------------------- */

static void report(const struct study *s, const struct base_errors *errors)
{
	for (size_t i = 0; i < errors->n; i++) {
		struct base_buffer line = { 0 };
		char lines[1200];
		xp_config_line(NULL, &errors->v[i], &line);
		fprintf(stderr, "%s\n", line.data);
		if (aspen_excerpt(s->a, errors->v[i].key, lines, sizeof lines))
			fprintf(stderr, "%s\n", lines);
		free(line.data);
	}
}

/* --- reading ---------------------------------------------------------------------------------------------- */

static int read_numbers(struct study *s, struct base_errors *errors)
{
	const struct base_param rows[] = {
		{ BASE_KEY_AT("@--ranks", INT, struct study, wanted_ranks, NULL), .min = 1, .max = ASPEN_MOST_RANKS },
		{ BASE_KEY_AT("@--most", SIZE, struct study, most, NULL), .min = 1, .max = 1e18 },
		{ BASE_KEY_AT("@--seed", INT, struct study, seed, NULL), .min = 0, .max = 1e18 },
	};
	s->seed = 1;
	if (s->o->ranks)
		base_param_parse(&rows[0], s, s->o->ranks, errors);
	s->most = 4000000000;
	if (s->o->most)
		base_param_parse(&rows[1], s, s->o->most, errors);
	if (s->o->seed)
		base_param_parse(&rows[2], s, s->o->seed, errors);
	if (s->o->emit == XP_EMIT_GOAL && !s->o->ranks)
		xp_error_at(errors, "--emit", "a schedule has a fixed number of ranks: set --ranks");
	if (s->o->most && s->o->emit != XP_EMIT_GOAL)
		xp_error_at(errors, "--most", "has an effect only with --emit goal");
	if (s->o->emit == XP_EMIT_GOAL_BIN)
		xp_error_at(errors, "--emit",
		            "a model can only be converted to mpi-c or goal; to get goal-bin, convert the resulting "
		            "schedule with tilefly workload");
	if (s->o->emit && s->o->json)
		xp_error_at(errors, "--emit", "cannot be combined with --emit, which does not write JSON");
	if (!s->o->emit && (s->o->unroll || s->o->out))
		xp_error_at(errors, s->o->unroll ? "--unroll" : "--out", "has an effect only with --emit");
	if (s->o->collectives)
		mpi_choices_read(&s->choices, s->o->collectives, "@--collectives", errors);
	if (s->o->collectives && (!s->o->ranks || s->o->emit == XP_EMIT_MPI_C))
		xp_error_at(errors, "--collectives",
		            s->o->ranks
		                ? "has no effect: the written program calls MPI, which selects its own algorithms"
		                : "has an effect only with --ranks");
	if (s->o->socket && !s->o->machine)
		xp_error_at(errors, "--socket", "requires a machine: add --machine");
	return errors->errors ? -1 : 0;
}

/* A file, or a shipped model, with or without the end of its name. */
static struct aspen_model *load_named(struct study *s, const char *name)
{
	char *shipped = xp_shipped_model(name, name);
	if (!shipped && access(name, F_OK) && !strchr(name, '/'))
		shipped = xp_shipped_path(XP_SHIPPED_MODEL, name);
	struct aspen_model *model = aspen_load(s->a, shipped ? shipped : name);
	free(shipped);
	return model;
}

static int load(struct study *s, struct base_errors *errors)
{
	const struct xp_options *o = s->o;
	s->model = load_named(s, o->operand[0]);
	s->machine = o->machine ? load_named(s, o->machine) : NULL;
	if (s->model && !s->model->name)
		aspen_errorf(s->a, s->model->at, "is a machine, not an application model");
	if (s->machine && s->machine->name)
		aspen_errorf(s->a, s->machine->at, "is an application model, but --machine requires a machine");
	if (errors->errors)
		return -1;
	for (size_t i = 0; i < o->nsets; i++)
		aspen_set(s->a, s->model, o->sets[i]);
	if (s->machine && !aspen_bind(s->a, s->machine, NULL))
		aspen_choose(&s->run, s->machine, o->socket);
	return aspen_bind(s->a, s->model, s->machine) || errors->errors ? -1 : 0;
}

/* Bytes of the data that the model declares. */
static double data_bytes(struct study *s)
{
	double sum = 0;
	for (uint32_t i = 0; i < s->model->params.n && !s->run.failed; i++) {
		const struct aspen_param *p = s->model->params.v[i];
		double bytes = p->value ? 0 : 1;
		if (p->kind != ASPEN_DATUM)
			continue;
		if (p->value)
			bytes = aspen_eval(&s->run, p->value);
		for (uint32_t k = 0; k < p->values.n; k++)
			bytes *= aspen_eval(&s->run, p->values.v[k]);
		sum += bytes;
	}
	return sum;
}

static int walk(struct study *s, struct base_errors *errors)
{
	const struct aspen_kernel *k = aspen_kernel_find(s->model, "main", 4);
	if (!k)
		return aspen_errorf(s->a, s->model->at, "model %s has no kernel main", s->model->name);
	s->run.strict = s->o->strict;
	s->run.seed = (uint64_t)s->seed;
	s->run.program = &s->program;
	s->program.unroll = s->o->unroll;
	s->data = data_bytes(s);
	s->seconds = s->run.failed ? 0 : aspen_walk(&s->run, k);
	if (s->run.failed || errors->errors)
		return -1;
	if (s->wanted_ranks && aspen_ranks_make(&s->ranks, (uint32_t)s->wanted_ranks, s->o->strict, errors))
		return -1;
	s->ranks.choices = s->choices;
	if (mpi_choices_check(&s->choices, aspen_collectives(&s->program), "@--collectives", errors))
		return -1;
	s->count = base_calloc(s->program.phases + 1, sizeof *s->count);
	if (s->wanted_ranks)
		aspen_count_program(&s->program, &s->ranks, s->count);
	for (uint32_t i = 0; i < s->program.phases && s->wanted_ranks; i++)
		if (s->count[i].messages == UINT64_MAX || s->count[i].bytes == UINT64_MAX ||
		    s->count[i].calls == UINT64_MAX)
			return aspen_errorf(
			    s->a, s->model->at,
			    "phase %u of kernel %s has 2^64 - 1 or more messages, bytes or calls, which is too many", i,
			    s->program.phase[i].kernel);
	return 0;
}

/* --- printing --------------------------------------------------------------------------------------------- */

/* What a phase is called: its block's label, or its pattern. */
static const char *phase_name(const struct study *s, uint32_t i)
{
	if (s->program.phase[i].name)
		return s->program.phase[i].name;
	for (uint32_t k = 0; k < s->program.comms; k++)
		if (s->program.comm[k].phase == i)
			return aspen_pattern_name[s->program.comm[k].pattern];
	return "";
}

static const struct aspen_comm *comm_of(const struct study *s, uint32_t phase)
{
	for (uint32_t k = 0; k < s->program.comms; k++)
		if (s->program.comm[k].phase == phase)
			return &s->program.comm[k];
	return NULL;
}

static void print_phases(const struct study *s)
{
	for (uint32_t i = 0; i < s->program.phases; i++) {
		const struct aspen_comm *c = comm_of(s, i);
		const char *algorithm = s->wanted_ranks ? aspen_algorithm(c, &s->ranks) : NULL;
		char name[64];
		base_harmless_copy(phase_name(s, i), name, sizeof name);
		if (!s->wanted_ranks)
			printf("phase       %s (%s)\n", name, aspen_pattern_name[c->pattern]);
		else
			printf("phase       %-16s %12" PRIu64 " messages %16" PRIu64 " B  %s%s%s\n", name,
			       s->count[i].messages, s->count[i].bytes, aspen_pattern_name[c->pattern],
			       algorithm ? " by " : "", algorithm ? algorithm : "");
	}
	if (!s->wanted_ranks && s->program.phases)
		printf("            --ranks N counts messages and bytes\n");
}

static void print_model_text(const struct study *s)
{
	const struct aspen_run *r = &s->run;
	printf("model       %s\n", s->model->name);
	if (r->machine)
		printf("machine     %s, socket %s\n", r->machine->root->name, *r->socket ? r->socket : "none");
	for (uint32_t i = 0; i < s->model->params.n; i++) {
		const struct aspen_param *p = s->model->params.v[i];
		if (p->kind == ASPEN_SCALAR && p->done)
			printf("param       %s = %.12g\n", p->name, p->memo);
	}
	if (s->data > 0)
		printf("data        %.12g B\n", s->data);
	for (uint32_t i = 0; i < r->uses; i++) {
		printf("resource    %-16s %18.12g", r->use[i].name, r->use[i].amount);
		if (r->use[i].resource)
			printf("   alone %.12g s on %.12g unit%s", r->use[i].seconds, r->use[i].units,
			       r->use[i].units == 1 ? "" : "s");
		printf("\n");
	}
	for (uint32_t i = 0; i < s->a->kernels.n; i++) {
		const struct aspen_kernel *k = s->a->kernels.v[i];
		if (r->kernel[i].calls == 0)
			continue;
		printf("kernel      %-16s %12.12g call%s", k->name, r->kernel[i].calls,
		       r->kernel[i].calls == 1 ? "" : "s");
		if (r->machine)
			printf("   %.12g s", r->kernel[i].seconds);
		printf("\n");
	}
	print_phases(s);
	if (r->machine)
		printf("time        %.12g s\n", s->seconds);
}

static void json_phases(const struct study *s, struct base_json *j)
{
	uint64_t messages = 0, bytes = 0;
	base_json_array(j, "phases");
	for (uint32_t i = 0; i < s->program.phases; i++) {
		const struct aspen_comm *c = comm_of(s, i);
		base_json_object(j, NULL);
		base_json_string(j, "name", phase_name(s, i));
		base_json_string(j, "kernel", s->program.phase[i].kernel);
		base_json_string(j, "pattern", aspen_pattern_name[c->pattern]);
		if (s->wanted_ranks) {
			base_json_string(j, "algorithm", aspen_algorithm(c, &s->ranks));
			base_json_uint(j, "collective_calls", s->count[i].calls);
			base_json_uint(j, "messages", s->count[i].messages);
			base_json_uint(j, "bytes", s->count[i].bytes);
			messages += s->count[i].messages;
			bytes += s->count[i].bytes;
		}
		base_json_end(j);
	}
	base_json_end(j);
	if (s->wanted_ranks) {
		base_json_uint(j, "ranks", s->ranks.n);
		base_json_uint(j, "messages", messages);
		base_json_uint(j, "bytes", bytes);
	}
}

static void print_model_json(const struct study *s)
{
	const struct aspen_run *r = &s->run;
	struct base_json json = base_json_stream(stdout), *j = &json;
	base_json_object(j, NULL);
	base_json_string(j, "model", s->model->name);
	base_json_string(j, "machine", r->machine ? r->machine->root->name : NULL);
	base_json_string(j, "socket", r->socket);
	if (r->machine)
		base_json_double(j, "time_s", s->seconds);
	else
		base_json_null(j, "time_s");
	base_json_double(j, "data_bytes", s->data);
	base_json_object(j, "params");
	for (uint32_t i = 0; i < s->model->params.n; i++) {
		const struct aspen_param *p = s->model->params.v[i];
		if (p->kind == ASPEN_SCALAR && p->done)
			base_json_double(j, p->name, p->memo);
	}
	base_json_end(j);
	base_json_array(j, "resources");
	for (uint32_t i = 0; i < r->uses; i++) {
		base_json_object(j, NULL);
		base_json_string(j, "name", r->use[i].name);
		base_json_double(j, "amount", r->use[i].amount);
		base_json_double(j, "units", r->use[i].units);
		base_json_double(j, "alone_s", r->use[i].seconds);
		base_json_end(j);
	}
	base_json_end(j);
	base_json_array(j, "kernels");
	for (uint32_t i = 0; i < s->a->kernels.n; i++) {
		base_json_object(j, NULL);
		base_json_string(j, "name", ((struct aspen_kernel *)s->a->kernels.v[i])->name);
		base_json_double(j, "calls", r->kernel[i].calls);
		base_json_double(j, "time_s", r->kernel[i].seconds);
		base_json_end(j);
	}
	base_json_end(j);
	json_phases(s, j);
	base_json_end(j);
	base_json_newline(j);
}

/* Loops of a model make schedules of any size. */
static int check_size(const struct study *s, struct base_errors *errors)
{
	double bytes = s->o->emit == XP_EMIT_GOAL ? aspen_goal_bytes(&s->program, &s->ranks) : 0;
	if (bytes <= (double)s->most)
		return 0;
	xp_error_at(errors, "--emit",
	            "the schedule would take about %.3g GB, but at most %.3g GB are permitted: --most SIZE permits "
	            "more; process = \"aspen\" runs the model without a schedule",
	            bytes * 1e-9, (double)s->most * 1e-9);
	return -1;
}

static int emit(struct study *s, struct base_errors *errors)
{
	struct xp_file file;
	int bad = 0, status;
	if (check_size(s, errors))
		return XP_USAGE;
	if ((status = xp_workload_open(&file, s->o)))
		return status;
	if (s->o->emit == XP_EMIT_GOAL)
		aspen_emit_goal(file.stream, &s->program, &s->ranks, s->model->name);
	else
		bad = aspen_emit_mpi(file.stream, &s->program, s->model->name, errors);
	if (!bad)
		return xp_file_close(&file) ? XP_FAILURE : XP_OK;
	xp_file_discard(&file);
	return XP_USAGE;
}

int xp_workload_aspen(const struct xp_options *o)
{
	struct base_errors errors = { 0 };
	struct study s = { .o = o, .a = aspen_new(&errors) };
	s.run.a = s.a;
	int status = read_numbers(&s, &errors) || load(&s, &errors) || walk(&s, &errors) ? XP_USAGE : XP_OK;
	if (status == XP_OK && o->emit)
		status = emit(&s, &errors);
	report(&s, &errors);
	if (status == XP_OK && o->json)
		print_model_json(&s);
	else if (status == XP_OK && !o->emit && !o->quiet)
		print_model_text(&s);
	free(s.count);
	aspen_ranks_free(&s.ranks);
	aspen_program_free(&s.program);
	aspen_run_free(&s.run);
	aspen_free(s.a);
	base_errors_free(&errors);
	return status;
}
