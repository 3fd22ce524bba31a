# tests/<room>/**/test_*.c   Criterion unit tests, one program a file; they link their room, every room that they include
#                         a header of, and what is below those
# tests/mpi/mpi_*.c       plain programs, exit status 0 is a pass; run under mpirun with 1, 2, 3 and 4 ranks
# tests/cli/*.sh          scripts that get the program's path as $1 and the plug-in examples' folder as $2
# tests/source/*.sh       scripts about the source itself, that get its folder as $1
# tests/compiler/other.sh all files in the other compiler's reading: the source folder as $1, that of the build as $2
# tests/page/*.sh         pages in headless Chromium
# tests/web/*.js          the scripts of pages, in node
# tests/fuzz/fuzz_*.c     libFuzzer targets (preset fuzz)
#
# A test whose file name has "_long" in it carries the label long, which the default test preset leaves out.
find_library(CRITERION_LIBRARY criterion)
find_path(CRITERION_INCLUDE criterion/criterion.h)

set(test_environment
  TILEFLY_TEST_DATA=${CMAKE_SOURCE_DIR}/tests/data
  ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1
  LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/leaks.supp:print_suppressions=0
  UBSAN_OPTIONS=print_stacktrace=1)

# Of the linkers that are there gold links a program of many objects in half the time of the usual one.
set(test_linker "")
if(use_lto)
  include(CheckLinkerFlag)
  check_linker_flag(C -fuse-ld=gold TILEFLY_GOLD)
  if(TILEFLY_GOLD)
    set(test_linker -fuse-ld=gold)
  endif()
endif()

# The highest room that a source file of a test needs, by its own includes and those of the test headers it includes.
function(tilefly_highest_room source own result)
  set(highest experiments)
  list(FIND rooms "${own}" rank)
  if(rank GREATER_EQUAL 0)
    file(STRINGS ${source} includes REGEX "^#include \"[a-z]+/")
    set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    set(reading ${includes}) # a long test includes another test, which includes headers of tests
    while(reading)
      list(POP_FRONT reading line)
      if(line MATCHES "^#include \"(tests/[^\"]+)\"")
        file(STRINGS ${CMAKE_SOURCE_DIR}/${CMAKE_MATCH_1} more REGEX "^#include \"[a-z]+/")
        list(REMOVE_ITEM more ${includes})
        list(APPEND includes ${more})
        list(APPEND reading ${more})
      endif()
    endwhile()
    foreach(line IN LISTS includes)
      string(REGEX REPLACE "^#include \"([a-z]+)/.*" "\\1" room "${line}")
      list(FIND rooms "${room}" other)
      if(other GREATER rank)
        set(rank ${other})
      endif()
    endforeach()
    list(GET rooms ${rank} highest)
  endif()
  set(${result} ${highest} PARENT_SCOPE)
endfunction()

function(tilefly_test_program target source room)
  add_executable(${target} ${source})
  tilefly_highest_room(${source} "${room}" highest)
  target_link_libraries(${target} PRIVATE tilefly_${highest})
  set_target_properties(${target} PROPERTIES ENABLE_EXPORTS ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_compile_definitions(${target} PRIVATE TILEFLY_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data"
    TILEFLY_PROGRAM="$<TARGET_FILE:tilefly>" TILEFLY_EXAMPLE_DIR="${TILEFLY_EXAMPLE_DIR}")
  tilefly_no_link_time_optimisation(${target})
  if(use_lto) # what takes time is in the rooms; of a source file's own options the last word is
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "-fno-lto;-O0;-g0")
    # 170 programs: what takes time when they are linked is debug information, which the presets for debugging have
    target_link_options(${target} PRIVATE -Wl,--strip-debug ${test_linker})
  endif()
endfunction()

function(tilefly_label test label timeout)
  set(labels ${label})
  if(test MATCHES "_long")
    list(APPEND labels long)
    math(EXPR timeout "10 * ${timeout}")
  endif()
  if(TILEFLY_SANITIZE) # and tests/mpi/reference.h
    math(EXPR timeout "4 * ${timeout}")
  endif()
  set_tests_properties(${test} PROPERTIES LABELS "${labels}" TIMEOUT ${timeout} ENVIRONMENT "${test_environment}")
  if(NOT label STREQUAL "unit") # what MPI implementations leave behind at exit is not ours
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT ASAN_OPTIONS=detect_leaks=0:strict_string_checks=1)
  endif()
