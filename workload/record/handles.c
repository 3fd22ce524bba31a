/* workload/record/handles.c - numbers of requests and communicators: see record.h */
#include "workload/record/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Requests by handle, which no two outstanding ones share: see stand_in(). */
struct record_request {
	struct record_request *next;
	MPI_Request handle;
	uint64_t number;
	bool persistent;
};

enum { CHAINS = 4096 };
static struct record_request *chain[CHAINS];
static uint64_t requests;

static void *need(void *p)
{
	if (!p) {
		fputs("tilefly record: out of memory\n", stderr);
		PMPI_Abort(MPI_COMM_WORLD, 1);
		abort();
	}
	return p;
}

static struct record_request **link_of_request(MPI_Request handle)
{
	uint64_t word = 0;
	memcpy(&word, &handle, sizeof handle < sizeof word ? sizeof handle : sizeof word);
	struct record_request **at = &chain[(word ^ word >> 12 ^ word >> 24) % CHAINS];
	while (*at && (*at)->handle != handle)
		at = &(*at)->next;
	return at;
}

static int stand_in_query(void *kept, MPI_Status *status)
{
	*status = *(const MPI_Status *)kept;
	return MPI_SUCCESS;
}
static int stand_in_free(void *kept)
{
	free(kept);
	return MPI_SUCCESS;
}
static int stand_in_cancel(void *kept, int complete)
{
	(void)kept;
	(void)complete;
	return MPI_SUCCESS;
}

/* Some libraries return the same handle for all requests that are complete from the start, so later completions could
 * not be assigned. All but the first outstanding one get a handle of their own: a generalized request that is complete,
 * with the status of the shared one, which is returned. */
static void stand_in(MPI_Request *handle)
{
	MPI_Status *status = need(calloc(1, sizeof *status));
	int complete = 0;
	PMPI_Test(handle, &complete, status);
	if (!complete) {
		free(status); /* only complete ones are shared: the previous owner of this handle has it no more */
		record_request_drop(*handle);
		return;
	}
	PMPI_Grequest_start(stand_in_query, stand_in_free, stand_in_cancel, status, handle);
	PMPI_Grequest_complete(*handle);
}

uint64_t record_request_new(MPI_Request *handle, bool persistent)
{
	struct record_request *r = need(malloc(sizeof *r));
	if (!persistent && *link_of_request(*handle))
		stand_in(handle);
	struct record_request **at = link_of_request(*handle);
	while (*at)
		at = &(*at)->next;
	*r = (struct record_request){ .handle = *handle, .number = ++requests, .persistent = persistent };
	*at = r;
	return r->number;
}

uint64_t record_request_find(MPI_Request handle, bool *persistent)
{
	const struct record_request *r = handle == MPI_REQUEST_NULL ? NULL : *link_of_request(handle);
	if (r && persistent)
		*persistent = r->persistent;
	return r ? r->number : 0;
}

void record_request_drop(MPI_Request handle)
{
	struct record_request **at = link_of_request(handle), *r = *at;
	if (!r)
		return;
	*at = r->next;
	free(r);
}

uint64_t record_request_complete(MPI_Request handle)
{
	bool persistent = false;
	uint64_t number = record_request_find(handle, &persistent);
	if (number && !persistent)
		record_request_drop(handle);
	return number;
}

static struct {
	MPI_Comm comm;
	uint32_t number;
} * comms;
static uint32_t ncomms, next_comm = 2;

uint32_t record_comm(MPI_Comm comm)
{
	if (comm == MPI_COMM_WORLD)
		return 0;
	if (comm == MPI_COMM_SELF)
		return 1;
	for (uint32_t i = 0; i < ncomms; i++)
		if (comms[i].comm == comm)
			return comms[i].number;
	record_refuse("a communicator that was created by a call that is not recorded");
}

uint32_t record_comm_new(MPI_Comm comm)
{
	if (comm == MPI_COMM_NULL)
		return UINT32_MAX;
	comms = need(realloc(comms, (ncomms + 1) * sizeof *comms));
	comms[ncomms].comm = comm;
	comms[ncomms].number = next_comm++;
	return comms[ncomms++].number;
}

void record_comm_drop(MPI_Comm comm)
{
	for (uint32_t i = 0; i < ncomms; i++)
		if (comms[i].comm == comm) {
			comms[i] = comms[--ncomms];
			return;
		}
}

uint64_t record_bytes(int count, MPI_Datatype type)
{
	MPI_Count size = 0;
	if (type == MPI_DATATYPE_NULL || count <= 0)
		return 0;
	PMPI_Type_size_x(type, &size);
	return (uint64_t)count * (uint64_t)size;
}

void record_peer(const char *key, int peer)
{
	if (peer == MPI_PROC_NULL || peer == MPI_ANY_SOURCE)
		record_word(" %s=%s", key, peer == MPI_PROC_NULL ? "null" : "any");
	else
		record_word(" %s=%d", key, peer);
}

void record_tag(const char *key, int tag)
{
	if (tag == MPI_ANY_TAG)
		record_word(" %s=any", key);
	else
		record_word(" %s=%d", key, tag);
}

void record_in(MPI_Comm comm)
{
	uint32_t number = record_comm(comm);
	if (number)
		record_word(" comm=%u", number);
}

bool record_requests(const char *key, const uint64_t *numbers, int n)
{
	bool any = false;
	for (int i = 0; i < n; i++)
		if (numbers[i]) {
			record_word("%s%s%llu", any ? "," : " ", any ? "" : key, (unsigned long long)numbers[i]);
			any = true;
		}
	return any;
}
