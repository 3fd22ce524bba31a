/* topo/import/dot_child.c - the program tilefly-dot: reads a graph in DOT from standard input, by Graphviz' library
 * cgraph, and writes it as JSON in networkx's node-link form, which dot.c reads.
 *
 * It is a separate program because the library is not made for files of unknown origin: if it crashes, hangs or
 * exhausts memory, only this program ends, and tilefly reports that. */
#include <graphviz/cgraph.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define MEMORY ((rlim_t)4 << 30)
#define SECONDS 60

static char said[400]; /* the library's first error */

static int take_error(char *text)
{
	size_t n = strlen(said);
	if (n + 1 < sizeof said)
		snprintf(said + n, sizeof said - n, "%s", text);
	return 0;
}

static void limit(void)
{
	const struct rlimit memory = { MEMORY, MEMORY }, seconds = { SECONDS, SECONDS + 1 }, none = { 0, 0 };
	setrlimit(RLIMIT_AS, &memory);
	setrlimit(RLIMIT_CPU, &seconds);
	setrlimit(RLIMIT_CORE, &none);
}

static void write_text(const char *text)
{
	putchar('"');
	for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
		if (*c == '"' || *c == '\\')
			printf("\\%c", *c);
		else if (*c < ' ')
			printf("\\u%04x", *c);
		else
			putchar(*c);
	}
	putchar('"');
}

static void write_member(const char *name, const char *value)
{
	printf(",");
	write_text(name);
	printf(":");
	write_text(value);
}

/* Attributes that are set: the library gives all others as empty texts. */
static void write_attributes(Agraph_t *graph, int kind, void *of)
{
	for (Agsym_t *s = agnxtattr(graph, kind, NULL); s; s = agnxtattr(graph, kind, s)) {
		const char *value = agxget(of, s);
		bool own = !strcmp(s->name, "id") || !strcmp(s->name, "source") || !strcmp(s->name, "target") ||
		           !strcmp(s->name, "key");
		if (value && *value && !own)
			write_member(s->name, value);
	}
}

static void write_graph(Agraph_t *graph)
{
	bool first = true;
	printf("{\"directed\":%s,\"multigraph\":true,\"nodes\":[", agisdirected(graph) ? "true" : "false");
	for (Agnode_t *n = agfstnode(graph); n; n = agnxtnode(graph, n)) {
		printf("%s{\"id\":", first ? "" : ",\n");
		write_text(agnameof(n));
		write_attributes(graph, AGNODE, n);
		printf("}");
		first = false;
	}
	printf("],\"links\":[");
	first = true;
	for (Agnode_t *n = agfstnode(graph); n; n = agnxtnode(graph, n))
		for (Agedge_t *e = agfstout(graph, n); e; e = agnxtout(graph, e)) {
			printf("%s{\"source\":", first ? "" : ",\n");
			write_text(agnameof(agtail(e)));
			printf(",\"target\":");
			write_text(agnameof(aghead(e)));
			write_attributes(graph, AGEDGE, e);
			printf("}");
			first = false;
		}
	printf("]}\n");
}

int main(void)
{
	limit();
	agseterrf(take_error);
	Agraph_t *graph = agread(stdin, NULL);
	if (!graph || agerrors() > 0) {
		printf("{\"error\":");
		write_text(*said ? said : "there is no graph in it");
		printf("}\n");
		return 0;
	}
	Agraph_t *second = agread(stdin, NULL);
	if (second)
		printf("{\"error\":\"there are several graphs in it; one is expected\"}\n");
	else
		write_graph(graph);
	return fflush(stdout) || ferror(stdout) ? 3 : 0;
}
