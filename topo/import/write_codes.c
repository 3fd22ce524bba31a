/* topo/import/write_codes.c - writes dragonflies as the binary files of CODES' models (codes.c). In these the routers
 * of a group have consecutive numbers; in a dragonfly-plus the leaves of a group come first. */
#include "topo/import/formats.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

struct codes_writer {
	const struct topo *topo;
	uint32_t group;   /* switches of a group */
	uint32_t *number; /* of a switch, as CODES has it */
	topo_switch *at;  /* the switch of a number */
};

static void write_word(FILE *out, uint32_t word)
{
	for (int i = 0; i < 4; i++)
		fputc((int)(word >> 8 * i & 255), out);
}

/* Numbers the switches by group; false: groups are of different sizes. */
static bool number_routers(struct codes_writer *w)
{
	const struct topo *t = w->topo;
	uint32_t *members = base_calloc(t->groups, sizeof *members);
	bool equal = t->switches % t->groups == 0;
	w->group = t->switches / t->groups;
	w->number = base_calloc(t->switches, sizeof *w->number);
	w->at = base_calloc(t->switches, sizeof *w->at);
	for (topo_switch s = 0; s < t->switches && equal; s++) {
		uint32_t g = topo_group(t, s);
		equal = members[g] < w->group;
		if (!equal)
			break;
		w->number[s] = g * w->group + members[g]++;
		w->at[w->number[s]] = s;
	}
	free(members);
	return equal;
}

static int by_word(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

/* Writes the cables of a switch inside its group to `out`, sorted: each is twice the peer's number in the group, plus 1
 * if the cable runs along a column. Returns their number. */
static uint32_t cables_inside(const struct codes_writer *w, uint32_t number, uint64_t *out)
{
	uint32_t n = 0;
	topo_switch s = w->at[number];
	for (topo_port p = 0; p < topo_ports(w->topo, s); p++) {
		struct topo_hop hop = topo_peer(w->topo, s, p);
		if (w->number[hop.to] / w->group == number / w->group)
			out[n++] = (uint64_t)(w->number[hop.to] % w->group) << 1 | (hop.dimension == 1);
	}
	qsort(out, n, sizeof *out, by_word);
	return n;
}

/* Are all groups cabled as the first one is? */
static bool groups_are_alike(const struct codes_writer *w, uint64_t *first, uint64_t *other)
{
	for (uint32_t i = w->group; i < w->topo->switches; i++) {
		uint32_t n = cables_inside(w, i % w->group, first);
		if (n != cables_inside(w, i, other))
			return false;
		for (uint32_t k = 0; k < n; k++)
			if (first[k] != other[k])
				return false;
	}
	return true;
}

static void write_groups(const struct codes_writer *w, FILE *out, uint64_t *cables, bool plus)
{
	for (uint32_t i = 0; i < w->group; i++) {
		uint32_t n = cables_inside(w, i, cables);
		for (uint32_t k = 0; k < n; k++) {
			write_word(out, i);
			write_word(out, (uint32_t)(cables[k] >> 1));
			if (!plus)
				write_word(out, cables[k] & 1);
		}
	}
}

static void write_between(const struct codes_writer *w, FILE *out)
{
	for (uint32_t i = 0; i < w->topo->switches; i++)
		for (topo_port p = 0; p < topo_ports(w->topo, w->at[i]); p++) {
			uint32_t to = w->number[topo_peer(w->topo, w->at[i], p).to];
			if (to / w->group == i / w->group)
				continue;
			write_word(out, i);
			write_word(out, to);
		}
}

/* In a dragonfly-plus the first ones of a group have endpoints, in a dragonfly all. */
static bool endpoints_fit(const struct codes_writer *w, bool plus)
{
	uint32_t leaves = 0;
	while (leaves < w->group && topo_endpoints_at(w->topo, w->at[leaves]))
		leaves++;
	for (uint32_t i = 0; i < w->topo->switches; i++)
		if (topo_endpoints_at(w->topo, w->at[i]) != (i % w->group < leaves ? w->topo->max_endpoints : 0))
			return false;
	return plus ? leaves < w->group : leaves == w->group;
}

static int write_codes(const struct topo *topo, const struct import_output *out, struct base_errors *errors, bool plus)
{
	struct codes_writer w = { .topo = topo };
	uint64_t *first = base_calloc(topo->max_ports + (size_t)1, sizeof *first);
	uint64_t *other = base_calloc(topo->max_ports + (size_t)1, sizeof *other);
	int status = 0;
	if (topo->groups < 2 || topo->groups == topo->switches || !number_routers(&w))
		status = base_errorf(errors, NULL, "this topology has no groups of equal size, which the format needs");
	else if (!endpoints_fit(&w, plus))
		status =
		    base_errorf(errors, NULL,
		                plus ? "the format needs groups whose first switches have equal numbers of endpoints, "
		                       "and the others none"
		                     : "the format needs equal numbers of endpoints at all switches; dragonfly-plus is "
		                       "written as codes-dragonfly-plus");
	else if (!groups_are_alike(&w, first, other))
		status = base_errorf(errors, NULL,
		                     "the groups of this topology are cabled in different ways, which the format "
		                     "cannot say");
	import_warn_lost(topo, "CODES' format", false, true, errors);
	if (!status) {
		write_groups(&w, out->second, first, plus);
		write_between(&w, out->stream);
	}
	free(first);
	free(other);
	free(w.number);
	free(w.at);
	return status;
}

int import_write_codes(const struct topo *topo, const struct import_output *out, struct base_errors *errors)
{
	return write_codes(topo, out, errors, false);
}

int import_write_codes_plus(const struct topo *topo, const struct import_output *out, struct base_errors *errors)
{
	return write_codes(topo, out, errors, true);
}
