/* workload/formats/otf2/otf2_child.c - the program tilefly-otf2: reads an OTF2 archive with the OTF2 library and writes
 * the data for a replay to standard output (otf2_pipe.h). It is a separate process because the library does not
 * validate its input: a crash caused by a damaged archive ends only this process. */
#include "workload/formats/otf2/otf2_pipe.h"

#include <inttypes.h>
#include <otf2/otf2.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

struct group {
	OTF2_GroupRef ref;
	OTF2_GroupType type;
	bool mpi;
	uint32_t n;
	uint64_t *member;
};
struct comm {
	OTF2_CommRef ref;
	OTF2_GroupRef group;
};

/* One archive at a time. */
static struct {
	uint64_t resolution, offset;
	struct group *group;
	struct comm *comm;
	uint32_t *comm_number; /* [comms]: as it is written, UINT32_MAX: not of MPI */
	uint64_t *location;    /* [ranks]: of each rank */
	bool *begun;           /* [ranks] */
	bool *mpi_region;      /* [regions] */
	uint32_t groups, comms, ranks, regions;
	uint64_t unused[OTF2_UNUSED_KINDS]; /* events of ranks */
	struct otf2_place {
		uint64_t location;
		uint32_t rank;
	} * by_location; /* [ranks] */
} all;

static void *grown(void *old, size_t n, size_t size)
{
	void *new = n < SIZE_MAX / size / 2 ? realloc(old, n * size) : NULL;
	if (!new)
		exit(3);
	return new;
}

static void put_bytes(const void *bytes, size_t n)
{
	if (n && fwrite(bytes, n, 1, stdout) != 1)
		exit(1); /* the reader is gone */
}

__attribute__((noreturn)) static void fail(const char *text)
{
	struct otf2_record r = { .what = OTF2_ERROR, .a = strlen(text) };
	put_bytes(&r, sizeof r);
	put_bytes(text, strlen(text));
	fflush(stdout);
	exit(2);
}

/* Of a rank, whose events are in the file LOCATION.evt. */
__attribute__((noreturn)) static void fail_of(const char *text, uint32_t rank, uint64_t location)
{
	char whole[200];
	snprintf(whole, sizeof whole, "%s %" PRIu32 " (%" PRIu64 ".evt)", text, rank, location);
	fail(whole);
}

static OTF2_ErrorCode on_error(void *data, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code,
                               const char *format, va_list args)
{
	(void)data, (void)file, (void)line, (void)function, (void)format, (void)args;
	return code;
}

/* --- definitions ------------------------------------------------------------------------------------------------ */

