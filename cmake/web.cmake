# The interactive page's files become part of the program: experiments/report/assets.c includes them as they stand.
# scripts/web.sh installs ECharts; without it reports have tables only.
set(web ${CMAKE_SOURCE_DIR}/experiments/report/web)
find_file(TILEFLY_ECHARTS echarts.min.js PATHS ${CMAKE_SOURCE_DIR}/build/web/node_modules/echarts/dist NO_DEFAULT_PATH)
if(TILEFLY_ECHARTS)
  set(echarts ${TILEFLY_ECHARTS})
else()
  set(echarts ${CMAKE_BINARY_DIR}/generated/no-echarts.js)
  file(WRITE ${echarts} "")
  message(STATUS "ECharts is missing (scripts/web.sh installs it with npm): tilefly report will make pages of tables only")
endif()
file(GLOB assets CONFIGURE_DEPENDS ${web}/*.js ${web}/*.css)
set_source_files_properties(experiments/report/assets.c PROPERTIES
  COMPILE_DEFINITIONS "TILEFLY_WEB=\"${web}\";TILEFLY_ECHARTS=\"${echarts}\""
  COMPILE_OPTIONS "$<$<BOOL:${use_lto}>:-fno-lto>"
  OBJECT_DEPENDS "${assets};${echarts}")
