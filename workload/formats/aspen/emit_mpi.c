/* workload/formats/aspen/emit_mpi.c - a C program with MPI that communicates as a model's ranks do.
 *
 * It runs on any number of ranks: grids and partners are computed when it starts, as in comm.c. Tags of messages are 32
 * x (phase modulo 1000) + direction. Only the functions below that are called are written, so that compilers do not
 * warn. */
#include "workload/formats/aspen/emit.h"

#include <inttypes.h>
#include <limits.h>

enum part { COMPUTE, BUFFERS, EXCHANGE, DIVISORS, GRID2, GRID3, NEIGHBOURS, SWEEP, RANDOM, PARTS };

static const char *const text_of[PARTS] = {
	[COMPUTE] = "#ifndef COMPUTE_SCALE\n"
		    "#define COMPUTE_SCALE 1.0 /* of the times that the machine model predicts; 0: none */\n"
		    "#endif\n"
		    "\n"
		    "static void compute(double seconds)\n"
		    "{\n"
		    "\tdouble end = MPI_Wtime() + COMPUTE_SCALE * seconds;\n"
		    "\twhile (MPI_Wtime() < end)\n"
		    "\t\t;\n"
		    "}\n",
	[BUFFERS] = "static char *sent, *received;\n"
		    "static size_t sent_room, received_room;\n"
		    "\n"
		    "static char *grown(char *old, size_t *room, size_t bytes)\n"
		    "{\n"
		    "\tif (bytes <= *room)\n"
		    "\t\treturn old;\n"
		    "\tfree(old);\n"
		    "\told = calloc(bytes, 1);\n"
		    "\tif (!old) {\n"
		    "\t\tfprintf(stderr, \"out of memory\\n\");\n"
		    "\t\tMPI_Abort(MPI_COMM_WORLD, 1);\n"
		    "\t}\n"
		    "\t*room = bytes;\n"
		    "\treturn old;\n"
		    "}\n"
		    "\n"
		    "static void need(size_t to_send, size_t to_receive)\n"
		    "{\n"
		    "\tsent = grown(sent, &sent_room, to_send);\n"
		    "\treceived = grown(received, &received_room, to_receive);\n"
		    "}\n",
	[EXCHANGE] = "enum { MOST = 26 };\n"
		     "static MPI_Request sends[MOST], receives[MOST];\n"
		     "static int nsends, nreceives;\n"
		     "static size_t room; /* of what is being received */\n"
		     "\n"
		     "static void post_send(int to, size_t bytes, int tag)\n"
		     "{\n"
		     "\tMPI_Isend(sent, (int)bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD, &sends[nsends++]);\n"
		     "}\n"
		     "\n"
		     "static void post_receive(int from, size_t bytes, int tag)\n"
		     "{\n"
		     "\tMPI_Irecv(received + room, (int)bytes, MPI_BYTE, from, tag, MPI_COMM_WORLD, "
		     "&receives[nreceives++]);\n"
		     "\troom += bytes;\n"
		     "}\n"
		     "\n"
		     "static void finish(void)\n"
		     "{\n"
		     "\tMPI_Waitall(nsends, sends, MPI_STATUSES_IGNORE);\n"
		     "\tfor (int i = 0; i < nreceives; i++)\n"
		     "\t\tMPI_Wait(&receives[i], MPI_STATUS_IGNORE);\n"
		     "\tnsends = nreceives = 0;\n"
		     "\troom = 0;\n"
		     "}\n",
	[DIVISORS] = "static int divisor_from(int n, int from)\n"
		     "{\n"
		     "\twhile (n % from)\n"
		     "\t\tfrom++;\n"
		     "\treturn from;\n"
		     "}\n"
		     "\n"
		     "static int ceil_root(int n, int power)\n"
		     "{\n"
		     "\tlong long x = 1;\n"
		     "\twhile ((power == 3 ? x * x * x : x * x) < n)\n"
		     "\t\tx++;\n"
		     "\treturn (int)x;\n"
		     "}\n",
	[GRID2] = "static void grid2(int grid[3])\n"
		  "{\n"
		  "\tgrid[0] = divisor_from(ranks, ceil_root(ranks, 2));\n"
		  "\tgrid[1] = ranks / grid[0];\n"
		  "\tgrid[2] = 1;\n"
		  "}\n",
	[GRID3] = "static void grid3(int grid[3])\n"
		  "{\n"
		  "\tgrid[0] = ceil_root(ranks, 3);\n"
		  "\tgrid[1] = 1;\n"
		  "\twhile ((long long)grid[1] * grid[1] * grid[0] < ranks)\n"
		  "\t\tgrid[1]++;\n"
		  "\tgrid[2] = ranks / (grid[0] * grid[1]);\n"
		  "\tif (grid[0] * grid[1] * grid[2] == ranks)\n"
		  "\t\treturn;\n"
		  "\tgrid[0] = divisor_from(ranks, grid[0]);\n"
		  "\tgrid[1] = divisor_from(ranks / grid[0], ceil_root(ranks / grid[0], 2));\n"
		  "\tgrid[2] = ranks / grid[0] / grid[1];\n"
		  "}\n",
	[NEIGHBOURS] = "/* To all neighbours in a grid; only > 0: to higher ranks, < 0: to lower ones, 0: to all. */\n"
		       "static void neighbours(int dims, size_t edge, size_t size, int face, int periodic, int only, "
		       "int tag)\n"
		       "{\n"
		       "\tint grid[3], me[3], code = 0;\n"
		       "\tGRID(dims, grid);\n"
		       "\tme[0] = rank % grid[0];\n"
		       "\tme[1] = rank / grid[0] % grid[1];\n"
		       "\tme[2] = rank / grid[0] / grid[1];\n"
		       "\tsize_t most = dims == 3 ? edge * edge * size : edge * size;\n"
		       "\tneed(most, MOST * most);\n"
		       "\tfor (int z = -(dims == 3); z <= (dims == 3); z++)\n"
		       "\t\tfor (int y = -1; y <= 1; y++)\n"
		       "\t\t\tfor (int x = -1; x <= 1; x++, code++) {\n"
		       "\t\t\t\tint d[3] = { x, y, z }, at[3], inside = 1, moved = 0, last = dims == 3 ? 26 : 8;\n"
		       "\t\t\t\tsize_t bytes = size;\n"
		       "\t\t\t\tfor (int k = 0; k < 3; k++) {\n"
		       "\t\t\t\t\tat[k] = me[k] + d[k];\n"
		       "\t\t\t\t\tif (periodic)\n"
		       "\t\t\t\t\t\tat[k] = (at[k] + grid[k]) % grid[k];\n"
		       "\t\t\t\t\tinside &= at[k] >= 0 && at[k] < grid[k];\n"
		       "\t\t\t\t\tmoved += d[k] != 0;\n"
		       "\t\t\t\t}\n"
		       "\t\t\t\tint peer = (at[2] * grid[1] + at[1]) * grid[0] + at[0];\n"
		       "\t\t\t\tif (!inside || peer == rank || !moved || (face && moved > 1))\n"
		       "\t\t\t\t\tcontinue;\n"
		       "\t\t\t\tfor (int k = moved; k < dims; k++)\n"
		       "\t\t\t\t\tbytes *= edge;\n"
		       "\t\t\t\tif (!only || (only > 0) == (peer > rank))\n"
		       "\t\t\t\t\tpost_send(peer, bytes, tag + code);\n"
		       "\t\t\t\tif (!only || (only > 0) == (peer < rank))\n"
		       "\t\t\t\t\tpost_receive(peer, bytes, tag + last - code);\n"
		       "\t\t\t}\n"
		       "\tfinish();\n"
		       "}\n",
	[SWEEP] = "/* mirrored[2]: the wave comes from the right, from above; half 1: only its receives, 2: only its "
		  "sends; line: over all ranks, one after the other */\n"
		  "static void sweep(size_t bytes, int x_mirrored, int y_mirrored, int half, int line, int tag)\n"
		  "{\n"
		  "\tint grid[3], mirrored[2] = { x_mirrored, y_mirrored };\n"
		  "\tgrid2(grid);\n"
		  "\tif (line)\n"
		  "\t\tgrid[0] = ranks, grid[1] = 1;\n"
		  "\tint step[2] = { 1, grid[0] }, at[2] = { rank % grid[0], rank / grid[0] };\n"
		  "\tneed(bytes, 2 * bytes);\n"
		  "\tfor (int k = 0; half != 2 && k < 2; k++)\n"
		  "\t\tif (mirrored[k] ? at[k] + 1 < grid[k] : at[k] > 0)\n"
		  "\t\t\tpost_receive(rank + (mirrored[k] ? step[k] : -step[k]), bytes, tag + k);\n"
		  "\tfinish();\n"
		  "\tfor (int k = 0; half != 1 && k < 2; k++)\n"
		  "\t\tif (mirrored[k] ? at[k] > 0 : at[k] + 1 < grid[k])\n"
		  "\t\t\tpost_send(rank - (mirrored[k] ? step[k] : -step[k]), bytes, tag + k);\n"
		  "\tfinish();\n"
		  "}\n",
	[RANDOM] = "static int random_rank(int of)\n"
		   "{\n"
		   "\tunsigned long long z = 12345 + ((unsigned long long)of + 1) * 0x9e3779b97f4a7c15ull;\n"
		   "\tz = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;\n"
		   "\tz = (z ^ z >> 27) * 0x94d049bb133111ebull;\n"
		   "\treturn (int)((z ^ z >> 31) % (unsigned long long)ranks);\n"
		   "}\n"
		   "\n"
		   "static void random_pairs(size_t bytes, int tag)\n"
		   "{\n"
		   "\tneed(bytes, bytes);\n"
		   "\tMPI_Request send = MPI_REQUEST_NULL;\n"
		   "\tif (random_rank(rank) != rank)\n"
		   "\t\tMPI_Isend(sent, (int)bytes, MPI_BYTE, random_rank(rank), tag, MPI_COMM_WORLD, &send);\n"
		   "\tfor (int i = 0; i < ranks; i++)\n"
		   "\t\tif (i != rank && random_rank(i) == rank)\n"
		   "\t\t\tMPI_Recv(received, (int)bytes, MPI_BYTE, i, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
		   "\tMPI_Wait(&send, MPI_STATUS_IGNORE);\n"
		   "}\n",
};

