/* base/param.h - the one description of a parameter.
 *
 * Every configuration key, of a fixed section or of a plug-in, is one row of a `struct base_param`
 * table. The reader, the checker, "did you mean", `tilefly list`, --help and the manual read this row
 * and nothing else. `offset` says where the value goes in the owner's plain parameter struct. */
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
	BASE_AUTO_TIME, /* uint64_t picoseconds; the text "auto", or what `choices` says, is stored as
	                   BASE_AUTO_TIME_VALUE */
	BASE_AUTO_SIZE, /* uint64_t bytes; the text "auto" is stored as BASE_AUTO_SIZE_VALUE */
	BASE_PERCENT,   /* double, per cent; text "1%" */
	BASE_MEASURE,   /* double in `unit`, which is part of the text: "250W" */
	BASE_FILE,      /* char *, a path; relative ones are resolved against the configuration file's folder */
	BASE_FILES,     /* struct base_texts of such paths, made absolute; a single text is a list of one */
	BASE_PLUGIN, /* struct base_named: a plug-in of the kind that `unit` says, or one of the words in `choices` */
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
	size_t offset;        /* of the field in the parameter struct */
	const char *standard; /* default, as text in the configuration's own notation; NULL: required;
	                         "" : may be left out, field stays zero / NULL */
	const char *unit;    /* for people: "endpoints", "ps"; NULL if the type says it. BASE_STRING: what a number that
	                        it may be counts */
	double min, max;     /* inclusive range for numbers (in stored units); both 0: no limit */
	const char *choices; /* BASE_ENUM: "absolute|relative|palmtree|circulant"; BASE_AUTO_TIME: the word, or NULL;
	                        BASE_PLUGIN: words that are no plug-in, or NULL */
	const char *help;    /* one line */
	const char *source;  /* paper, equation; or NULL */
};

struct base_plugin;
struct base_named {
	char *name;                       /* owned */
	const struct base_plugin *plugin; /* set by base_bind_plugins(); NULL: `name` is one of `choices` */
};

/* What parameters need in order to have an effect. A value other than the default that has none is an error which names
 * it; `tilefly list` tells of the condition. */
struct base_condition {
	const char *keys; /* parameters of one table, divided by spaces; NULL ends a list of conditions */
	const char *only; /* completes "has an effect only ...": "with inputs = \"vc\"" */
	/* Does the condition hold for a filled parameter struct, on a topology (const struct topo *)? holds() is asked
	 * where the configuration is read, holds_on() when the topology is built. Either may be NULL: it does. */
	bool (*holds)(const void *params);
	bool (*holds_on)(const void *params, const void *topo);
};

/* Parses `text` as a value of p->type and stores it at (char *)params + p->offset.
 * Lists are written "8,8,8"; a BASE_FILES parameter becomes a list of this one text. On failure adds an error for key
 * p->name and returns -1. Checks the range and the choices. */
int base_param_parse(const struct base_param *p, void *params, const char *text, struct base_errors *errors);

/* Sets every parameter with a default to it. Required ones are left zero. */
int base_params_defaults(const struct base_param *table, void *params, struct base_errors *errors);

/* Writes the value in the configuration's notation ("50ns", "100KB", "8,8,8"), exactly, NUL ended.
 * Returns the length that was needed, as snprintf does. */
int base_param_print(const struct base_param *p, const void *params, char *out, size_t room);

/* Has the parameter its default value, or that of a parameter that is left out? */
bool base_param_is_default(const struct base_param *p, const void *params);

/* An error for every parameter that has another value than its default and no effect. topo NULL: asks holds() of each
 * condition, else holds_on(). */
void base_conditions_check(const struct base_param *table, const struct base_condition *conditions, const void *params,
                           const void *topo, struct base_errors *errors);
/* Is `key` one of the condition's? */
bool base_condition_is_of(const struct base_condition *condition, const char *key);

/* Adds a copy of a text to a list. */
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
bool base_choice_name(const char *choices, int i, char *out, size_t room);
/* An error for key `key`: `text` is none of the choices; which of them is near. Returns -1. */
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
