/* sim/host.c - see host.h. The first rank of a host creates an anonymous file (memfd_create); the others open it
 * through /proc and recognize it by its inode number. posix_fallocate() reserves its memory: if memory is insufficient,
 * this call fails, instead of SIGBUS at a later access. */
#include "sim/host.h"

#include "base/check.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static MPI_Comm host = MPI_COMM_NULL;

MPI_Comm sim_host_comm(void)
{
	if (host == MPI_COMM_NULL)
		MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
	return host;
}

/* The first rank's description of the file. */
struct host_offer {
	int64_t process, descriptor; /* descriptor is negative if there is no file */
	uint64_t device, number;
};

static int make_file(size_t bytes, struct host_offer *offer)
{
	struct stat st;
	int file = memfd_create("tilefly", MFD_CLOEXEC);
	if (file >= 0 && (posix_fallocate(file, 0, (off_t)bytes) || fstat(file, &st))) {
		close(file);
		file = -1;
	}
	*offer = (struct host_offer){ .process = getpid(), .descriptor = file };
	if (file >= 0) {
		offer->device = st.st_dev;
		offer->number = st.st_ino;
	}
	return file;
}

static int open_file(const struct host_offer *offer)
{
	char path[64];
	struct stat st;
	snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)offer->process, (long long)offer->descriptor);
	int file = open(path, O_RDWR | O_CLOEXEC);
	if (file >= 0 && (fstat(file, &st) || st.st_dev != offer->device || st.st_ino != offer->number)) {
		close(file); /* of another process with the same number, in another PID namespace */
		file = -1;
	}
	return file;
}

void *sim_host_memory(size_t bytes)
{
	struct host_offer offer;
	int rank, file = -1, good, all;
	MPI_Comm comm = sim_host_comm();
	base_check(bytes > 0);
	MPI_Comm_rank(comm, &rank);
	if (rank == 0)
		file = make_file(bytes, &offer);
	MPI_Bcast(&offer, sizeof offer, MPI_BYTE, 0, comm);
	if (rank != 0 && offer.descriptor >= 0)
		file = open_file(&offer);
	void *memory =
	    file >= 0 ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0) : MAP_FAILED;
	good = memory != MAP_FAILED;
	MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_LAND, comm); /* only if all ranks have opened it */
	if (file >= 0)
		close(file);
	if (good && !all)
		munmap(memory, bytes);
	return all ? memory : NULL;
}

void sim_host_memory_free(void *memory, size_t bytes)
{
	if (memory)
		munmap(memory, bytes);
}

void sim_host_free(void)
{
	if (host != MPI_COMM_NULL)
		MPI_Comm_free(&host);
}
