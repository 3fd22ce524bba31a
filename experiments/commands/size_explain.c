/* experiments/commands/size_explain.c - `tilefly size --explain`: prints which members of each topology family were
 * examined, which parts of a family were excluded by which bound, and why no admissible member is better. */
#include "experiments/commands/size.h"

#include <inttypes.h>

static const char *const cut_names[XP_CUTS] = { [XP_CUT_RADIX] = "ports",
	                                        [XP_CUT_UNIFORM] = "throughput",
	                                        [XP_CUT_ENDPOINTS] = "endpoints",
	                                        [XP_CUT_BUDGET] = "budget",
	                                        [XP_CUT_BETTER] = "no_better" };

static void print_reasons(const struct xp_wish *w, const char *head, const uint64_t *n)
{
	bool any = false;
	for (int i = 0; i < XP_CUTS; i++) {
		if (!n[i])
			continue;
		printf("%s%" PRIu64 " ", any ? ", " : head, n[i]);
		any = true;
		switch ((enum xp_cut)i) {
		case XP_CUT_RADIX:
			printf("with more than %u ports", w->radix);
			break;
		case XP_CUT_UNIFORM:
			printf("with uniform traffic below %g", w->throughput);
			break;
		case XP_CUT_ENDPOINTS:
			printf("with less than %" PRIu64 " endpoints%s", w->endpoints, w->delivered ? " deliver" : "");
			break;
		case XP_CUT_BUDGET:
			printf("over the budget");
			break;
		case XP_CUT_BETTER:
			printf("not better than the best one found before");
			break;
		case XP_CUTS:
			break;
		}
	}
	if (any)
		printf("\n");
}

/* For a family without an admissible member: the largest number of endpoints it can have with such switches. */
static void print_largest(const struct xp_wish *w, const struct topo_family *family)
{
	struct base_errors errors = { 0 };
	struct xp_wish any = *w;
	struct xp_sized most;
	any.objective = XP_SIZE_LARGEST;
	any.endpoints = 0;
	any.delivered = false;
	if (!xp_size_family(&most, family, &any, &errors) && most.found)
		printf("    from switches of %u ports, with uniform traffic at %g or more, it has at most %" PRIu64
		       " endpoints\n",
		       w->radix, w->throughput, most.best.endpoints);
	xp_sized_free(&most);
	base_errors_free(&errors);
}

static void explain(const struct xp_wish *w, const struct xp_sized *s)
{
	char text[200];
	printf("  %s: %s\n", s->family->name, s->family->rule);
	if (s->why) {
		printf("    none examined: %s\n", s->why);
		return;
	}
	printf("    %" PRIu64 " members were examined\n", s->members);
	print_reasons(w, "    of them rejected: ", s->refused);
	print_reasons(w, "    parts of the family excluded by bounds that hold for all of their members: ", s->cut);
	if (s->priced)
		printf("    %" PRIu64
		       " were built, placed and priced; for the others a lower bound of the price was sufficient%s\n",
		       s->priced, s->all ? "" : ", except those below");
	if (s->found) {
		topo_member_print(&s->best, text, sizeof text);
		printf("    best: %s\n", text);
	}
	if (!s->all)
		printf("    not proved: %" PRIu64 " members that may be better according to their bounds were not "
		       "priced, because that takes too long\n",
		       s->unpriced);
	else
		printf("    nothing admissible %s among these: every other member was rejected, or is in a part that "
		       "was excluded\n",
		       s->found ? "is better" : "is");
	if (!s->found && w->objective != XP_SIZE_LARGEST && w->endpoints)
		print_largest(w, s->family);
}

void xp_size_explain_text(const struct xp_wish *w, struct xp_sized *const *sized, int n)
{
	printf("\nExplained:\n");
	for (int i = 0; i < n; i++)
		explain(w, sized[i]);
}

static void json_reasons(struct base_json *j, const char *key, const uint64_t *n)
{
	base_json_object(j, key);
	for (int i = 0; i < XP_CUTS; i++)
		base_json_uint(j, cut_names[i], n[i]);
	base_json_end(j);
}

void xp_size_explain_json(struct base_json *j, const struct xp_sized *s)
{
	base_json_string(j, "rule", s->family->rule);
	json_reasons(j, "refused", s->refused);
	json_reasons(j, "left_out", s->cut);
	base_json_uint(j, "unpriced", s->unpriced);
}
