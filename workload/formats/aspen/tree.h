/* workload/formats/aspen/tree.h - the syntax tree of an Aspen file.
 *
 * A file contains one application model (`model`: kernels) or one abstract machine model (components); both have
 * parameters, enums, data, imports. All nodes are allocated in the arena of their struct aspen, so none is freed
 * individually. aspen_bind() resolves names where they are written (lexical scope); evaluation performs no lookups.
 *
 * Depth is bounded when the tree is built: expressions by ASPEN_DEPTH_EXPR, statements by ASPEN_DEPTH_STMT. */
#ifndef WORKLOAD_FORMATS_ASPEN_TREE_H
#define WORKLOAD_FORMATS_ASPEN_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ASPEN_DEPTH_EXPR 1000u
#define ASPEN_DEPTH_STMT 200u

/* A location in the text: file is an index into aspen.sources; line and column count from 1; column counts bytes. */
struct aspen_at {
	uint32_t file, line, column;
};

struct aspen_list {
	void **v;
	uint32_t n, cap;
};

enum aspen_op {
	ASPEN_NUMBER,
	ASPEN_NAME,
	ASPEN_INDEX, /* name[args[0]] or name[args[0]][args[1]] */
	ASPEN_CALL,  /* name(args) */
	ASPEN_NEGATE,
	ASPEN_ADD,
	ASPEN_SUBTRACT,
	ASPEN_MULTIPLY,
	ASPEN_DIVIDE,
	ASPEN_POWER,
	ASPEN_EQ,
	ASPEN_NE,
	ASPEN_LT,
	ASPEN_GT,
	ASPEN_LE,
	ASPEN_GE,
	ASPEN_AND,
	ASPEN_OR,
};

enum aspen_bound {
	ASPEN_UNBOUND,
	ASPEN_GLOBAL, /* expr.param */
	ASPEN_SLOT,   /* expr.slot of the frame; expr.param is the local parameter that fills it, NULL if it is filled
	                 already */
};

struct aspen_expr {
	enum aspen_op op;
	enum aspen_bound bound;
	struct aspen_at at; /* of the operator, or of the first letter */
	uint32_t depth, slot;
	uint32_t chain; /* a sum or product: operators down its left side, this one among them, which add no depth */
	double number;
	const char *name;
	struct aspen_expr *a, *b;
	struct aspen_list args; /* struct aspen_expr */
	struct aspen_param *param;
};

enum aspen_param_kind {
	ASPEN_SCALAR,
	ASPEN_ARRAY,     /* values: struct aspen_expr */
	ASPEN_ARRAY_OF,  /* value: a call */
	ASPEN_TABLE,     /* values: struct aspen_list of struct aspen_expr */
	ASPEN_ENUM_WORD, /* value: its number */
	ASPEN_DATUM,     /* data: value (bytes) or values (factors) */
};

struct aspen_param {
	enum aspen_param_kind kind;
	const char *name, *enumeration;
	struct aspen_at at;
	struct aspen_expr *value, *low, *high;
	struct aspen_list values;
	uint32_t slot;   /* of locals */
	bool overridden; /* by `with` of an import, or from outside: `low`, `high` still hold */
	/* evaluation */
	bool busy, done;
	double memo;
};

struct aspen_override {
	const char *name;
	struct aspen_at at;
	struct aspen_expr *value; /* in the scope of the importer */
};

struct aspen_import {
	const char *name, *file;
	struct aspen_at at;
	struct aspen_list with; /* struct aspen_override */
	struct aspen_model *model;
};

struct aspen_trait {
	const char *name;
	struct aspen_at at;
	struct aspen_expr *value; /* may be NULL */
};

struct aspen_requirement {
	const char *name, *target;
	struct aspen_at at, target_at;
	bool to;
	struct aspen_expr *count, *size; /* size NULL: 1 */
	struct aspen_list traits;        /* struct aspen_trait */
};

enum aspen_stmt_kind {
	ASPEN_EXECUTE,
	ASPEN_CALL_KERNEL,
	ASPEN_SAMPLE,
	ASPEN_PAR,
	ASPEN_SEQ,
	ASPEN_ITERATE,
	ASPEN_MAP,
	ASPEN_IF,
	ASPEN_PROBABILITY,
	ASPEN_SWITCH,
};

struct aspen_branch {
	struct aspen_expr *value;
	struct aspen_list body;
	struct aspen_at at;
};

struct aspen_stmt {
	enum aspen_stmt_kind kind;
	struct aspen_at at;
	uint32_t depth;
	const char *label, *name; /* name: the counter, the kernel, what is switched over, what is sampled */
	struct aspen_expr
	    *value; /* quantity, condition, what is switched over, the function of a sample; may be NULL */
	struct aspen_list requirements, args, body, otherwise, branches;
	bool has_otherwise;
	/* bound */
	uint32_t slot;
	struct aspen_kernel *kernel;
	bool explicit_walk; /* a counter, or a sample below: every turn by itself */
	bool random;        /* a probability below: turns differ where one is drawn */
	bool communicates;
};

struct aspen_arg {
	const char *name;
	struct aspen_at at;
	bool data;
};

struct aspen_kernel {
	const char *name;
	struct aspen_at at;
	struct aspen_list args, params, imports, body; /* params: with data */
	struct aspen_model *model;
	uint32_t slots, height; /* height: the deepest nest of statements, calls included; 0 unknown */
	bool visiting, samples, random, communicates;
	uint32_t index; /* in aspen.kernels */
};

struct aspen_tdef {
	const char *name, *arg; /* arg may be NULL */
	struct aspen_at at;
	struct aspen_expr *value;
};

/* Slots of a resource's expressions: its argument, `base`, the trait's argument. */
enum { ASPEN_SLOT_ARG, ASPEN_SLOT_BASE, ASPEN_SLOT_TRAIT, ASPEN_SLOTS };

struct aspen_resource {
	const char *name, *arg;
	struct aspen_at at;
	struct aspen_expr *value;
	struct aspen_list traits; /* struct aspen_tdef */
};

struct aspen_part {
	const char *type, *name;
	struct aspen_at at;
	struct aspen_expr *quantity; /* NULL: 1 */
	struct aspen_component *component;
};

struct aspen_conflict {
	const char *a, *b;
	struct aspen_at at;
};

struct aspen_component {
	const char *type, *name;
	struct aspen_at at;
	struct aspen_list parts, resources, conflicts, properties; /* properties: struct aspen_param */
	uint32_t mark;                                             /* of the last search that came here */
	bool visiting, visited;
};

/* A file. */
struct aspen_model {
	const char *name; /* NULL: a machine */
	struct aspen_at at;
	const char *folder;
	struct aspen_list params, imports, kernels, components; /* params: with enum words and data */
	struct aspen_param **sorted;                            /* params by name, once bound */
	struct aspen_component *root;                           /* the component of type "machine" */
	struct aspen_model *fallback; /* a machine whose params the application sees behind its own */
};

#endif
