/* workload/record/messages.c - calls that send, receive and complete: see record.h */
#include "workload/record/record.h"

#include <stdlib.h>
#include <string.h>

/* --- start and end -------------------------------------------------------------------------------------------------
 */

int MPI_Init(int *argc, char ***argv)
{
	int status = PMPI_Init(argc, argv);
	record_open();
	return status;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	int status =
	    PMPI_Init_thread(argc, argv, required < MPI_THREAD_SERIALIZED ? required : MPI_THREAD_SERIALIZED, provided);
	record_open();
	return status;
}

int MPI_Finalize(void)
{
	record_close();
	return PMPI_Finalize();
}

/* --- sends and receives --------------------------------------------------------------------------------------------
 */

static void message(const char *name, const char *key, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm)
{
	record_begin(name);
	record_peer(key, peer);
	record_tag("tag", tag);
	record_word(" bytes=%llu", (unsigned long long)record_bytes(count, type));
	record_in(comm);
}

#define SEND(Name, name)                                                                                \
	int MPI_##Name(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) \
	{                                                                                               \
		bool in = record_enter();                                                               \
		if (in) {                                                                               \
			message(name, "to", count, type, dest, tag, comm);                              \
			record_end();                                                                   \
		}                                                                                       \
		int status = PMPI_##Name(buf, count, type, dest, tag, comm);                            \
		return record_left(in, status, __func__);                                               \
	}
SEND(Send, "send")
SEND(Bsend, "bsend")
SEND(Ssend, "ssend")
SEND(Rsend, "rsend")

/* Both: it has a request, which is there when the call returns. */
#define LATER(Name, name, key, buffer, persistent)                                                                 \
	int MPI_##Name(buffer buf, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,                 \
	               MPI_Request *request)                                                                       \
	{                                                                                                          \
		bool in = record_enter();                                                                          \
		int status = PMPI_##Name(buf, count, type, peer, tag, comm, request);                              \
		if (in) {                                                                                          \
			message(name, key, count, type, peer, tag, comm);                                          \
			record_word(" request=%llu", (unsigned long long)record_request_new(request, persistent)); \
			record_end();                                                                              \
		}                                                                                                  \
		return record_left(in, status, __func__);                                                          \
	}
LATER(Isend, "isend", "to", const void *, false)
LATER(Ibsend, "ibsend", "to", const void *, false)
LATER(Issend, "issend", "to", const void *, false)
LATER(Irsend, "irsend", "to", const void *, false)
LATER(Irecv, "irecv", "from", void *, false)
LATER(Send_init, "send_init", "to", const void *, true)
LATER(Bsend_init, "bsend_init", "to", const void *, true)
LATER(Ssend_init, "ssend_init", "to", const void *, true)
LATER(Rsend_init, "rsend_init", "to", const void *, true)
LATER(Recv_init, "recv_init", "from", void *, true)

int MPI_Recv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
	bool in = record_enter();
	if (in) {
		message("recv", "from", count, type, source, tag, comm);
		record_end();
	}
	int result = PMPI_Recv(buf, count, type, source, tag, comm, status);
	return record_left(in, result, __func__);
}

static void both(int to, int tag, uint64_t bytes, int from, int from_tag, uint64_t from_bytes, MPI_Comm comm)
{
	record_begin("sendrecv");
	record_peer("to", to);
	record_tag("tag", tag);
	record_word(" bytes=%llu", (unsigned long long)bytes);
	record_peer("rfrom", from);
	record_tag("rtag", from_tag);
	record_word(" rbytes=%llu", (unsigned long long)from_bytes);
	record_in(comm);
	record_end();
}

int MPI_Sendrecv(const void *buf, int count, MPI_Datatype type, int dest, int tag, void *rbuf, int rcount,
                 MPI_Datatype rtype, int source, int rtag, MPI_Comm comm, MPI_Status *status)
{
	bool in = record_enter();
	if (in)
		both(dest, tag, record_bytes(count, type), source, rtag, record_bytes(rcount, rtype), comm);
	int result = PMPI_Sendrecv(buf, count, type, dest, tag, rbuf, rcount, rtype, source, rtag, comm, status);
	return record_left(in, result, __func__);
}

int MPI_Sendrecv_replace(void *buf, int count, MPI_Datatype type, int dest, int tag, int source, int rtag,
                         MPI_Comm comm, MPI_Status *status)
{
	bool in = record_enter();
	if (in)
		both(dest, tag, record_bytes(count, type), source, rtag, record_bytes(count, type), comm);
	int result = PMPI_Sendrecv_replace(buf, count, type, dest, tag, source, rtag, comm, status);
	return record_left(in, result, __func__);
}

/* --- probes --------------------------------------------------------------------------------------------------------
 */

int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
	bool in = record_enter();
	int result = PMPI_Probe(source, tag, comm, status);
	if (in) {
		record_begin("probe");
		record_peer("from", source);
		record_tag("tag", tag);
		record_in(comm);
		record_end();
	}
	return record_left(in, result, __func__);
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
	bool in = record_enter();
	int result = PMPI_Iprobe(source, tag, comm, flag, status);
	if (in && *flag) {
		record_begin("iprobe");
		record_peer("from", source);
		record_tag("tag", tag);
		record_in(comm);
		record_word(" found=1");
		record_end();
	}
	return record_left(in, result, __func__);
}

/* --- persistent requests -------------------------------------------------------------------------------------------
 */

