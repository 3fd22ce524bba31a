/* workload/loggops/sort.c - see model.h
 *
 * LogGOPSim sorts operations that become ready together by kind with std::sort, which keeps the order of equal ones
 * only up to 16 elements. The order of more elements is that of its library, which is GNU's in all builds with
 * published results: quicksort with the median of the second, the middle and the last element as pivot, until 16 are
 * left or the depth is twice the logarithm; then heapsort in the latter case, and finally insertion sort. */
#include "workload/loggops/model.h"

#define SHORT 16u

struct sorted {
	const struct wl_goal *goal;
	uint32_t *op;
};

static bool less(const struct sorted *s, uint32_t a, uint32_t b)
{
	return s->goal->op[a].kind < s->goal->op[b].kind;
}

static void swap(uint32_t *a, uint32_t *b)
{
	uint32_t c = *a;
	*a = *b;
	*b = c;
}

/* Moves the median of the second, the middle and the last operation to the front as the pivot, and partitions the rest:
 * operations below the pivot come before the returned position, those above it after; equal ones may be on either side.
 */
static uint32_t partition(const struct sorted *s, uint32_t first, uint32_t end)
{
	uint32_t *v = s->op, a = first + 1, b = first + (end - first) / 2, c = end - 1, median;
	if (less(s, v[a], v[b]))
		median = less(s, v[b], v[c]) ? b : less(s, v[a], v[c]) ? c : a;
	else
		median = less(s, v[a], v[c]) ? a : less(s, v[b], v[c]) ? c : b;
	swap(&v[first], &v[median]);
	for (uint32_t i = first + 1, j = end;; i++) {
		while (less(s, v[i], v[first]))
			i++;
		do
			j--;
		while (less(s, v[first], v[j]));
		if (i >= j)
			return i;
		swap(&v[i], &v[j]);
	}
}

/* The heap of n elements from v on has a hole at its root: x goes where it belongs. From the root down to a leaf the
 * larger child rises, then x does from there. */
static void fill_hole(const struct sorted *s, uint32_t *v, uint32_t n, uint32_t root, uint32_t x)
{
	uint32_t hole = root;
	while (2 * hole + 2 < n) {
		uint32_t child = 2 * hole + 2;
		child -= less(s, v[child], v[child - 1]);
		v[hole] = v[child];
		hole = child;
	}
	if (2 * hole + 2 == n) {
		v[hole] = v[n - 1];
		hole = n - 1;
	}
	for (; hole > root && less(s, v[(hole - 1) / 2], x); hole = (hole - 1) / 2)
		v[hole] = v[(hole - 1) / 2];
	v[hole] = x;
}

static void sort_by_heap(const struct sorted *s, uint32_t *v, uint32_t n)
{
	for (uint32_t i = n / 2; i-- > 0;)
		fill_hole(s, v, n, i, v[i]);
	while (n-- > 1) {
		uint32_t x = v[n];
		v[n] = v[0];
		fill_hole(s, v, n, 0, x);
	}
}

static void sort_down_to_short(const struct sorted *s, uint32_t first, uint32_t end, uint32_t depth)
{
	for (; end - first > SHORT; depth--) {
		if (!depth) {
			sort_by_heap(s, s->op + first, end - first);
			return;
		}
		uint32_t cut = partition(s, first, end);
		sort_down_to_short(s, cut, end, depth - 1);
		end = cut;
	}
}

void wl_loggops_sort_by_kind(const struct wl_goal *goal, uint32_t *op, uint32_t n)
{
	struct sorted s = { goal, op };
	if (n > SHORT)
		sort_down_to_short(&s, 0, n, 2 * (31 - (uint32_t)__builtin_clz(n)));
	for (uint32_t i = 1; i < n; i++) {
		uint32_t x = op[i], k = i;
		for (; k && less(&s, x, op[k - 1]); k--)
			op[k] = op[k - 1];
		op[k] = x;
	}
}
