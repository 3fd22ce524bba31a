/* experiments/commands/list_arbiters.c - see list_arbiters.h */
#include "experiments/commands/list_arbiters.h"

#include "switch/arbiter.h"

#include <stdio.h>
#include <string.h>

static const char *fair_text(const struct base_plugin *arbiter)
{
	const char *fair = sw_arbiter_ops(arbiter)->fair;
	return fair ? fair : "nothing";
}

/* One that this tilefly does not know is refused where it is used. */
static const char *key_name(const struct base_plugin *arbiter)
{
	unsigned key = sw_arbiter_ops(arbiter)->key;
	return key < SW_ARBITER_KEYS ? sw_arbiter_keys[key].name : "unknown";
}

/* "bytes, quantum": the key of its packets, and the keys of the switch that are for it. */
static const char *needs_text(const struct base_plugin *arbiter, char *out, size_t room)
{
	const struct sw_arbiter_ops *ops = sw_arbiter_ops(arbiter);
	bool key = ops->key != SW_KEY_NONE;
	snprintf(out, room, "%s%s%s",
	         key                            ? key_name(arbiter)
	         : ops->weights || ops->quantum ? ""
	                                        : "nothing",
	         !ops->weights ? ""
	         : key         ? ", weights"
	                       : "weights",
	         !ops->quantum         ? ""
	         : key || ops->weights ? ", quantum"
	                               : "quantum");
	return out;
}

void xp_text_arbiter(const struct base_plugin *arbiter)
{
	char needs[128];
	printf("    fair in: %s\n    needs: %s\n", fair_text(arbiter), needs_text(arbiter, needs, sizeof needs));
}

void xp_json_arbiter(struct base_json *j, const struct base_plugin *arbiter)
{
	const struct sw_arbiter_ops *ops = sw_arbiter_ops(arbiter);
	base_json_string(j, "fair_in", fair_text(arbiter));
	base_json_string(j, "key", ops->key == SW_KEY_NONE ? NULL : key_name(arbiter));
	base_json_bool(j, "weights", ops->weights);
	base_json_bool(j, "quantum", ops->quantum);
	base_json_int(j, "state_bytes", ops->state_bytes);
	base_json_int(j, "requester_bytes", ops->requester_bytes);
}

void xp_markdown_arbiters(const struct base_registry *registry)
{
	char needs[128];
	printf("## Arbiters of switches\n\nPlug-ins of kind arbiter can be named by the arbiter keys of switches. "
	       "Fairness is the quantity of which requesters\nthat always have requests get equal shares. An arbiter "
	       "may need the switch's `weights` or `quantum`, or a number of\neach packet:\n\n");
	for (unsigned key = SW_KEY_NONE + 1; key < SW_ARBITER_KEYS; key++)
		printf("* `%s`: %s\n", sw_arbiter_keys[key].name, sw_arbiter_keys[key].meaning);
	printf("\n| arbiter | winner | fair in | needs | source |\n|---|---|---|---|---|\n");
	for (size_t i = 0; i < registry->n; i++) {
		const struct base_plugin *a = registry->v[i];
		if (!strcmp(a->kind, "arbiter"))
			printf("| `%s` | %s | %s | %s | %s |\n", a->name, a->summary, fair_text(a),
			       needs_text(a, needs, sizeof needs), a->source ? a->source : "-");
	}
	printf("\n");
}
