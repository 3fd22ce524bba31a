/* topo/import/formats.h - the formats of other tools that topologies are read from and written to.
 *
 * One row of the table `import_formats` describes a format: its reader, its writer, how it is recognized. A new format
 * is a file with both functions and a row. */
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
	/* Adds what is in the file to a graph. -1 with errors, all that are found. */
	int (*read)(struct import_graph *g, const struct import_input *in);
	/* Could the text be of this format? Called with at least one byte. NULL: the format is recognized by the name
	 * of the file alone. */
	bool (*recognize)(const char *text, size_t bytes);
	/* Writes a topology. -1: the topology cannot be written in this format, with an error. */
	int (*write)(const struct topo *topo, const struct import_output *out, struct base_errors *errors);
	bool second; /* writes a second file, import_intra_of() the first */
};

/* Ended by a row without a name. */
extern const struct import_format import_formats[];
#define EXPORT_FORMATS                                                                                      \
	"ibnetdiscover|graphml|dot|node-link|infragraph|sst|metis|adjlist|edgelist|anynet|codes-dragonfly|" \
	"codes-dragonfly-plus"
#define IMPORT_FORMATS "auto|" EXPORT_FORMATS

/* The format of a name; NULL: there is none. */
const struct import_format *import_format_of(const char *name);
/* Finds the format by the contents of the file, otherwise by its name. NULL with an error that names the formats that
 * it could be. */
const struct import_format *import_recognize(const struct import_input *in, struct base_errors *errors);

/* Lines of a text, one by one. */
struct import_lines {
	const char *at, *end;    /* the rest of the text */
	const char *line, *stop; /* this line, without its end */
	unsigned long number;
};
void import_lines_begin(struct import_lines *l, const struct import_input *in);
bool import_next_line(struct import_lines *l);
/* The next word of the line, divided by blanks, and by commas if `commas`; false: there is none. */
bool import_next_word(struct import_lines *l, bool commas, const char **word, size_t *length);
/* A decimal number of at most `most`; false: it is none. */
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
/* The next cable behind the place *s, *p, at first 0, 0; false: there is none. */
bool import_next_cable(const struct topo *topo, topo_switch *s, topo_port *p, struct import_cable *out);
/* Is there a class besides "local", which is that of cables without one? */
bool import_has_classes(const struct topo *topo);
/* Do all switches have the same number of endpoints? Else reports that the format cannot say which have how many. */
int import_check_even(const struct topo *topo, const char *format, struct base_errors *errors);
/* Warns that link classes, or names, are not written. */
void import_warn_lost(const struct topo *topo, const char *format, bool classes, bool names,
                      struct base_errors *errors);

typedef int import_writer(const struct topo *topo, const struct import_output *out, struct base_errors *errors);
import_writer import_write_ibnetdiscover, import_write_graphml, import_write_dot, import_write_node_link,
    import_write_infragraph, import_write_sst, import_write_metis, import_write_adjlist, import_write_edgelist,
    import_write_anynet, import_write_codes, import_write_codes_plus;

/* The second file of CODES' formats, by the name of the first: its last "inter" becomes "intra". NULL: it has none. To
 * be freed. */
char *import_intra_of(const char *inter);

#endif
