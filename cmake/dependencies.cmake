# Libraries that tilefly depends on. scripts/bootstrap.sh installs them on Debian.
find_package(PkgConfig REQUIRED)
find_package(MPI REQUIRED COMPONENTS C)
find_package(ZLIB REQUIRED)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
pkg_check_modules(CONFIG REQUIRED IMPORTED_TARGET libconfig)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)

find_path(RANDOM123_INCLUDE Random123/philox.h)
if(NOT RANDOM123_INCLUDE)
  message(FATAL_ERROR "Random123 is missing (Debian: librandom123-dev). scripts/bootstrap.sh installs what is needed.")
endif()

find_path(METIS_INCLUDE metis.h)
find_library(METIS_LIBRARY metis)
if(METIS_INCLUDE AND METIS_LIBRARY)
  set(TILEFLY_HAVE_METIS ON)
else()
  set(TILEFLY_HAVE_METIS OFF)
  message(STATUS "METIS is missing (Debian: libmetis-dev): engine.partition = \"metis\" will be refused")
endif()

# Archives of OTF2 are read by a program of its own, which alone links the library (workload/formats/otf2/otf2_child.c).
option(TILEFLY_OTF2 "Read OTF2 archives, if the library is there" ON)
if(TILEFLY_OTF2)
  pkg_check_modules(OTF2 IMPORTED_TARGET otf2)
  if(NOT OTF2_FOUND)
    message(STATUS "OTF2 is missing (Debian: libopen-trace-format2-dev): its archives will be refused")
  endif()
endif()

# GraphML is read by expat.
pkg_check_modules(EXPAT IMPORTED_TARGET expat)
if(NOT EXPAT_FOUND)
  message(STATUS "expat is missing (Debian: libexpat1-dev): GraphML will be refused")
endif()

# DOT is read by a program of its own, which alone links Graphviz' library (topo/import/dot_child.c).
option(TILEFLY_DOT "Read graphs in DOT, if Graphviz' library is there" ON)
if(TILEFLY_DOT)
  pkg_check_modules(CGRAPH IMPORTED_TARGET libcgraph)
  if(NOT CGRAPH_FOUND)
    message(STATUS "libcgraph is missing (Debian: libgraphviz-dev): graphs in DOT will be refused")
  endif()
endif()

# All libraries as one target, as system headers, whose warnings are ignored.
add_library(tilefly_dependencies INTERFACE)
target_link_libraries(tilefly_dependencies INTERFACE
  MPI::MPI_C PkgConfig::CONFIG PkgConfig::JANSSON PkgConfig::XXHASH ZLIB::ZLIB Threads::Threads ${CMAKE_DL_LIBS} m)
target_include_directories(tilefly_dependencies SYSTEM INTERFACE ${RANDOM123_INCLUDE})
if(TILEFLY_HAVE_METIS)
  target_link_libraries(tilefly_dependencies INTERFACE ${METIS_LIBRARY})
  target_include_directories(tilefly_dependencies SYSTEM INTERFACE ${METIS_INCLUDE})
  target_compile_definitions(tilefly_dependencies INTERFACE TILEFLY_HAVE_METIS)
endif()
if(EXPAT_FOUND)
  target_link_libraries(tilefly_dependencies INTERFACE PkgConfig::EXPAT)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/topo/import/graphml.c PROPERTIES COMPILE_DEFINITIONS TILEFLY_HAVE_EXPAT)
endif()
