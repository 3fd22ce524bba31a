#!/usr/bin/env bash
# bench/guard.sh - counts what a run costs, and compares with bench/guard.tsv: instructions a packet-hop, bytes and
# messages a window and rank, memory, windows, events. Counts, never times: a noisy machine does not matter.
#
#   bench/guard.sh            all cases (four minutes at most)
#   bench/guard.sh --quick    some of them (half a minute)
#   bench/guard.sh --record   writes what is counted to bench/guard.tsv, with the commit; say why in the same commit
#   bench/guard.sh --only REGEX
#
# Exit status: 0 nothing has grown; 1 something has, and is named. Another compiler or C library than the table's reports
# and does not fail. Needs valgrind, an MPI launcher, and build/release.
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
command -v valgrind >/dev/null || { echo "guard.sh: needs valgrind (scripts/bootstrap.sh --tests)" >&2; exit 2; }
cmake --build "$root/build/release" --target tilefly tilefly_count_mpi >/dev/null
exec python3 "$root/bench/guard.py" "$@"