static void start_all(int n, MPI_Request *requests)
{
	for (int i = 0; i < n; i++) {
		uint64_t number = record_request_find(requests[i], NULL);
		if (!number)
			record_refuse("MPI_Start of a request that was created by a call that is not recorded");
		if (!i)
			record_begin("start");
		record_word("%s%llu", i ? "," : " reqs=", (unsigned long long)number);
	}
	if (n > 0)
		record_end();
}

int MPI_Start(MPI_Request *request)
{
	bool in = record_enter();
	if (in)
		start_all(1, request);
	int status = PMPI_Start(request);
	return record_left(in, status, __func__);
}

int MPI_Startall(int n, MPI_Request *requests)
{
	bool in = record_enter();
	if (in)
		start_all(n, requests);
	int status = PMPI_Startall(n, requests);
	return record_left(in, status, __func__);
}

int MPI_Request_free(MPI_Request *request)
{
	bool in = record_enter();
	uint64_t number = in ? record_request_find(*request, NULL) : 0;
	if (number) {
		record_begin("request_free");
		record_word(" request=%llu", (unsigned long long)number);
		record_end();
		record_request_drop(*request);
	}
	int status = PMPI_Request_free(request);
	return record_left(in, status, __func__);
}

/* Whether it was cancelled or had a message already, the wait that follows completes it. */
int MPI_Cancel(MPI_Request *request)
{
	bool in = record_enter();
	uint64_t number = in ? record_request_find(*request, NULL) : 0;
	if (number) {
		record_begin("cancel");
		record_word(" request=%llu", (unsigned long long)number);
		record_end();
	}
	int status = PMPI_Cancel(request);
	return record_left(in, status, __func__);
}

/* --- completion ----------------------------------------------------------------------------------------------------
 */

/* Handles and their numbers before a call, which MPI changes. */
struct waited {
	MPI_Request *handle;
	uint64_t *number;
	int n;
};

static struct waited look_at_requests(int n, const MPI_Request *requests)
{
	struct waited w = { malloc(((size_t)n + 1) * sizeof *w.handle), calloc((size_t)n + 1, sizeof *w.number), n };
	if (!w.handle || !w.number)
		record_refuse("a wait for more requests than fit into memory");
	for (int i = 0; i < n; i++) {
		w.handle[i] = requests[i];
		w.number[i] = record_request_find(requests[i], NULL);
	}
	return w;
}

static void unlook(struct waited *w)
{
	free(w->handle);
	free(w->number);
}

/* All of them: a line, if there is one. */
static void all_complete(struct waited *w)
{
	bool any = false;
	for (int i = 0; i < w->n; i++) {
		record_request_complete(w->handle[i]);
		any |= w->number[i] != 0;
	}
	if (!any)
		return;
	record_begin("wait");
	record_requests("reqs=", w->number, w->n);
	record_end();
}

/* Some of those that were waited for. */
static void some_complete(struct waited *w, const char *name, int n, const int *which)
{
	bool any = false;
	for (int i = 0; i < w->n; i++)
		any |= w->number[i] != 0;
	if (!any || n <= 0)
		return;
	record_begin(name);
	record_requests("reqs=", w->number, w->n);
	uint64_t *done = calloc((size_t)n, sizeof *done);
	for (int i = 0; i < n && done; i++)
		done[i] = record_request_complete(w->handle[which[i]]);
	if (done)
		record_requests("done=", done, n);
	free(done);
	record_end();
}

/* A call that completes requests, which it changes: they are looked at before it, and `words` says of which it is. */
#define COMPLETES(Name, n, requests, words, params, args)                 \
	int MPI_##Name params                                             \
	{                                                                 \
		bool in = record_enter();                                 \
		struct waited w = look_at_requests(in ? n : 0, requests); \
		int result = PMPI_##Name args;                            \
		if (in) {                                                 \
			words;                                            \
		}                                                         \
		unlook(&w);                                               \
		return record_left(in, result, __func__);                 \
	}

COMPLETES(Wait, 1, request, all_complete(&w), (MPI_Request * request, MPI_Status *status), (request, status))
COMPLETES(Waitall, n, requests, all_complete(&w), (int n, MPI_Request *requests, MPI_Status *status),
          (n, requests, status))
COMPLETES(Waitany, n, requests, if (*index != MPI_UNDEFINED) some_complete(&w, "waitany", 1, index),
          (int n, MPI_Request *requests, int *index, MPI_Status *status), (n, requests, index, status))
COMPLETES(Waitsome, n, requests, if (*count != MPI_UNDEFINED) some_complete(&w, "waitsome", *count, indices),
          (int n, MPI_Request *requests, int *count, int *indices, MPI_Status *status),
          (n, requests, count, indices, status))
/* A test that was false is not there; one that was true is a wait for what it completed. */
COMPLETES(Test, 1, request, if (*flag) all_complete(&w), (MPI_Request * request, int *flag, MPI_Status *status),
          (request, flag, status))
COMPLETES(Testall, n, requests, if (*flag) all_complete(&w),
          (int n, MPI_Request *requests, int *flag, MPI_Status *status), (n, requests, flag, status))
COMPLETES(Testany, n, requests, if (*flag && *index != MPI_UNDEFINED) some_complete(&w, "testany", 1, index),
          (int n, MPI_Request *requests, int *index, int *flag, MPI_Status *status), (n, requests, index, flag, status))
COMPLETES(Testsome, n, requests, if (*count != MPI_UNDEFINED) some_complete(&w, "testsome", *count, indices),
          (int n, MPI_Request *requests, int *count, int *indices, MPI_Status *status),
          (n, requests, count, indices, status))
