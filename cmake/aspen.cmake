# The reader of Aspen models: scanner and parser are generated from workload/formats/aspen. Generated code is compiled without
# warnings that the generators do not avoid.
find_package(FLEX 2.6 REQUIRED)
find_package(BISON 3.8 REQUIRED)
set(aspen ${CMAKE_SOURCE_DIR}/workload/formats/aspen)
set(made ${CMAKE_BINARY_DIR}/generated)
bison_target(aspen_grammar ${aspen}/grammar.y ${made}/aspen_grammar.c DEFINES_FILE ${made}/aspen_grammar.h
  COMPILE_FLAGS "-Wall -Werror")
flex_target(aspen_tokens ${aspen}/tokens.l ${made}/aspen_tokens.c)
add_flex_bison_dependency(aspen_tokens aspen_grammar)
set_source_files_properties(${made}/aspen_grammar.c ${made}/aspen_tokens.c PROPERTIES COMPILE_OPTIONS
  "-Wno-conversion;-Wno-sign-conversion;-Wno-sign-compare;-Wno-switch-enum;-Wno-shadow;-Wno-unused-function;-Wno-unused-parameter;-Wno-unused-but-set-variable")
target_sources(tilefly_workload PRIVATE ${made}/aspen_grammar.c ${made}/aspen_tokens.c)
