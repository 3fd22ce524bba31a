/* tests/switch/test_crossbar_booksim_long.c - test_crossbar_booksim in full. */
#define EVERY_CASE 1
#include "tests/switch/test_crossbar_booksim.c"
