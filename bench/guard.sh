#!/usr/bin/env bash
# bench/guard.sh - counts the cost of runs, and compares it with bench/guard.tsv: instructions per packet-hop, bytes and
# messages per window and rank, memory, windows, events. These are counts, not times, so that a busy machine does not matter.
#
#   bench/guard.sh            all cases (four minutes at most)
#   bench/guard.sh --quick    some of them (half a minute)
#   bench/guard.sh --record   writes the counts to bench/guard.tsv, with the commit; state the reason in the same commit
#   bench/guard.sh --only REGEX
#
# Exit status: 0 no count has grown; 1 some counts have, which are listed. With another compiler or C library than the
# table's it reports, but does not fail. Needs valgrind, an MPI launcher, and build/release.
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
command -v valgrind >/dev/null || { echo "guard.sh: needs valgrind (scripts/bootstrap.sh --tests)" >&2; exit 2; }
cmake --build "$root/build/release" --target tilefly tilefly_count_mpi >/dev/null
exec python3 "$root/bench/guard.py" "$@"
