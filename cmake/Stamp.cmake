# build/tessera.stamp is newer than every source once the compiler is built; ./tessera compares.
file(GLOB_RECURSE sources CONFIGURE_DEPENDS src/* include/* cmake/*)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/tessera.stamp
                   COMMAND ${CMAKE_COMMAND} -E touch tessera.stamp
                   DEPENDS tessera ${sources} CMakeLists.txt packages
                   WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
                   COMMENT "Marking the build as newer than its sources")
add_custom_target(tessera-stamp ALL DEPENDS ${PROJECT_BINARY_DIR}/tessera.stamp)
if(TARGET tessera-share) # So that `cmake --install` works after ./tessera.
  add_dependencies(tessera-stamp tessera-share)
endif()
