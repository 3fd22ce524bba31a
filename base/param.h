/* base/param.h - the one description of a parameter.
 *
 * Every configuration key, of a fixed section or of a plug-in, is one row of a `struct base_param` table, the only
 * source for the reader, the checker, "did you mean", `tilefly list`, --help and the manual. `offset` says where the
 * value goes in the owner's plain parameter struct. */
#ifndef BASE_PARAM_H
#define BASE_PARAM_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum base_type {
	BASE_BOOL,      /* bool */
	BASE_INT,       /* int64_t */
	BASE_FLOAT,     /* double */
	BASE_STRING,    /* char *, owned by the parameter struct; NULL when absent */
	BASE_ENUM,      /* int: index into `choices` */
	BASE_TIME,      /* uint64_t picoseconds; text "50ns" */
	BASE_RATE,      /* uint64_t bits per second; text "100Gbps" */
	BASE_SIZE,      /* uint64_t bytes; text "100KB", "64KiB" */
	BASE_LENGTH,    /* double metres; text "2.6m" */
	BASE_INTS,      /* struct base_ints */
	BASE_BOOLS,     /* struct base_ints of 0/1; a single bool is a list of one */
	BASE_SIZES,     /* struct base_ints of bytes; a single size is a list of one */
	BASE_AUTO_INT,  /* int64_t; the text "auto" is stored as BASE_AUTO */
	BASE_AUTO_TIME, /* uint64_t picoseconds; the text "auto", or the word in `choices`, is stored as
	                   BASE_AUTO_TIME_VALUE */
	BASE_AUTO_SIZE, /* uint64_t bytes; the text "auto" is stored as BASE_AUTO_SIZE_VALUE */
	BASE_PERCENT,   /* double, per cent; text "1%" */
	BASE_MEASURE,   /* double in `unit`, which is part of the text: "250W" */
	BASE_FILE,      /* char *, a path; relative ones are resolved against the configuration file's folder */
	BASE_FILES,     /* struct base_texts of such paths, made absolute; a single text is a list of one */
	BASE_PLUGIN,    /* struct base_named: a plug-in of the kind in `unit`, or one of the words in `choices` */
};

#define BASE_AUTO INT64_MIN
#define BASE_AUTO_TIME_VALUE UINT64_MAX
#define BASE_AUTO_SIZE_VALUE UINT64_MAX

struct base_ints {
	int64_t *v; /* owned */
	size_t n;
};

struct base_texts {
	char **v; /* owned, and so are the texts */
	size_t n;
};

struct base_param {
	const char *name; /* NULL ends a table */
	enum base_type type;
	size_t offset;             /* of the field in the parameter struct */
	const char *default_value; /* default, as text in the configuration's own notation; NULL: required; "":
	                         optional, the field stays zero / NULL */
	const char *unit;    /* printed with the value: "endpoints", "ps"; NULL if the type implies it. BASE_STRING: the
	                        unit of a number given in place of a word */
	double min, max;     /* inclusive range for numbers (in stored units); both 0: no limit */
	const char *choices; /* BASE_ENUM: "absolute|relative|palmtree|circulant"; BASE_AUTO_TIME: the word, or NULL;
	                        BASE_PLUGIN: words that are no plug-in, or NULL */
	const char *help;    /* one line */
	const char *source;  /* paper, equation; or NULL */
};

/* How a row begins: its key, usually of the same name as the field of `params`, and the default. */
#define BASE_KEY_AT(key, kind, params, field, default_) \
	.name = (key), .type = BASE_##kind, .offset = offsetof(params, field), .default_value = (default_)
#define BASE_KEY(kind, params, field, default_) BASE_KEY_AT(#field, kind, params, field, default_)

struct base_plugin;
struct base_named {
	char *name;                       /* owned */
	const struct base_plugin *plugin; /* set by base_bind_plugins(); NULL: `name` is one of `choices` */
};

/* The condition under which parameters have an effect. Setting one to a value other than its default without effect is
 * an error that names the parameter; `tilefly list` prints the condition. */
struct base_condition {
	const char *keys; /* parameters of one table, separated by spaces; NULL ends a list of conditions */
	const char *only; /* completes "has an effect only ...": "with inputs = \"vc\"" */
	/* Does the condition hold for a filled parameter struct, on a topology (const struct topo *)? holds() is called
	 * when the configuration is read, holds_on() when the topology is built. NULL counts as true. */
	bool (*holds)(const void *params);
	bool (*holds_on)(const void *params, const void *topo);
};

/* Parses `text` as a value of p->type and stores it at (char *)params + p->offset.
 * Lists are written "8,8,8"; a single text becomes a BASE_FILES list of one. On failure adds an error for key p->name
 * and returns -1. Checks the range and the choices. */
int base_param_parse(const struct base_param *p, void *params, const char *text, struct base_errors *errors);

/* Sets every parameter to its default if it has one. Required parameters stay zero. */
int base_params_defaults(const struct base_param *table, void *params, struct base_errors *errors);

/* Writes the value exactly, in the configuration's notation ("50ns", "100KB", "8,8,8"), NUL terminated. Returns the
 * length needed, as snprintf does. */
int base_param_print(const struct base_param *p, const void *params, char *out, size_t capacity);

/* Does the parameter have its default value, or that of an omitted parameter? */
bool base_param_is_default(const struct base_param *p, const void *params);

/* Adds an error for every parameter that differs from its default and has no effect. Calls holds() of each condition if
 * topo is NULL, else holds_on(). */
void base_conditions_check(const struct base_param *table, const struct base_condition *conditions, const void *params,
                           const void *topo, struct base_errors *errors);
/* Is `key` among the condition's keys? */
bool base_condition_is_of(const struct base_condition *condition, const char *key);

/* Appends a copy of a text to a list. */
void base_texts_add(struct base_texts *list, const char *text);

/* Frees strings and lists of a parameter struct (not the struct). */
void base_params_free(const struct base_param *table, void *params);

/* The word that a BASE_AUTO_TIME or BASE_AUTO_SIZE may have in place of a quantity. */
static inline const char *base_param_word(const struct base_param *p)
{
	return p->type == BASE_AUTO_TIME && p->choices ? p->choices : "auto";
}

/* Index of `name` in a choices string "a|b|c", or -1. */
int base_choice(const char *choices, const char *name);
/* Copies the i-th choice to out; returns false if there is none. */
bool base_choice_name(const char *choices, int i, char *out, size_t capacity);
/* Adds an error for key `key`: `text` is none of the choices; the message suggests the nearest. Returns -1. */
int base_no_such_choice(const char *key, const char *choices, const char *text, struct base_errors *errors);

/* Units. Each returns 0 and stores the exact value, or -1 with a reason in *why (static text).
 * time: ps ns us ms s; rate: bps Kbps Mbps Gbps Tbps; size: B KB MB GB (powers of 1000) KiB MiB GiB; length: m. */
int base_parse_time(const char *text, uint64_t *ps, const char **why);
int base_parse_rate(const char *text, uint64_t *bits_per_s, const char **why);
int base_parse_size(const char *text, uint64_t *bytes, const char **why);
int base_parse_length(const char *text, double *metres, const char **why);

/* The candidate nearest to `word` (Damerau-Levenshtein at most about a third of its length), or NULL. */
const char *base_nearest(const char *word, const char *const *candidates, size_t n);

#endif
