/* base/mapped.c - see mapped.h
 *
 * Entries are never removed from the list of mapped files, so that the signal handler may walk it at any time. When a
 * file is unmapped, `bytes` of its entry becomes NULL, and the entry is reused for another file. */
#include "base/mapped.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static _Atomic(struct base_mapped *) all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction before;
static uintptr_t page;

/* Maps zeros from the page of `at` to the end. */
static bool put_zeros(struct base_mapped *m, const char *at)
{
	char *from = (char *)((uintptr_t)at & ~(page - 1));
	size_t bytes = (size_t)(m->bytes + m->n - from);
	atomic_store(&m->cut, true);
	return mmap(from, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == from;
}

static void handle(int signal_number, siginfo_t *info, void *context)
{
	const char *at = info->si_addr;
	int kept = errno;
	(void)context;
	for (struct base_mapped *m = atomic_load(&all); m; m = m->next)
		if (m->bytes && at >= m->bytes && at < m->bytes + m->n && put_zeros(m, at)) {
			errno = kept;
			return;
		}
	sigaction(signal_number, &before,
	          NULL); /* the previous handler gets the signal when the instruction is repeated */
}

static void watch(void)
{
	struct sigaction action = { .sa_sigaction = handle, .sa_flags = SA_SIGINFO };
	page = (uintptr_t)sysconf(_SC_PAGESIZE);
	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, &before);
}

static struct base_mapped *free_entry(void)
{
	struct base_mapped *m = atomic_load(&all);
	while (m && m->bytes)
		m = m->next;
	if (m)
		return m;
	m = base_calloc(1, sizeof *m);
	m->next = atomic_load(&all);
	atomic_store(&all, m);
	return m;
}

struct base_mapped *base_map_file(int file, size_t n, const char **why)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct base_stamp stamp;
	int own = fcntl(file, F_DUPFD_CLOEXEC, 0);
	bool is = own >= 0 && base_stamp_make(&stamp, own, NULL);
	const char *bytes = !is ? MAP_FAILED : mmap(NULL, n, PROT_READ, MAP_PRIVATE, own, 0);
	if (bytes == MAP_FAILED) {
		*why = strerror(errno);
		if (own >= 0)
			close(own);
		return NULL;
	}
	pthread_once(&once, watch);
	pthread_mutex_lock(&lock);
	struct base_mapped *m = free_entry();
	m->n = n;
	m->file = own;
	m->stamp = stamp;
	atomic_store(&m->cut, false);
	m->bytes = bytes;
	pthread_mutex_unlock(&lock);
	return m;
}

bool base_was_cut(const struct base_mapped *m)
{
	struct stat st;
	return atomic_load(&m->cut) || fstat(m->file, &st) || (size_t)st.st_size < m->n;
}

const char *base_mapped_changed(const struct base_mapped *m)
{
	return base_was_cut(m)                                                          ? BASE_WAS_CUT
	       : base_stamp_differs(&m->stamp, m->file, NULL) || m->stamp.bytes != m->n ? BASE_WAS_CHANGED
	                                                                                : NULL;
}

void base_unmap_file(struct base_mapped *m)
{
	if (!m)
		return;
	pthread_mutex_lock(&lock);
	munmap((void *)(uintptr_t)m->bytes, m->n);
	close(m->file);
	m->bytes = NULL;
	pthread_mutex_unlock(&lock);
}