endfunction()

if(CRITERION_LIBRARY AND CRITERION_INCLUDE)
  set(criterion_jobs 2)
  if(TILEFLY_SANITIZE) # Criterion 2.4 loses 48 bytes of its own where two tests run at once, which the leak sanitizer finds
    set(criterion_jobs 1)
  endif()
  foreach(room IN LISTS rooms ITEMS properties)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS tests/${room}/test_*.c)
    foreach(source IN LISTS sources)
      cmake_path(GET source STEM name)
      set(test ${room}_${name})
      string(REPLACE "_test_" "_" test ${test})
      tilefly_test_program(unit_${test} ${source} ${room})
      target_include_directories(unit_${test} SYSTEM PRIVATE ${CRITERION_INCLUDE})
      target_link_libraries(unit_${test} PRIVATE ${CRITERION_LIBRARY})
      add_test(NAME unit.${test} COMMAND unit_${test} --jobs ${criterion_jobs})
      tilefly_label(unit.${test} unit 120)
    endforeach()
  endforeach()
else()
  message(WARNING "Criterion is missing (Debian: libcriterion-dev): unit tests are not built. "
    "scripts/bootstrap.sh installs what is needed.")
endif()

file(GLOB sources CONFIGURE_DEPENDS tests/mpi/mpi_*.c)
foreach(source IN LISTS sources)
  cmake_path(GET source STEM test)
  tilefly_test_program(${test} ${source} "")
  foreach(ranks 1 2 3 4)
    set(name mpi.${test}.${ranks})
    add_test(NAME ${name} COMMAND ${CMAKE_SOURCE_DIR}/tests/mpirun.sh ${ranks} $<TARGET_FILE:${test}>)
    tilefly_label(${name} mpi 180)
    if(ranks GREATER 1)
      # more ranks than that take turns; early, as the last ones would have nothing beside them
      set_tests_properties(${name} PROPERTIES PROCESSORS 2 COST 40)
    else() # unit tests do the same without a launcher
      set_property(TEST ${name} APPEND PROPERTY LABELS long)
    endif()
    set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT TILEFLY_MPIEXEC=${MPIEXEC_EXECUTABLE})
    if(test STREQUAL mpi_network)
      math(EXPR part "${ranks} - 1")
      set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT TILEFLY_PART=${part})
    endif()
  endforeach()
endforeach()
# ranks of one host share memory: the way between hosts is tried apart
if(TARGET mpi_engine)
  add_test(NAME mpi.messages.2 COMMAND ${CMAKE_SOURCE_DIR}/tests/mpirun.sh 2 $<TARGET_FILE:mpi_engine>)
  tilefly_label(mpi.messages.2 mpi 180)
  set_tests_properties(mpi.messages.2 PROPERTIES PROCESSORS 2)
  set_property(TEST mpi.messages.2 APPEND PROPERTY ENVIRONMENT TILEFLY_MPIEXEC=${MPIEXEC_EXECUTABLE} TILEFLY_SHARED_MEMORY=off)
endif()
# the model of docs/scaling.md predicts 32 ranks from at most 8
if(TARGET mpi_engine)
  add_test(NAME bench.ranks_long COMMAND ${CMAKE_SOURCE_DIR}/bench/ranks.py --check)
  tilefly_label(bench.ranks_long bench 90)
  set_tests_properties(bench.ranks_long PROPERTIES PROCESSORS 2)
  set_property(TEST bench.ranks_long APPEND PROPERTY ENVIRONMENT TILEFLY_MPIEXEC=${MPIEXEC_EXECUTABLE} TILEFLY=$<TARGET_FILE:tilefly>)
endif()
# more than a few ranks synchronise by neighbours: few of them do so, over MPI, and LPs move
if(TARGET mpi_network)
  add_test(NAME mpi.neighbours_long.4 COMMAND ${CMAKE_SOURCE_DIR}/tests/mpirun.sh 4 $<TARGET_FILE:mpi_network>)
  tilefly_label(mpi.neighbours_long.4 mpi 180)
  set_tests_properties(mpi.neighbours_long.4 PROPERTIES PROCESSORS 2)
  set_property(TEST mpi.neighbours_long.4 APPEND PROPERTY ENVIRONMENT TILEFLY_MPIEXEC=${MPIEXEC_EXECUTABLE} TILEFLY_PART=2 TILEFLY_SHARED_MEMORY=off TILEFLY_EXCHANGE_FEW=1)