static const char *const reduction_name[] = { "MPI_MIN", "MPI_MAX", "MPI_SUM", "MPI_PROD" };

static void find_parts(const struct aspen_program *p, bool has[PARTS], bool *cube, bool *square)
{
	for (uint32_t i = 0; i < p->n; i++)
		has[COMPUTE] |= p->op[i].kind == ASPEN_OP_COMPUTE || p->op[i].kind == ASPEN_OP_BESIDE;
	for (uint32_t i = 0; i < p->comms; i++) {
		enum aspen_pattern k = p->comm[i].pattern;
		*cube |= k == ASPEN_NN3D;
		*square |= k == ASPEN_NN2D;
		has[SWEEP] |= k == ASPEN_SWEEP;
		has[RANDOM] |= k == ASPEN_RANDOM;
		has[BUFFERS] |= k != ASPEN_BARRIER;
	}
	has[NEIGHBOURS] = *cube || *square;
	has[EXCHANGE] = has[NEIGHBOURS] || has[SWEEP];
	has[DIVISORS] = has[EXCHANGE];
	has[GRID2] = *square || has[SWEEP];
	has[GRID3] = *cube;
}

/* Bytes of a message; UINT64_MAX: more than any count of MPI. */
static uint64_t longest_message(const struct aspen_comm *c)
{
	uint64_t edge = c->nodal ? 2 * c->count : c->count;
	return c->pattern == ASPEN_NN3D ? edge * edge * c->size : edge * c->size;
}

