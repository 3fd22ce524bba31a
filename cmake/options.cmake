# Compiler options, shared by everything that is compiled here, plug-in examples included.
#
# -Wswitch-enum: a switch over an enum must list every value, so that a new value is handled everywhere.
# -ffp-contract=off and no -ffast-math: two compilers must compute the same bits (docs/architecture.md, "Same answer").
add_library(tilefly_options INTERFACE)
target_include_directories(tilefly_options INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
target_compile_definitions(tilefly_options INTERFACE _GNU_SOURCE)
target_compile_options(tilefly_options INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wswitch-enum -ffp-contract=off
  $<$<BOOL:${TILEFLY_WERROR}>:-Werror>)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU") # routings have TOPO_MAX_NEXT ports on the stack: GCC inlines no such frames by default
  target_compile_options(tilefly_options INTERFACE --param=large-stack-frame=8192)
  target_link_options(tilefly_options INTERFACE --param=large-stack-frame=8192)
endif()
if(TILEFLY_CHECK)
  target_compile_definitions(tilefly_options INTERFACE TILEFLY_CHECK=1)
endif()
if(TILEFLY_SANITIZE)
  set(sanitize -fsanitize=${TILEFLY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_definitions(tilefly_options INTERFACE TILEFLY_SANITIZED=1)
  target_compile_options(tilefly_options INTERFACE ${sanitize})
  target_link_options(tilefly_options INTERFACE ${sanitize})
endif()
if(TILEFLY_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "TILEFLY_FUZZ needs clang (cmake --preset fuzz)")
  endif()
  target_compile_options(tilefly_options INTERFACE -fsanitize=fuzzer-no-link)
  target_compile_definitions(tilefly_options INTERFACE TILEFLY_FUZZ=1)
endif()

# Link-time optimisation is for the installed program only. The objects are fat (machine code beside the compiler's own
# representation), so that the many test programs link the same objects without paying for it.
set(use_lto OFF)
if(TILEFLY_LTO AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT TILEFLY_SANITIZE AND NOT TILEFLY_FUZZ)
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS "-flto=auto -ffat-lto-objects -Werror")
  check_c_source_compiles("int main(void) { return 0; }" TILEFLY_FAT_LTO)
  unset(CMAKE_REQUIRED_FLAGS)
  set(use_lto ${TILEFLY_FAT_LTO})
endif()
if(use_lto)
  target_compile_options(tilefly_options INTERFACE -flto=auto -ffat-lto-objects)
endif()

function(tilefly_link_time_optimisation target)
  if(use_lto)
    target_link_options(${target} PRIVATE -flto=auto -O3)
  endif()
endfunction()

function(tilefly_no_link_time_optimisation target)
  if(use_lto)
    target_link_options(${target} PRIVATE -fno-lto)
  endif()
endfunction()

# Version and commit, looked up at every build; the header changes only when they do.
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type_upper)
add_custom_target(tilefly_version ALL
  COMMAND ${CMAKE_COMMAND}
    -D SOURCE=${CMAKE_SOURCE_DIR} -D OUT=${CMAKE_BINARY_DIR}/generated/tilefly_version.h -D VERSION=${PROJECT_VERSION}
    -D TYPE=${CMAKE_BUILD_TYPE} -D "COMPILER=${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}"
    -D "FLAGS=${CMAKE_C_FLAGS_${build_type_upper}} ${CMAKE_C_FLAGS}" -D LTO=${use_lto}
    -D DATA=${CMAKE_INSTALL_FULL_DATADIR}/tilefly -D CHECK=${TILEFLY_CHECK} -D "SANITIZE=${TILEFLY_SANITIZE}"
    -P ${CMAKE_SOURCE_DIR}/cmake/version.cmake
  BYPRODUCTS ${CMAKE_BINARY_DIR}/generated/tilefly_version.h
  COMMENT "version and commit" VERBATIM)