endif()
# and rings that are nearly always full
if(TARGET mpi_network)
  add_test(NAME mpi.full_rings_long.3 COMMAND ${CMAKE_SOURCE_DIR}/tests/mpirun.sh 3 $<TARGET_FILE:mpi_network>)
  tilefly_label(mpi.full_rings_long.3 mpi 180)
  set_tests_properties(mpi.full_rings_long.3 PROPERTIES PROCESSORS 2)
  set_property(TEST mpi.full_rings_long.3 APPEND PROPERTY ENVIRONMENT TILEFLY_MPIEXEC=${MPIEXEC_EXECUTABLE} TILEFLY_PART=4 TILEFLY_SHARED_MEMORY=1)
endif()

file(GLOB sources CONFIGURE_DEPENDS tests/cli/*.sh)
foreach(source IN LISTS sources)
  cmake_path(GET source STEM test)
  add_test(NAME cli.${test} COMMAND bash ${source} $<TARGET_FILE:tilefly> ${TILEFLY_EXAMPLE_DIR})
  tilefly_label(cli.${test} cli 300)
  set_property(TEST cli.${test} APPEND PROPERTY ENVIRONMENT TILEFLY_MPIEXEC=${MPIEXEC_EXECUTABLE})
endforeach()

file(GLOB sources CONFIGURE_DEPENDS tests/source/*.sh)
foreach(source IN LISTS sources)
  cmake_path(GET source STEM test)
  add_test(NAME source.${test} COMMAND bash ${source} ${CMAKE_SOURCE_DIR})
  tilefly_label(source.${test} source 120)
endforeach()

# the source in the other compiler's reading; skipped where that is missing
add_test(NAME compiler.other COMMAND bash ${CMAKE_SOURCE_DIR}/tests/compiler/other.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
tilefly_label(compiler.other source 600)
add_test(NAME compiler.other_long COMMAND bash ${CMAKE_SOURCE_DIR}/tests/compiler/other.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR} tests)
tilefly_label(compiler.other_long source 60)
set_tests_properties(compiler.other compiler.other_long PROPERTIES SKIP_RETURN_CODE 77 PROCESSORS 2 COST 50)

# pages in a browser; skipped, with what is missing, where there is none
function(tilefly_page_test name script)
  add_test(NAME ${name} COMMAND bash ${CMAKE_SOURCE_DIR}/tests/page/${script} $<TARGET_FILE:tilefly>
    ${CMAKE_SOURCE_DIR}/build/web/node_modules/axe-core/axe.min.js)
  tilefly_label(${name} page 300)
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()
tilefly_page_test(page.browser page.sh)
tilefly_page_test(page.studies studies.sh)
set_tests_properties(page.browser page.studies PROPERTIES COST 100) # first, beside others, and not last and alone
tilefly_page_test(page.runs runs.sh)
set_tests_properties(page.runs PROPERTIES PROCESSORS 2) # how soon a page answers is measured

# the scripts of pages, in node; skipped where that or ECharts is missing
foreach(name drawings sweep studies runs)
  add_test(NAME web.${name} COMMAND sh -c "command -v node >/dev/null || exit 77; exec node ${CMAKE_SOURCE_DIR}/tests/web/${name}.js")
  tilefly_label(web.${name} page 60)
  set_tests_properties(web.${name} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()

if(TILEFLY_FUZZ)
  file(GLOB sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM test)
    tilefly_test_program(${test} ${source} "")
    target_link_options(${test} PRIVATE -fsanitize=fuzzer)
    set(corpus ${CMAKE_SOURCE_DIR}/tests/fuzz/corpus/${test})
    if(NOT IS_DIRECTORY ${corpus})
      set(corpus "")
    endif()
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/corpus/${test})
    add_test(NAME fuzz.${test} COMMAND ${test} -max_total_time=20 -max_len=4096 -timeout=10 -rss_limit_mb=4096
      ${CMAKE_BINARY_DIR}/corpus/${test} ${corpus})
    tilefly_label(fuzz.${test} fuzz 120)
  endforeach()
endif()
