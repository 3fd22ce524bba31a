/* base/param.h - descriptions of the parameters of a configuration.
 *
 * Every configuration key, of a fixed section or of a plug-in, is described by one row of a table of `struct
 * base_param`. The configuration reader, the checks, "did you mean" suggestions, `tilefly list`, --help and the manual
 * all use this table and nothing else. `offset` is the place of the value in the owner's parameter struct. */
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
	BASE_AUTO_TIME, /* uint64_t picoseconds; the word in `choices`, or "auto" if that is NULL, is stored as
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
	const char *default_value; /* default, as text in the notation of configurations; NULL: the parameter is
	                              required; "": it is optional, and the field stays 0 or NULL without it */
	const char *unit;          /* unit printed with the value: "endpoints", "ps"; NULL if the type implies it. For
	                              BASE_STRING, the unit of a number that is given in place of a word */
	double min, max;           /* inclusive range for numbers (in stored units); both 0: no limit */
	const char *choices; /* permitted words: all choices of a BASE_ENUM, as "absolute|relative|palmtree|circulant";
	                        the word that a BASE_AUTO_TIME accepts in place of "auto", or NULL; the words that a
	                        BASE_PLUGIN accepts besides names of plug-ins, or NULL */
	const char *help;    /* one line */
	const char *source;  /* paper, equation; or NULL */
};

/* First members of a row of the table: the key, the type, the place in `params` and the default. With BASE_KEY the key
 * has the name of the field of `params`. */
#define BASE_KEY_AT(key, kind, params, field, default_) \
	.name = (key), .type = BASE_##kind, .offset = offsetof(params, field), .default_value = (default_)
#define BASE_KEY(kind, params, field, default_) BASE_KEY_AT(#field, kind, params, field, default_)

struct base_plugin;
struct base_named {
	char *name;                       /* owned */
	const struct base_plugin *plugin; /* set by base_bind_plugins(); NULL: `name` is one of `choices` */
};

/* The condition under which parameters have an effect. A parameter that is set to a value other than its default while
 * the condition does not hold is an error, which names the parameter. `tilefly list` prints the condition. */
struct base_condition {
	const char *keys; /* parameters of one table, separated by spaces; NULL ends a list of conditions */
	const char *only; /* completes "has an effect only ...": "with inputs = \"vc\"" */
	/* Does the condition hold for a filled parameter struct and, in holds_on(), for a topology (const struct topo
	 * *)? holds() is called when the configuration is read, holds_on() when the topology has been built. NULL means
	 * that the condition holds. */
	bool (*holds)(const void *params);
	bool (*holds_on)(const void *params, const void *topo);
};

/* Parses `text` as a value of p->type and stores it at (char *)params + p->offset. Lists are written "8,8,8"; for
 * BASE_FILES the whole text is one element. Checks the range and the choices. Returns 0, or -1 after adding an error
 * for key p->name. */
int base_param_parse(const struct base_param *p, void *params, const char *text, struct base_errors *errors);

/* Sets every parameter that has a default to it. Required parameters stay zero. */
int base_params_defaults(const struct base_param *table, void *params, struct base_errors *errors);

/* Writes the value exactly, in the configuration's notation ("50ns", "100KB", "8,8,8"), NUL terminated. Returns the
 * length needed, as snprintf does. */
int base_param_print(const struct base_param *p, const void *params, char *out, size_t capacity);

/* Does the parameter have its default value or, if it has no default, the value that it has when it is omitted? */
bool base_param_is_default(const struct base_param *p, const void *params);

/* Adds an error for every parameter that differs from its default although its condition does not hold. Calls holds()
 * of each condition if `topo` is NULL, otherwise holds_on(). */
void base_conditions_check(const struct base_param *table, const struct base_condition *conditions, const void *params,
                           const void *topo, struct base_errors *errors);
/* Is `key` one of the condition's keys? */
bool base_condition_is_of(const struct base_condition *condition, const char *key);

/* Appends a copy of a text to a list. */
void base_texts_add(struct base_texts *list, const char *text);

/* Frees strings and lists of a parameter struct (not the struct). */
void base_params_free(const struct base_param *table, void *params);

/* The word that a parameter of type BASE_AUTO_TIME or BASE_AUTO_SIZE accepts in place of a quantity. */
static inline const char *base_param_word(const struct base_param *p)
{
	return p->type == BASE_AUTO_TIME && p->choices ? p->choices : "auto";
}

/* Index of `name` in a choices string "a|b|c", or -1. */
int base_choice(const char *choices, const char *name);
/* Copies the i-th choice to out; returns false if there is none. */
bool base_choice_name(const char *choices, int i, char *out, size_t capacity);
/* Adds an error for key `key`, which says that `text` is none of the choices and suggests the most similar one. Returns
 * -1. */
int base_no_such_choice(const char *key, const char *choices, const char *text, struct base_errors *errors);

/* Parsers of quantities with units. Each returns 0 and stores the exact value, or returns -1 with a reason in *why
 * (static text). time: ps ns us ms s; rate: bps Kbps Mbps Gbps Tbps; size: B KB MB GB (powers of 1000) KiB MiB GiB;
 * length: m. */
int base_parse_time(const char *text, uint64_t *ps, const char **why);
int base_parse_rate(const char *text, uint64_t *bits_per_s, const char **why);
int base_parse_size(const char *text, uint64_t *bytes, const char **why);
int base_parse_length(const char *text, double *metres, const char **why);

/* The candidate that is most similar to `word`; NULL if the Damerau-Levenshtein distance of each is more than about a
 * third of the word's length. */
const char *base_nearest(const char *word, const char *const *candidates, size_t n);

#endif
