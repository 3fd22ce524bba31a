/* experiments/config/tree_print.c - see tree.h */
#include "base/format.h"
#include "experiments/config/tree.h"

#include <string.h>

static void print_string(const char *text, FILE *out)
{
	fputc('"', out);
	for (const char *p = text; *p; p++) {
		if (strchr("\"\\", *p))
			fputc('\\', out);
		if (*p == '\n')
			fputs("\\n", out);
		else
			fputc(*p, out);
	}
	fputc('"', out);
}

char *xp_string_text(const char *text)
{
	char *quoted = NULL;
	size_t bytes = 0;
	FILE *out = base_memory_stream(&quoted, &bytes);
	if (!out)
		return NULL;
	print_string(text, out);
	fclose(out);
	return quoted;
}

void xp_tree_print(FILE *out, const struct xp_node *node, int depth)
{
	switch (node->type) {
	case XP_GROUP:
		fputs("{\n", out);
		for (size_t i = 0; i < node->n; i++) {
			fprintf(out, "%*s%s = ", 2 * depth + 2, "", node->child[i]->name);
			xp_tree_print(out, node->child[i], depth + 1);
			fputs(";\n", out);
		}
		fprintf(out, "%*s}", 2 * depth, "");
		return;
	case XP_LIST:
		fputs("( ", out);
		for (size_t i = 0; i < node->n; i++) {
			fputs(i ? ", " : "", out);
			xp_tree_print(out, node->child[i], depth + 1);
		}
		fputs(" )", out);
		return;
	case XP_STRING:
	case XP_RAW:
		print_string(node->text, out);
		return;
	case XP_INT: /* libconfig reads those without the suffix as 32 bits */
		fprintf(out, "%s%s", node->text, strlen(node->text) > 9 ? "L" : "");
		return;
	case XP_FLOAT:
	case XP_BOOL:
		fputs(node->text, out);
	}
}
