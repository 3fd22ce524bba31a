/* experiments/report/readable.c - see readable.h */
#include "experiments/report/readable.h"

#include "base/json.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* What stands before the next word. */
static const char *separator_of(char c, bool kind)
{
	return c == '=' ? " " : c == ',' ? " × " : kind ? ": " : "; ";
}

char *xp_readable(const char *text)
{
	struct base_buffer out = { 0 };
	const char *between = "";
	bool quoted = false, kind = false;
	for (const char *p = text; *p; p++) {
		if (*p == '"') {
			quoted = !quoted;
		} else if (!quoted && strchr("=,;", *p)) {
			if (*p == '=' && out.n == 4 && !memcmp(out.data, "kind", 4)) {
				out.n = 0; /* the kind names the group */
				kind = true;
				continue;
			}
			between = separator_of(*p, kind);
			kind &= *p != ';';
		} else if (quoted || (!isspace((unsigned char)*p) && !strchr("{}[]()", *p))) {
			if (out.n)
				base_buffer_write(&out, between, strlen(between));
			between = "";
			base_buffer_write(&out, p, 1);
		}
	}
	return out.data ? out.data : base_strdup("");
}

const char *xp_without_place(const char *why)
{
	if (!strncmp(why, "exit status ", 12) && strstr(why, ": "))
		why = strstr(why, ": ") + 2;
	const char *end = strstr(why, ": "), *line = end;
	while (line && line > why && isdigit((unsigned char)line[-1]))
		line--;
	if (end && line < end && line > why && line[-1] == ':' && !memchr(why, ' ', (size_t)(end - why)))
		why = end + 2;
	return why;
}
