# A room is one folder under src/ and one static library that links exactly the rooms it may use.
#   tessera_room(NAME [MLIR] SOURCES file... DEPENDS library...)
# MLIR rooms share one precompiled header; without it each of their files takes nine seconds.
function(tessera_room name)
  cmake_parse_arguments(ROOM "MLIR" "" "SOURCES;DEPENDS" ${ARGN})
  tessera_batches(sources tessera_${name} ${ROOM_SOURCES})
  add_library(tessera_${name} STATIC ${sources})
  target_include_directories(tessera_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include
                                                    ${PROJECT_BINARY_DIR}/src
                                             PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(tessera_${name} PRIVATE -fno-exceptions)
  target_link_libraries(tessera_${name} PUBLIC ${ROOM_DEPENDS})
  if(ROOM_MLIR)
    target_compile_options(tessera_${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
    target_link_libraries(tessera_${name} PUBLIC tessera_llvm_headers)
    if(name STREQUAL "core")
      target_precompile_headers(tessera_core PRIVATE ${PROJECT_SOURCE_DIR}/src/core/Precompiled.h)
      write_precompiled_sum()
    else()
      target_precompile_headers(tessera_${name} REUSE_FROM tessera_core)
    endif()
  endif()
endfunction()

# A precompiled header contains absolute paths, so that ccache would find none of the files that use it in another
# clone. With CCACHE_PCH_EXTSUM it hashes this file instead, which says what the header was made from; the options are
# those of the file that is compiled.
function(write_precompiled_sum)
  file(READ ${PROJECT_SOURCE_DIR}/src/core/Precompiled.h text)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/tessera_core.dir/cmake_pch.hxx.pch.sum
       CONTENT "${LLVM_PACKAGE_VERSION}\n${text}" @ONLY)
endfunction()
