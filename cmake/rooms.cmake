# One library a room. `tilefly_objects` collects the objects of all rooms for the program itself, which must hold
# every function that a plug-in may call, whether the program calls it or not.
set(tilefly_objects "")
set(below tilefly_options tilefly_dependencies)
foreach(room IN LISTS rooms)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${room}/*.c)
  list(REMOVE_ITEM sources ${CMAKE_SOURCE_DIR}/experiments/main.c ${CMAKE_SOURCE_DIR}/workload/formats/otf2/otf2_child.c
    ${CMAKE_SOURCE_DIR}/topo/import/dot_child.c)
  list(FILTER sources EXCLUDE REGEX "/workload/record/") # a library of its own
  if(sources)
    add_library(tilefly_${room} STATIC ${sources})
    target_link_libraries(tilefly_${room} PUBLIC ${below})
    add_dependencies(tilefly_${room} tilefly_version)
    list(APPEND tilefly_objects $<TARGET_OBJECTS:tilefly_${room}>)
    if(use_lto AND room STREQUAL experiments) # nothing of it takes time where a simulation runs, and it is a third of the code
      target_compile_options(tilefly_${room} PRIVATE -fno-lto -O2)
    endif()
  else()
    add_library(tilefly_${room} INTERFACE)
    target_link_libraries(tilefly_${room} INTERFACE ${below})
  endif()
  list(PREPEND below tilefly_${room})
endforeach()
