# cmake --build build/release --target bench: the short benchmarks, see bench/run.sh
add_executable(tilefly_calibrate EXCLUDE_FROM_ALL bench/calibrate.c) # what the machine gives, beside each figure
set_target_properties(tilefly_calibrate PROPERTIES OUTPUT_NAME calibrate)
add_executable(tilefly_exchange EXCLUDE_FROM_ALL bench/exchange.c) # what a message costs between two ranks
set_target_properties(tilefly_exchange PROPERTIES OUTPUT_NAME exchange)
target_link_libraries(tilefly_exchange PRIVATE MPI::MPI_C)
add_custom_target(bench
  COMMAND ${CMAKE_COMMAND} -E env TILEFLY_MPIEXEC=${MPIEXEC_EXECUTABLE}
    ${CMAKE_SOURCE_DIR}/bench/run.sh --tilefly $<TARGET_FILE:tilefly>
  DEPENDS tilefly tilefly_calibrate tilefly_exchange USES_TERMINAL VERBATIM)
add_library(tilefly_count_mpi MODULE EXCLUDE_FROM_ALL bench/count_mpi.c) # preloaded by bench/guard.py
set_target_properties(tilefly_count_mpi PROPERTIES PREFIX "" OUTPUT_NAME count_mpi)
target_link_libraries(tilefly_count_mpi PRIVATE MPI::MPI_C)
