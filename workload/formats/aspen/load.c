/* workload/formats/aspen/load.c - files of models: reading, imports, overrides from outside. */
#include "workload/formats/aspen/build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IMPORTS 32u /* nested */

static const char *folder_of(struct aspen *a, const char *path)
{
	const char *slash = strrchr(path, '/');
	return aspen_text(a, path, slash ? (size_t)(slash - path + 1) : 0);
}

static struct aspen_model *parse(struct aspen *a, uint32_t file)
{
	struct aspen_model *m = aspen_alloc(a, sizeof *m);
	m->folder = folder_of(a, a->sources[file].name);
	m->at = (struct aspen_at){ .file = file, .line = 1, .column = 1 };
	struct aspen_parse *p = aspen_alloc(a, sizeof *p);
	*p = (struct aspen_parse){ .a = a, .model = m, .folder = m->folder };
	aspen_parse_source(p, file);
	return m;
}

static void load_imports(struct aspen *a, const struct aspen_model *m, const struct aspen_list *imports);

static void load_all_imports(struct aspen *a, const struct aspen_model *m)
{
	load_imports(a, m, &m->imports);
	for (uint32_t i = 0; i < m->kernels.n; i++)
		load_imports(a, m, &((struct aspen_kernel *)m->kernels.v[i])->imports);
}

static void load_imports(struct aspen *a, const struct aspen_model *m, const struct aspen_list *imports)
{
	for (uint32_t i = 0; i < imports->n && !a->given_up; i++) {
		struct aspen_import *import = imports->v[i];
		size_t room = strlen(m->folder) + strlen(import->file) + 1;
		char *path = aspen_alloc(a, room);
		snprintf(path, room, "%s%s", *import->file == '/' ? "" : m->folder, import->file);
		if (a->depth == IMPORTS) {
			aspen_errorf(a, import->at,
			             "imports are nested more than %u levels deep: does %s import itself?", IMPORTS,
			             path);
			a->given_up = true;
			return;
		}
		int file = aspen_read_source(a, path, import->at);
		if (file < 0)
			continue;
		a->depth++;
		import->model = parse(a, (uint32_t)file);
		if (import->model->name && strcmp(import->model->name, import->name) != 0)
			aspen_errorf(a, import->at, "the model in %s is named \"%s\", not \"%s\"", path,
			             import->model->name, import->name);
		load_all_imports(a, import->model);
		a->depth--;
	}
}

static struct aspen_model *loaded(struct aspen *a, int file)
{
	if (file < 0)
		return NULL;
	struct aspen_model *m = parse(a, (uint32_t)file);
	load_all_imports(a, m);
	if (!m->name && !m->components.n && !a->errors->errors)
		aspen_errorf(a, m->at, "contains neither a model nor a machine");
	if (m->name && m->components.n)
		aspen_errorf(a, m->at, "model %s: a file must contain a model or a machine, not both", m->name);
	return a->errors->errors ? NULL : m;
}

struct aspen_model *aspen_load(struct aspen *a, const char *path)
{
	return loaded(a, aspen_read_source(a, path, (struct aspen_at){ 0 }));
}

struct aspen_model *aspen_load_text(struct aspen *a, const char *name, const char *text, size_t bytes)
{
	return loaded(a, (int)aspen_add_text(a, name, text, bytes));
}

int aspen_set(struct aspen *a, struct aspen_model *m, const char *assignment)
{
	size_t length = strcspn(assignment, "=");
	const char *names[256];
	char near[80], *end;
	size_t n = 0;
	for (uint32_t i = 0; i < m->params.n; i++) {
		struct aspen_param *p = m->params.v[i];
		if (p->kind != ASPEN_SCALAR)
			continue;
		if (n < 256)
			names[n++] = p->name;
		if (strlen(p->name) != length || memcmp(p->name, assignment, length) != 0)
			continue;
		if (p->overridden)
			return base_errorf(a->errors, "@--param", "%s: %s is set twice", assignment, p->name);
		double value = strtod(assignment + length + (assignment[length] == '='), &end);
		if (assignment[length] != '=' || !assignment[length + 1] || *end || !isfinite(value))
			return base_errorf(a->errors, "@--param", "%s must have the form NAME=NUMBER", assignment);
		struct aspen_expr *e = aspen_alloc(a, sizeof *e);
		*e = (struct aspen_expr){ .op = ASPEN_NUMBER, .at = p->at, .number = value };
		p->value = e;
		p->overridden = true;
		return 0;
	}
	const char *name = aspen_text(a, assignment, length);
	return base_errorf(a->errors, "@--param", "model %s has no parameter %s%s", m->name ? m->name : "", name,
	                   aspen_did_you_mean(name, names, n, near, sizeof near));
}
