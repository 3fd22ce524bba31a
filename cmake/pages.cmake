# Manual pages and completion scripts, made by the program itself at build time. Run as a script it writes them:
#   cmake -D PROGRAM=... -D OUT=... -P cmake/pages.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  function(tilefly_page file)
    execute_process(COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0 ${PROGRAM} ${ARGN}
      OUTPUT_FILE ${OUT}/${file} COMMAND_ERROR_IS_FATAL ANY)
  endfunction()
  file(REMOVE_RECURSE ${OUT})
  file(MAKE_DIRECTORY ${OUT}/man1 ${OUT}/bash ${OUT}/zsh)
  tilefly_page(man1/tilefly.1 man)
  tilefly_page(bash/tilefly completion bash)
  tilefly_page(zsh/_tilefly completion zsh)
  file(STRINGS ${OUT}/man1/tilefly.1 commands REGEX "^.fBtilefly.-[a-z]+.fR.1.$")
  foreach(line IN LISTS commands)
    string(REGEX REPLACE "^.fBtilefly.-([a-z]+).fR.*$" "\\1" command "${line}")
    tilefly_page(man1/tilefly-${command}.1 man ${command})
  endforeach()
  return()
endif()

set(pages ${CMAKE_BINARY_DIR}/pages)
add_custom_command(OUTPUT ${pages}/man1/tilefly.1
  COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:tilefly> -D OUT=${pages} -P ${CMAKE_SOURCE_DIR}/cmake/pages.cmake
  DEPENDS tilefly ${CMAKE_SOURCE_DIR}/cmake/pages.cmake COMMENT "manual pages and completion" VERBATIM)
add_custom_target(tilefly_pages ALL DEPENDS ${pages}/man1/tilefly.1)
install(DIRECTORY ${pages}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${pages}/bash/tilefly DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${pages}/zsh/_tilefly DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
