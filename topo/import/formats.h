/* topo/import/formats.h - the file formats of other tools in which topologies can be read and written.
 *
 * Each row of the table `import_formats` describes a format: its reader, its writer and how it is recognized. To add a
 * format, add a file with these functions and a row. */
#ifndef TOPO_IMPORT_FORMATS_H
#define TOPO_IMPORT_FORMATS_H

#include "topo/import/graph.h"

/* What a reader gets. */
struct import_input {
	const char *text; /* the whole file, followed by a NUL */
	size_t bytes;
	const char *file;  /* its name */
	const char *intra; /* the second file of CODES' formats; NULL: by the name of the first one */
	bool plus;         /* of CODES' formats: dragonfly-plus */
};

/* The files to which a writer writes. */
struct import_output {
	FILE *stream, *second;
	const uint64_t *latency; /* ps, by link class */
	uint64_t terminal_latency;
};

struct import_format {
	const char *name, *what; /* "graphml", "GraphML" */
	const char *ends;        /* how names of its files end, separated by spaces; "": no usual ending */
	/* Adds the contents of the file to a graph. Returns -1 with all errors that it finds. */
	int (*read)(struct import_graph *g, const struct import_input *in);
	/* Could the text be of this format? `bytes` is at least 1. NULL if the format is recognized only by the name of
	 * the file. */
	bool (*recognize)(const char *text, size_t bytes);
	/* Writes a topology. Returns -1 with an error if it cannot be written in this format. */
	int (*write)(const struct topo *topo, const struct import_output *out, struct base_errors *errors);
	bool second; /* writes a second file, import_intra_of() the first */
};

/* All formats; the table ends with a row without a name. */
extern const struct import_format import_formats[];
#define EXPORT_FORMATS                                                                                      \
	"ibnetdiscover|graphml|dot|node-link|infragraph|sst|metis|adjlist|edgelist|anynet|codes-dragonfly|" \
	"codes-dragonfly-plus"
#define IMPORT_FORMATS "auto|" EXPORT_FORMATS

/* The format with this name; NULL if there is none. */
const struct import_format *import_format_of(const char *name);
/* Finds the format from the contents of the file or, if these do not decide, from the file's name. Returns NULL with an
 * error that names the possible formats if the format remains ambiguous or unknown. */
const struct import_format *import_recognize(const struct import_input *in, struct base_errors *errors);

/* Lines of a text, one by one. */
struct import_lines {
	const char *at, *end;    /* the rest of the text */
	const char *line, *stop; /* this line, without its end */
	unsigned long number;
};
void import_lines_begin(struct import_lines *l, const struct import_input *in);
bool import_next_line(struct import_lines *l);
/* Finds the next word of the line. Words are separated by blanks and, if `commas`, also by commas. Returns false if
 * there is no further word. */
bool import_next_word(struct import_lines *l, bool commas, const char **word, size_t *length);
/* Reads a word as a decimal number of at most `most`. Returns false if it is not such a number. */
bool import_number(const char *word, size_t length, uint64_t most, uint64_t *out);

/* --- readers and writers ------------------------------------------------------------------------------------- */

int import_read_ibnetdiscover(struct import_graph *g, const struct import_input *in);
int import_read_graphml(struct import_graph *g, const struct import_input *in);
int import_read_dot(struct import_graph *g, const struct import_input *in);
int import_read_node_link(struct import_graph *g, const struct import_input *in);
int import_read_infragraph(struct import_graph *g, const struct import_input *in);
int import_read_sst(struct import_graph *g, const struct import_input *in);
int import_read_metis(struct import_graph *g, const struct import_input *in);
int import_read_adjlist(struct import_graph *g, const struct import_input *in);
int import_read_edgelist(struct import_graph *g, const struct import_input *in);
int import_read_anynet(struct import_graph *g, const struct import_input *in);
int import_read_codes(struct import_graph *g, const struct import_input *in);
int import_read_codes_plus(struct import_graph *g, const struct import_input *in);

/* A cable as a writer visits it; every cable is visited once. */
struct import_cable {
	topo_switch a, b;
	topo_port a_port, b_port;
	uint32_t link_class;
};
/* Finds the next cable from port *p of switch *s on, which are 0 in the first call, and advances both. Returns false if
 * there is none. */
bool import_next_cable(const struct topo *topo, topo_switch *s, topo_port *p, struct import_cable *out);
/* Does the topology have a link class other than "local", the class of cables for which a file names none? */
bool import_has_classes(const struct topo *topo);
/* Returns 0 if all switches have the same number of endpoints. Otherwise returns -1 with an error, because the format
 * cannot express different numbers. */
int import_check_even(const struct topo *topo, const char *format, struct base_errors *errors);
/* Warns that the format does not contain the topology's link classes (if `classes`) or names (if `names`). */
void import_warn_lost(const struct topo *topo, const char *format, bool classes, bool names,
                      struct base_errors *errors);

typedef int import_writer(const struct topo *topo, const struct import_output *out, struct base_errors *errors);
import_writer import_write_ibnetdiscover, import_write_graphml, import_write_dot, import_write_node_link,
    import_write_infragraph, import_write_sst, import_write_metis, import_write_adjlist, import_write_edgelist,
    import_write_anynet, import_write_codes, import_write_codes_plus;

/* The name of the second file of CODES' formats: that of the first, with its last "inter" replaced by "intra". NULL if
 * the name has no "inter". The caller frees it. */
char *import_intra_of(const char *inter);

#endif
