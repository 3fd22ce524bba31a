#!/usr/bin/env bash
# mpirun.sh RANKS PROGRAM [ARGUMENT...] - runs an MPI program wherever tests run: as root in a container, with more
# ranks than cores, under Open MPI or MPICH. TILEFLY_MPIEXEC names the launcher (default: mpirun).
set -eu
ranks=$1
shift
launcher=${TILEFLY_MPIEXEC:-mpirun}
options=()
if "$launcher" --version 2>&1 | grep -qiE 'open ?mpi|open-mpi|openrte'; then
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	export OMPI_MCA_mpi_yield_when_idle=1            # waiting ranks leave the core to the working ones
	export OMPI_MCA_btl_vader_single_copy_mechanism=none # containers forbid process_vm_readv; do not warn about it
	export OMPI_MCA_btl_base_warn_component_unused=0
	export OMPI_MCA_plm_rsh_agent=                   # one machine: no ssh is needed, nor its absence worth a word
	export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe # Open MPI 5
	options=(--oversubscribe --bind-to none)
fi
exec "$launcher" "${options[@]}" -n "$ranks" "$@"
