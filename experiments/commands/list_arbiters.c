/* experiments/commands/list_arbiters.c - see list_arbiters.h */
#include "experiments/commands/list_arbiters.h"

#include "base/json.h"
#include "switch/arbiter.h"

#include <stdio.h>
#include <string.h>

bool xp_is_arbiters(const char *word)
{
	return !strcmp(word, "arbiters") || !strcmp(word, "arbiter");
}

static void print_json(struct base_json *j, const struct sw_arbiter_about *a)
{
	base_json_object(j, NULL);
	base_json_string(j, "name", a->name);
	base_json_string(j, "rule", a->rule);
	base_json_string(j, "fair_in", a->fair);
	base_json_string(j, "source", a->source);
	base_json_end(j);
}

void xp_list_arbiters(bool json)
{
	struct base_json j = base_json_stream(stdout);
	if (json)
		base_json_array(&j, NULL);
	for (size_t i = 0; i < SW_ARBITER_KINDS; i++) {
		const struct sw_arbiter_about *a = &sw_arbiters[i];
		if (json) {
			print_json(&j, a);
			continue;
		}
		printf("  %s\n    %s\n    fair in: %s\n", a->name, a->rule, a->fair);
		if (a->source)
			printf("    from: %s\n", a->source);
		printf("\n");
	}
	if (json) {
		base_json_end(&j);
		base_json_newline(&j);
	}
}

void xp_markdown_arbiters(void)
{
	printf(
	    "## Arbiters of switches\n\nOf the keys of switches that name an arbiter. What those who always ask get "
	    "equal shares of is what it is fair in.\n\n| arbiter | who wins | fair in | source |\n|---|---|---|---|\n");
	for (size_t i = 0; i < SW_ARBITER_KINDS; i++) {
		const struct sw_arbiter_about *a = &sw_arbiters[i];
		printf("| `%s` | %s | %s | %s |\n", a->name, a->rule, a->fair, a->source ? a->source : "-");
	}
	printf("\n");
}
