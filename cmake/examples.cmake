# The worked plug-in examples of docs/examples: one C file each, loaded with --plugin.
file(GLOB examples CONFIGURE_DEPENDS docs/examples/*.c)
set(TILEFLY_EXAMPLE_DIR ${CMAKE_BINARY_DIR}/examples)
foreach(source IN LISTS examples)
  cmake_path(GET source STEM name)
  add_library(example_${name} MODULE ${source})
  set_target_properties(example_${name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${TILEFLY_EXAMPLE_DIR} POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(example_${name} PRIVATE tilefly_options)
  target_compile_options(example_${name} PRIVATE -fno-lto)
  tilefly_no_link_time_optimisation(example_${name})
endforeach()