static void write_comm(FILE *out, const struct aspen_comm *c, const char *indent)
{
	uint64_t bytes = c->count * c->size, words = bytes / ASPEN_WORD;
	uint32_t tag = aspen_is_half(c) ? 32000 : c->phase % 1000 * 32; /* two halves are of two phases */
	const char *op = reduction_name[c->reduction];
	switch (c->pattern) {
	case ASPEN_ALLREDUCE:
	case ASPEN_REDUCE:
		fprintf(out, "%sneed(%" PRIu64 ", %" PRIu64 ");\n", indent, bytes, bytes);
		fprintf(out, "%s%s(sent, received, %" PRIu64 ", MPI_FLOAT, %s, %sMPI_COMM_WORLD);\n", indent,
		        c->pattern == ASPEN_REDUCE ? "MPI_Reduce" : "MPI_Allreduce", words, op,
		        c->pattern == ASPEN_REDUCE ? "0, " : "");
		break;
	case ASPEN_BCAST:
		fprintf(out, "%sneed(%" PRIu64 ", 0);\n", indent, bytes);
		fprintf(out, "%sMPI_Bcast(sent, %" PRIu64 ", MPI_BYTE, 0, MPI_COMM_WORLD);\n", indent, bytes);
		break;
	case ASPEN_ALLGATHER:
	case ASPEN_ALLTOALL:
		fprintf(out, "%sneed((size_t)ranks * %" PRIu64 ", (size_t)ranks * %" PRIu64 ");\n", indent, bytes,
		        bytes);
		fprintf(out, "%s%s(sent, %" PRIu64 ", MPI_BYTE, received, %" PRIu64 ", MPI_BYTE, MPI_COMM_WORLD);\n",
		        indent, c->pattern == ASPEN_ALLGATHER ? "MPI_Allgather" : "MPI_Alltoall", bytes, bytes);
		break;
	case ASPEN_REDUCE_SCATTER:
		fprintf(out, "%sneed((size_t)ranks * %" PRIu64 ", %" PRIu64 ");\n", indent, bytes, bytes);
		fprintf(out,
		        "%sMPI_Reduce_scatter_block(sent, received, %" PRIu64 ", MPI_FLOAT, %s, MPI_COMM_WORLD);\n",
		        indent, words, op);
		break;
	case ASPEN_BARRIER:
		fprintf(out, "%sMPI_Barrier(MPI_COMM_WORLD);\n", indent);
		break;
	case ASPEN_NN3D:
	case ASPEN_NN2D:
		fprintf(out, "%sneighbours(%d, %" PRIu64 ", %" PRIu64 ", %d, %d, %d, %" PRIu32 ");\n", indent,
		        c->pattern == ASPEN_NN3D ? 3 : 2, c->nodal ? 2 * c->count : c->count, c->size, c->face,
		        c->periodic, c->pwave - c->nwave, tag);
		break;
	case ASPEN_SWEEP:
		fprintf(out, "%ssweep(%" PRIu64 ", %d, %d, %d, %d, %" PRIu32 ");\n", indent, bytes, c->back != c->left,
		        c->back, c->receive + 2 * c->send, c->line, tag);
		break;
	case ASPEN_RANDOM:
		fprintf(out, "%srandom_pairs(%" PRIu64 ", %" PRIu32 ");\n", indent, bytes, tag);
		break;
	case ASPEN_PATTERNS:
		break;
	}
}

