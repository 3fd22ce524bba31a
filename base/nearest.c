/* base/nearest.c - "did you mean": the candidate at the least edit distance.
 *
 * Damerau-Levenshtein in its optimal string alignment form (insert, delete, replace, swap neighbours; no substring is
 * edited twice), without regard to case. F. J. Damerau, CACM 7(3), 1964. */
#include "base/param.h"

#include <string.h>

#define LONGEST 63 /* longer words are not compared */

static unsigned char lower(char c)
{
	return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* O(|a| |b|) time, three rows of memory. */
static unsigned distance(const char *a, size_t na, const char *b, size_t nb)
{
	unsigned rows[3][LONGEST + 1];
	unsigned *before = rows[0], *above = rows[1], *row = rows[2];
	for (size_t j = 0; j <= nb; j++)
		above[j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++) {
		row[0] = (unsigned)i;
		for (size_t j = 1; j <= nb; j++) {
			unsigned replace = above[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));
			row[j] = least(replace, least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
				row[j] = least(row[j], before[j - 2] + 1);
		}
		unsigned *spare = before;
		before = above;
		above = row;
		row = spare;
	}
	return above[nb];
}

const char *base_nearest(const char *word, const char *const *candidates, size_t n)
{
	size_t length = strlen(word);
	if (length > LONGEST)
		return NULL;
	unsigned limit = (unsigned)(length + 2) / 3;
	const char *best = NULL;
	for (size_t i = 0; i < n; i++) {
		size_t other = strlen(candidates[i]);
		if (other > LONGEST)
			continue;
		unsigned d = distance(word, length, candidates[i], other);
		if (d > limit || d >= length) /* a suggestion that replaces every letter is useless */
			continue;
		if (d == 0)
			return candidates[i];
		limit = d - 1;
		best = candidates[i];
	}
	return best;
}
