/* tests/switch/test_classes_tiled_long.c - test_classes_tiled in full. */
#define EVERY_CASE 1
#include "tests/switch/test_classes_tiled.c"
