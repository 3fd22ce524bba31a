/* workload/mpi/choices.c - algorithms of collectives as a user writes them. */
#include "workload/mpi/collective.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/param.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MPI_PREFIX 4u /* of "MPI_Allreduce" */

static char *trimmed(char *word)
{
	while (*word == ' ' || *word == '\t')
		word++;
	for (size_t n = strlen(word); n && (word[n - 1] == ' ' || word[n - 1] == '\t'); n--)
		word[n - 1] = 0;
	return word;
}

static enum mpi_op op_of(const char *name)
{
	for (enum mpi_op op = WL_MPI_BARRIER; op <= WL_MPI_EXSCAN; op++)
		if (!strcasecmp(mpi_op_name(op) + MPI_PREFIX, name))
			return op;
	return WL_MPI_OPS;
}

static int bad_preset(const char *word, const char *key, struct base_errors *errors)
{
	const char *names[WL_MPI_PRESETS];
	for (enum mpi_preset p = 0; p < WL_MPI_PRESETS; p++)
		names[p] = mpi_preset_name(p);
	const char *near = base_nearest(word, names, WL_MPI_PRESETS);
	return base_errorf(errors, key, "\"%.60s\" is not a preset%s%s%s: basic, openmpi-4.1 or mpich-4.0", word,
	                   near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static int bad_op(const char *word, const char *key, struct base_errors *errors)
{
	const char *names[WL_MPI_OPS];
	size_t n = 0;
	for (enum mpi_op op = WL_MPI_BARRIER; op <= WL_MPI_EXSCAN; op++)
		names[n++] = mpi_op_name(op) + MPI_PREFIX;
	const char *near = base_nearest(word, names, n);
	struct base_buffer known = { 0 };
	for (size_t i = 0; i < n; i++)
		base_buffer_printf(&known, "%s%s", i ? ", " : "", names[i]);
	int status = base_errorf(errors, key, "\"%.60s\" is not a collective%s%s%s: %s", word,
	                         near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "", known.data);
	free(known.data);
	return status;
}

static int bad_algorithm(const char *word, enum mpi_op op, const char *key, struct base_errors *errors)
{
	struct base_buffer known = { 0 };
	for (enum mpi_algorithm a = WL_ALG_AUTO + 1; a < WL_ALGORITHMS; a++)
		if (mpi_algorithm_does(op, a))
			base_buffer_printf(&known, "%s%s", known.n ? ", " : "", mpi_algorithm_name(a));
	int status =
	    base_errorf(errors, key, "\"%.60s\" is not an algorithm of %s: %s", word, mpi_op_name(op), known.data);
	free(known.data);
	return status;
}

static int read_word(struct mpi_choices *out, char *word, bool first, const char *key, struct base_errors *errors)
{
	char *algorithm = strchr(word, '=');
	if (!algorithm) {
		enum mpi_preset preset = mpi_preset_find(word);
		if (preset == WL_MPI_PRESETS)
			return bad_preset(word, key, errors);
		if (!first)
			return base_errorf(errors, key, "the preset \"%s\" must precede single collectives", word);
		out->preset = preset;
		return 0;
	}
	*algorithm = 0;
	algorithm = trimmed(algorithm + 1);
	enum mpi_op op = op_of(trimmed(word));
	if (op == WL_MPI_OPS)
		return bad_op(trimmed(word), key, errors);
	enum mpi_algorithm a = mpi_algorithm_find(algorithm);
	if (a == WL_ALGORITHMS || !mpi_algorithm_does(op, a))
		return bad_algorithm(algorithm, op, key, errors);
	if (out->fixed[op] != WL_ALG_AUTO)
		return base_errorf(errors, key, "%s is given two algorithms", mpi_op_name(op));
	out->fixed[op] = a;
	out->named |= mpi_collective_bit(op);
	return 0;
}

/* MPI_Reduce_scatter's is MPI_Reduce_scatter_block's, too, where that has none and can be done so. */
static void cover_blocks(struct mpi_choices *out)
{
	enum mpi_algorithm a = out->fixed[WL_MPI_REDUCE_SCATTER], *block = &out->fixed[WL_MPI_REDUCE_SCATTER_BLOCK];
	if (*block == WL_ALG_AUTO && a != WL_ALG_AUTO && mpi_algorithm_does(WL_MPI_REDUCE_SCATTER_BLOCK, a))
		*block = a;
}

/* Collectives that others are composed of. */
static uint64_t with_parts(const struct mpi_choices *c, uint64_t used)
{
	static const struct {
		enum mpi_op whole, part[2];
	} row[] = {
		{ WL_MPI_ALLREDUCE, { WL_MPI_REDUCE, WL_MPI_BCAST } },
		{ WL_MPI_ALLGATHER, { WL_MPI_GATHER, WL_MPI_BCAST } },
		{ WL_MPI_ALLGATHERV, { WL_MPI_GATHERV, WL_MPI_BCAST } },
		{ WL_MPI_REDUCE_SCATTER, { WL_MPI_REDUCE, WL_MPI_SCATTERV } },
		{ WL_MPI_REDUCE_SCATTER_BLOCK, { WL_MPI_REDUCE, WL_MPI_SCATTER } },
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		enum mpi_algorithm a = c->fixed[row[i].whole];
		bool may_be = a == WL_ALG_COMPOSED || (a == WL_ALG_AUTO && c->preset != WL_MPI_BASIC);
		if (may_be && used & mpi_collective_bit(row[i].whole))
			used |= mpi_collective_bit(row[i].part[0]) | mpi_collective_bit(row[i].part[1]);
	}
	return used;
}

int mpi_choices_check(const struct mpi_choices *choices, uint64_t used, const char *key, struct base_errors *errors)
{
	const uint64_t both = mpi_collective_bit(WL_MPI_REDUCE_SCATTER),
		       block = mpi_collective_bit(WL_MPI_REDUCE_SCATTER_BLOCK);
	int status = 0;
	used = with_parts(choices, used);
	if (used & block && !(choices->named & block))
		used |= both;
	for (enum mpi_op op = WL_MPI_BARRIER; op <= WL_MPI_EXSCAN; op++)
		if (choices->named & ~used & mpi_collective_bit(op))
			status = base_errorf(errors, key, "the algorithm of %s has no effect: there is no such call",
			                     mpi_op_name(op));
	return status;
}

int mpi_choices_read(struct mpi_choices *out, const char *text, const char *key, struct base_errors *errors)
{
	char *words = base_strdup(text), *rest = words;
	int status = 0;
	*out = (struct mpi_choices){ .preset = WL_MPI_BASIC };
	for (char *word; (word = strsep(&rest, ","));)
		status |= read_word(out, trimmed(word), word == words, key, errors);
	cover_blocks(out);
	free(words);
	return status ? -1 : 0;
}