static void write_steps(FILE *out, const struct aspen_program *p)
{
	static const char tabs[] = "\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t"; /* more than ASPEN_MOST_NEST */
	const char *indent = tabs + sizeof tabs - 2;
	uint32_t nest = 0;
	for (uint32_t i = 0; i < p->n; i++) {
		const struct aspen_op_step *op = &p->op[i];
		switch (op->kind) {
		case ASPEN_OP_COMPUTE:
			fprintf(out, "%scompute(%.17g);\n", indent, op->seconds);
			break;
		case ASPEN_OP_BESIDE:
			fprintf(out, "%scompute(%.17g); /* in the model beside what follows */\n", indent, op->seconds);
			break;
		case ASPEN_OP_JOIN:
			break;
		case ASPEN_OP_COMM:
			write_comm(out, &p->comm[op->at], indent);
			break;
		case ASPEN_OP_LOOP:
			fprintf(out, "%sfor (long long i%u = 0; i%u < %" PRIu64 "; i%u++) {\n", indent, nest, nest,
			        op->count, nest);
			nest++;
			indent--;
			break;
		case ASPEN_OP_END:
			nest--;
			indent++;
			fprintf(out, "%s}\n", indent);
			break;
		}
	}
}

int aspen_emit_mpi(FILE *out, const struct aspen_program *p, const char *model, struct base_errors *errors)
{
	bool has[PARTS] = { false }, cube = false, square = false;
	for (uint32_t i = 0; i < p->comms; i++)
		if (longest_message(&p->comm[i]) > INT_MAX)
			return base_errorf(errors, "@--emit",
			                   "messages of %" PRIu64 " bytes are too long: an MPI count is at most %d",
			                   longest_message(&p->comm[i]), INT_MAX);
	find_parts(p, has, &cube, &square);
	fprintf(out,
	        "/* Aspen model %s as a program that communicates alike: mpicc -O2 FILE.c; mpirun -n RANKS ./a.out */\n"
	        "#include <mpi.h>\n\n#include <stdio.h>\n#include <stdlib.h>\n\nint rank, ranks;\n\n",
	        model);
	for (int i = 0; i < PARTS; i++) {
		if (i == NEIGHBOURS && has[i])
			fprintf(out, "#define GRID(dims, grid) %s\n\n",
			        cube && square ? "((dims) == 3 ? grid3(grid) : grid2(grid))"
			        : cube         ? "grid3(grid)"
			                       : "grid2(grid)");
		if (has[i])
			fprintf(out, "%s\n", text_of[i]);
	}
	fprintf(out, "int main(int argc, char **argv)\n{\n\tMPI_Init(&argc, &argv);\n"
	             "\tMPI_Comm_rank(MPI_COMM_WORLD, &rank);\n\tMPI_Comm_size(MPI_COMM_WORLD, &ranks);\n");
	write_steps(out, p);
	if (has[BUFFERS])
		fprintf(out, "\tfree(sent);\n\tfree(received);\n");
	fprintf(out, "\tMPI_Finalize();\n\treturn 0;\n}\n");
	return 0;
}
