# cmake --build build/release --target bench: the short benchmarks, see bench/run.sh
add_custom_target(bench
  COMMAND ${CMAKE_COMMAND} -E env TILEFLY_MPIEXEC=${MPIEXEC_EXECUTABLE}
    ${CMAKE_SOURCE_DIR}/bench/run.sh --tilefly $<TARGET_FILE:tilefly>
  DEPENDS tilefly USES_TERMINAL VERBATIM)
