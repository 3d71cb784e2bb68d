# Compiler, linker and cache settings shared by every room.
# libstdc++ 12's stable_sort uses a function that C++17 deprecated.
add_compile_options(-Wall -Wextra -Werror -Wno-unused-parameter -Wno-deprecated-declarations)
add_link_options(-fuse-ld=lld-22 -Wl,--gc-sections -Wl,--as-needed)
# -O3 takes a quarter longer to compile and made nothing faster in our measurements.
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
string(REPLACE "-O3" "-O2" CMAKE_C_FLAGS_RELEASE "${CMAKE_C_FLAGS_RELEASE}")
add_compile_options(-ffunction-sections -fdata-sections)

if(TESSERA_SANITIZE)
  # Debian's LLVM is not instrumented: containers that are passed to it would raise false alarms.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined
                      -fno-sanitize=vptr,function -fno-omit-frame-pointer -O1 -g1
                      -fdebug-prefix-map=${CMAKE_SOURCE_DIR}=.) # Else ccache hashes the folder of the build.
  add_link_options(-fsanitize=address,undefined)
else()
  # A fixed load address saves relocating a hundred megabytes of LLVM at every start.
  set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
  add_compile_options(-fno-pie)
  add_link_options(-no-pie)
endif()

find_program(TESSERA_CCACHE ccache)
if(TESSERA_CCACHE)
  set(launcher ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime,locale
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_PCH_EXTSUM=true ${TESSERA_CCACHE})
  # ccache makes paths relative to CCACHE_BASEDIR, but not after -Xclang, as CMake has it for Clang. With -include, Clang
  # finds the precompiled header next to the header.
  set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -include <PCH_HEADER>)
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