static OTF2_CallbackCode on_clock(void *data, uint64_t resolution, uint64_t offset, uint64_t length, uint64_t real)
{
	(void)data, (void)length, (void)real;
	all.resolution = resolution;
	all.offset = offset;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_region(void *data, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical,
                                   OTF2_StringRef description, OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                   OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin, uint32_t end)
{
	(void)data, (void)name, (void)canonical, (void)description, (void)role, (void)flags, (void)file;
	(void)begin, (void)end;
	if (self > 100000000)
		fail("a region has a number above 100000000");
	if (self >= all.regions) {
		uint32_t n = 2 * self + 64;
		all.mpi_region = grown(all.mpi_region, n, sizeof *all.mpi_region);
		memset(all.mpi_region + all.regions, 0, (n - all.regions) * sizeof *all.mpi_region);
		all.regions = n;
	}
	all.mpi_region[self] = paradigm == OTF2_PARADIGM_MPI;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_group(void *data, OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type,
                                  OTF2_Paradigm paradigm, OTF2_GroupFlag flags, uint32_t n, const uint64_t *members)
{
	(void)data, (void)name, (void)flags;
	all.group = grown(all.group, all.groups + (size_t)1, sizeof *all.group);
	struct group *g = &all.group[all.groups++];
	*g = (struct group){ .ref = self, .type = type, .mpi = paradigm == OTF2_PARADIGM_MPI, .n = n };
	g->member = grown(NULL, n + (size_t)1, sizeof *g->member);
	if (n)
		memcpy(g->member, members, n * sizeof *g->member);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_comm(void *data, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group,
                                 OTF2_CommRef parent, OTF2_CommFlag flags)
{
	(void)data, (void)name, (void)parent, (void)flags;
	all.comm = grown(all.comm, all.comms + (size_t)1, sizeof *all.comm);
	all.comm[all.comms++] = (struct comm){ .ref = self, .group = group };
	return OTF2_CALLBACK_SUCCESS;
}

static const struct group *find_group(OTF2_GroupRef ref)
{
	for (uint32_t i = 0; i < all.groups; i++)
		if (all.group[i].ref == ref)
			return &all.group[i];
	return NULL;
}

static int compare_places(const void *a, const void *b)
{
	const struct otf2_place *x = a, *y = b;
	return x->location < y->location ? -1 : x->location > y->location;
}

/* The ranks, and the communicators of them. */
static void write_definitions(void)
{
	for (uint32_t i = 0; i < all.groups; i++)
		if (all.group[i].type == OTF2_GROUP_TYPE_COMM_LOCATIONS && all.group[i].mpi) {
			all.location = all.group[i].member;
			all.ranks = all.group[i].n;
		}
	if (!all.ranks)
		fail("has no locations of MPI ranks: it does not describe an MPI program");
	if (!all.resolution)
		fail("has a clock without resolution");
	all.by_location = grown(NULL, all.ranks, sizeof *all.by_location);
	for (uint32_t i = 0; i < all.ranks; i++)
		all.by_location[i] = (struct otf2_place){ .location = all.location[i], .rank = i };
	qsort(all.by_location, all.ranks, sizeof *all.by_location, compare_places);
	all.begun = grown(NULL, all.ranks, sizeof *all.begun);
	memset(all.begun, 0, all.ranks * sizeof *all.begun);
	all.comm_number = grown(NULL, all.comms + (size_t)1, sizeof *all.comm_number);
	uint32_t comms = 0;
	for (uint32_t i = 0; i < all.comms; i++) {
		const struct group *g = find_group(all.comm[i].group);
		bool used =
		    g && g->mpi && (g->type == OTF2_GROUP_TYPE_COMM_GROUP || g->type == OTF2_GROUP_TYPE_COMM_SELF);
		all.comm_number[i] = used ? comms++ : UINT32_MAX;
	}
	struct otf2_record r = { .what = OTF2_BEGIN, .a = all.ranks, .b = comms };
	put_bytes(&r, sizeof r);
	for (uint32_t i = 0; i < all.comms; i++) {
		if (all.comm_number[i] == UINT32_MAX)
			continue;
		const struct group *g = find_group(all.comm[i].group);
		bool self = g->type == OTF2_GROUP_TYPE_COMM_SELF;
		r = (struct otf2_record){ .what = OTF2_COMM, .a = self ? 0 : g->n, .b = self };
		put_bytes(&r, sizeof r);
		for (uint32_t k = 0; k < g->n && !self; k++) {
			uint32_t rank = g->member[k] < all.ranks ? (uint32_t)g->member[k] : UINT32_MAX;
			put_bytes(&rank, sizeof rank);
		}
	}
}

/* --- events ----------------------------------------------------------------------------------------------------- */

static bool rank_of_location(OTF2_LocationRef location, uint32_t *rank)
{
	uint32_t low = 0, high = all.ranks;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (all.by_location[middle].location < location)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == all.ranks || all.by_location[low].location != location)
		return false; /* a thread, or a device */
	*rank = all.by_location[low].rank;
	return true;
}

static uint32_t comm_of(OTF2_CommRef ref)
{
	for (uint32_t i = 0; i < all.comms; i++)
		if (all.comm[i].ref == ref)
			return all.comm_number[i];
	return UINT32_MAX;
}

static OTF2_CallbackCode event(OTF2_LocationRef location, OTF2_TimeStamp time, struct otf2_record r)
{
	if (!rank_of_location(location, &r.rank))
		return OTF2_CALLBACK_SUCCESS;
	uint64_t ticks = time > all.offset ? time - all.offset : 0;
	__extension__ unsigned __int128 ps = (unsigned __int128)ticks * 1000000000000u / all.resolution;
	if (ps >> 63)
		fail("has a time beyond 100 days");
	r.ps = (uint64_t)ps;
	if (!all.begun[r.rank]) {
		struct otf2_record first = { .what = OTF2_FIRST, .rank = r.rank, .ps = r.ps };
		all.begun[r.rank] = true;
		put_bytes(&first, sizeof first);
	}
	if (r.what)
		put_bytes(&r, sizeof r);
	return OTF2_CALLBACK_SUCCESS;
}

#define EVENT OTF2_LocationRef location, OTF2_TimeStamp time, void *data, OTF2_AttributeList *attributes

static OTF2_CallbackCode on_enter(EVENT, OTF2_RegionRef region)
{
	(void)data, (void)attributes;
	bool mpi = region < all.regions && all.mpi_region[region];
	return event(location, time, (struct otf2_record){ .what = mpi ? OTF2_ENTER : 0 });
}

static OTF2_CallbackCode on_leave(EVENT, OTF2_RegionRef region)
{
	(void)data, (void)attributes;
	bool mpi = region < all.regions && all.mpi_region[region];
	return event(location, time, (struct otf2_record){ .what = mpi ? OTF2_LEAVE : 0 });
}

static struct otf2_record message(enum otf2_what what, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
                                  uint64_t request)
{
	return (struct otf2_record){
		.what = what, .comm = comm_of(comm), .peer = peer, .tag = tag, .request = request, .a = bytes
	};
}

static OTF2_CallbackCode on_send(EVENT, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
	(void)data, (void)attributes;
	return event(location, time, message(OTF2_SEND, peer, comm, tag, bytes, 0));
}

static OTF2_CallbackCode on_isend(EVENT, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
                                  uint64_t request)
{
	(void)data, (void)attributes;
	return event(location, time, message(OTF2_ISEND, peer, comm, tag, bytes, request));
}

static OTF2_CallbackCode on_recv(EVENT, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
	(void)data, (void)attributes;
	return event(location, time, message(OTF2_RECV, peer, comm, tag, bytes, 0));
}

static OTF2_CallbackCode on_irecv(EVENT, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
                                  uint64_t request)
{
	(void)data, (void)attributes;
	return event(location, time, message(OTF2_IRECV_DONE, peer, comm, tag, bytes, request));
}

#define REQUEST_EVENT(name, kind)                                                                         \
	static OTF2_CallbackCode name(EVENT, uint64_t request)                                            \
	{                                                                                                 \
		(void)data, (void)attributes;                                                             \
		return event(location, time, (struct otf2_record){ .what = (kind), .request = request }); \
	}
REQUEST_EVENT(on_isend_done, OTF2_ISEND_DONE)
REQUEST_EVENT(on_irecv_posted, OTF2_IRECV_POSTED)
REQUEST_EVENT(on_cancelled, OTF2_CANCELLED)
REQUEST_EVENT(on_icoll_posted, OTF2_ICOLL_POSTED)

static OTF2_CallbackCode collective(OTF2_LocationRef location, OTF2_TimeStamp time, enum otf2_what what,
                                    OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent,
                                    uint64_t received, uint64_t request)
{
	struct otf2_record r = { .what = what, .comm = comm_of(comm), .operation = op, .request = request };
	r.peer = root;
	if (root == OTF2_COLLECTIVE_ROOT_NONE || root == OTF2_COLLECTIVE_ROOT_SELF)
		r.peer = -1;
	r.a = sent;
	r.b = received;
	return event(location, time, r);
}

static OTF2_CallbackCode on_collective(EVENT, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent,
                                       uint64_t received)
{
	(void)data, (void)attributes;
	return collective(location, time, OTF2_COLLECTIVE, op, comm, root, sent, received, 0);
}

static OTF2_CallbackCode on_icoll_done(EVENT, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent,
                                       uint64_t received, uint64_t request)
{
	(void)data, (void)attributes;
	return collective(location, time, OTF2_ICOLL_DONE, op, comm, root, sent, received, request);
}

static OTF2_CallbackCode on_put(EVENT, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t id)
{
	(void)data, (void)attributes, (void)window, (void)remote, (void)bytes, (void)id;
	return event(location, time, (struct otf2_record){ .what = OTF2_ONE_SIDED });
}

static OTF2_CallbackCode on_atomic(EVENT, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaAtomicType type,
                                   uint64_t sent, uint64_t received, uint64_t id)
{
	(void)data, (void)attributes, (void)window, (void)remote, (void)type, (void)sent, (void)received, (void)id;
	return event(location, time, (struct otf2_record){ .what = OTF2_ONE_SIDED });
}

static OTF2_CallbackCode leave_out(OTF2_LocationRef location, enum otf2_unused kind)
{
	uint32_t rank;
	all.unused[kind] += rank_of_location(location, &rank);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_measurement(EVENT, OTF2_MeasurementMode mode)
{
	(void)time, (void)data, (void)attributes;
	return mode == OTF2_MEASUREMENT_OFF ? leave_out(location, OTF2_UNUSED_OFF) : OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_flush(EVENT, OTF2_TimeStamp stop)
{
	(void)time, (void)data, (void)attributes, (void)stop;
	return leave_out(location, OTF2_UNUSED_FLUSH);
}

static OTF2_CallbackCode on_io(EVENT, OTF2_IoHandleRef handle, OTF2_IoOperationMode mode, OTF2_IoOperationFlag flags,
                               uint64_t bytes, uint64_t id)
{
	(void)time, (void)data, (void)attributes, (void)handle, (void)mode, (void)flags, (void)bytes, (void)id;
	return leave_out(location, OTF2_UNUSED_IO);
}

static OTF2_CallbackCode on_test(EVENT, uint64_t request)
{
	(void)time, (void)data, (void)attributes, (void)request;
	return leave_out(location, OTF2_UNUSED_TEST);
}

/* --- the archive ------------------------------------------------------------------------------------------------ */

static void check_status(OTF2_ErrorCode code, const char *doing)
{
	char text[400];
	if (code == OTF2_SUCCESS)
		return;
	snprintf(text, sizeof text, "%s: the OTF2 library says \"%s\"", doing, OTF2_Error_GetDescription(code));
	fail(text);
}

static void read_definitions(OTF2_Reader *reader)
{
	uint64_t n = 0;
	OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
	OTF2_GlobalDefReaderCallbacks *on = OTF2_GlobalDefReaderCallbacks_New();
	if (!definitions || !on)
		fail("the definitions of the archive cannot be read");
	OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(on, on_clock);
	OTF2_GlobalDefReaderCallbacks_SetRegionCallback(on, on_region);
	OTF2_GlobalDefReaderCallbacks_SetGroupCallback(on, on_group);
	OTF2_GlobalDefReaderCallbacks_SetCommCallback(on, on_comm);
	check_status(OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, on, NULL), "definitions");
	check_status(OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &n), "definitions");
	OTF2_GlobalDefReaderCallbacks_Delete(on);
}

static void choose_events(OTF2_GlobalEvtReaderCallbacks *on)
{
	OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(on, on_enter);
	OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback(on, on_leave);
	OTF2_GlobalEvtReaderCallbacks_SetMpiSendCallback(on, on_send);
	OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCallback(on, on_isend);
	OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCompleteCallback(on, on_isend_done);
	OTF2_GlobalEvtReaderCallbacks_SetMpiRecvCallback(on, on_recv);
	OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvRequestCallback(on, on_irecv_posted);
	OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvCallback(on, on_irecv);
	OTF2_GlobalEvtReaderCallbacks_SetMpiRequestCancelledCallback(on, on_cancelled);
	OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveEndCallback(on, on_collective);
	OTF2_GlobalEvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(on, on_icoll_posted);
	OTF2_GlobalEvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(on, on_icoll_done);
	OTF2_GlobalEvtReaderCallbacks_SetRmaPutCallback(on, on_put);
	OTF2_GlobalEvtReaderCallbacks_SetRmaGetCallback(on, on_put);
	OTF2_GlobalEvtReaderCallbacks_SetRmaAtomicCallback(on, on_atomic);
	OTF2_GlobalEvtReaderCallbacks_SetMeasurementOnOffCallback(on, on_measurement);
	OTF2_GlobalEvtReaderCallbacks_SetBufferFlushCallback(on, on_flush);
	OTF2_GlobalEvtReaderCallbacks_SetIoOperationBeginCallback(on, on_io);
	OTF2_GlobalEvtReaderCallbacks_SetMpiRequestTestCallback(on, on_test);
}

static void read_events(OTF2_Reader *reader)
{
	uint64_t n = 0;
	for (uint32_t i = 0; i < all.ranks; i++)
		check_status(OTF2_Reader_SelectLocation(reader, all.location[i]), "a rank's location");
	bool local = OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS;
	check_status(OTF2_Reader_OpenEvtFiles(reader), "events");
	for (uint32_t i = 0; i < all.ranks; i++) {
		OTF2_DefReader *definitions = local ? OTF2_Reader_GetDefReader(reader, all.location[i]) : NULL;
		if (definitions) { /* numbers of this location, where they differ from the archive's */
			check_status(OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &n),
			             "definitions of a location");
			OTF2_Reader_CloseDefReader(reader, definitions);
		}
		if (!OTF2_Reader_GetEvtReader(reader, all.location[i]))
			fail_of("has no events of rank", i, all.location[i]);
	}
	if (local)
		OTF2_Reader_CloseDefFiles(reader);
	OTF2_GlobalEvtReader *events = OTF2_Reader_GetGlobalEvtReader(reader);
	OTF2_GlobalEvtReaderCallbacks *on = OTF2_GlobalEvtReaderCallbacks_New();
	if (!events || !on)
		fail("the events of the archive cannot be read");
	choose_events(on);
	check_status(OTF2_Reader_RegisterGlobalEvtCallbacks(reader, events, on, NULL), "events");
	check_status(OTF2_Reader_ReadAllGlobalEvents(reader, events, &n), "events");
	OTF2_GlobalEvtReaderCallbacks_Delete(on);
}

int main(int argc, char **argv)
{
	struct rlimit none = { 0, 0 };
	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* a library that hangs does not see that its reader is gone */
	if (argc != 2) {
		fputs("usage: tilefly-otf2 ARCHIVE.otf2 (for tilefly, which reads what it writes)\n", stderr);
		return 2;
	}
	OTF2_Error_RegisterCallback(on_error, NULL);
	OTF2_Reader *reader = OTF2_Reader_Open(argv[1]);
	if (!reader)
		fail("is not an OTF2 archive, or a part of it is missing");
	check_status(OTF2_Reader_SetSerialCollectiveCallbacks(reader), "opening");
	read_definitions(reader);
	write_definitions();
	read_events(reader);
	for (uint32_t k = 0; k < OTF2_UNUSED_KINDS; k++) {
		struct otf2_record r = { .what = OTF2_UNUSED, .operation = k, .a = all.unused[k] };
		if (r.a)
			put_bytes(&r, sizeof r);
	}
	struct otf2_record end = { .what = OTF2_END };
	put_bytes(&end, sizeof end);
	return fflush(stdout) ? 1 : 0; /* the system frees what it has */
}
