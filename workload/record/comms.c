/* workload/record/comms.c - calls that create communicators. The result of MPI is recorded as a list of the parent's
 * ranks, except where all ranks take part in any case. See record.h. */
#include "workload/record/record.h"

#include <stdlib.h>

static void made(const char *name, MPI_Comm parent, MPI_Comm comm)
{
	record_begin(name);
	record_word(" comm=%u new=%u", record_comm(parent), record_comm_new(comm));
}

/* Of the ranks of the new communicator, in its order. Who is in none writes nothing. */
static void members(MPI_Comm parent, MPI_Comm comm)
{
	MPI_Group of_parent, of_new;
	int n = 0, other = 0;
	if (comm == MPI_COMM_NULL)
		return;
	PMPI_Comm_test_inter(comm, &other);
	if (other)
		record_refuse("a call that creates an intercommunicator, which is not supported");
	PMPI_Comm_size(comm, &n);
	PMPI_Comm_group(parent, &of_parent);
	PMPI_Comm_group(comm, &of_new);
	int *rank = malloc(2 * (size_t)n * sizeof *rank);
	if (!rank)
		record_refuse("a communicator for which there is not enough memory");
	for (int i = 0; i < n; i++)
		rank[i] = i;
	PMPI_Group_translate_ranks(of_new, n, rank, of_parent, rank + n);
	made("comm_create", parent, comm);
	for (int i = 0; i < n; i++)
		record_word("%s%d", i ? "," : " members=", rank[n + i]);
	record_end();
	free(rank);
	PMPI_Group_free(&of_parent);
	PMPI_Group_free(&of_new);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *new_comm)
{
	bool in = record_enter();
	int status = PMPI_Comm_dup(comm, new_comm);
	if (in) {
		made("comm_dup", comm, *new_comm);
		record_end();
	}
	return record_left(in, status, __func__);
}

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *new_comm)
{
	bool in = record_enter();
	int status = PMPI_Comm_dup_with_info(comm, info, new_comm);
	if (in) {
		made("comm_dup", comm, *new_comm);
		record_end();
	}
	return record_left(in, status, __func__);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *new_comm)
{
	bool in = record_enter();
	int status = PMPI_Comm_split(comm, color, key, new_comm);
	if (in) {
		made("comm_split", comm, *new_comm);
		if (color == MPI_UNDEFINED)
			record_word(" color=none");
		else
			record_word(" color=%d", color);
		record_word(" key=%d", key);
		record_end();
	}
	return record_left(in, status, __func__);
}

static void given_back(MPI_Comm comm)
{
	record_begin("comm_free");
	record_word(" comm=%u", record_comm(comm));
	record_end();
	record_comm_drop(comm);
}

int MPI_Comm_disconnect(MPI_Comm *comm)
{
	bool in = record_enter();
	if (in)
		given_back(*comm);
	int status = PMPI_Comm_disconnect(comm);
	return record_left(in, status, __func__);
}

int MPI_Comm_free(MPI_Comm *comm)
{
	bool in = record_enter();
	if (in)
		given_back(*comm);
	int status = PMPI_Comm_free(comm);
	return record_left(in, status, __func__);
}

#define MAKES(Name, params, args)                         \
	int MPI_##Name params                             \
	{                                                 \
		bool in = record_enter();                 \
		int status = PMPI_##Name args;            \
		if (in)                                   \
			members(comm, *new_comm);         \
		return record_left(in, status, __func__); \
	}
MAKES(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *new_comm), (comm, group, new_comm))
MAKES(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *new_comm), (comm, group, tag, new_comm))
MAKES(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *new_comm),
      (comm, type, key, info, new_comm))
MAKES(Cart_create, (MPI_Comm comm, int n, const int *dims, const int *periods, int reorder, MPI_Comm *new_comm),
      (comm, n, dims, periods, reorder, new_comm))
MAKES(Cart_sub, (MPI_Comm comm, const int *kept, MPI_Comm *new_comm), (comm, kept, new_comm))
MAKES(Graph_create, (MPI_Comm comm, int n, const int *index, const int *edges, int reorder, MPI_Comm *new_comm),
      (comm, n, index, edges, reorder, new_comm))
MAKES(Dist_graph_create,
      (MPI_Comm comm, int n, const int *sources, const int *degrees, const int *targets, const int *weights,
       MPI_Info info, int reorder, MPI_Comm *new_comm),
      (comm, n, sources, degrees, targets, weights, info, reorder, new_comm))
MAKES(Dist_graph_create_adjacent,
      (MPI_Comm comm, int in_degree, const int *sources, const int *in_weights, int out_degree, const int *targets,
       const int *out_weights, MPI_Info info, int reorder, MPI_Comm *new_comm),
      (comm, in_degree, sources, in_weights, out_degree, targets, out_weights, info, reorder, new_comm))
