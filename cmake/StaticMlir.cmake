# Links Debian's MLIR and LLVM 22 statically: shared libraries cost 30 ms at every start.
find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
set(MLIR_BINARY_DIR ${CMAKE_BINARY_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS}) # TableGen reads them too.
separate_arguments(llvm_definitions UNIX_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${llvm_definitions})

# The imported MLIR archives name the shared libLLVM (and one the shared libMLIR) in their link
# interface; linking them too would give a binary with two copies of LLVM.
get_property(mlir_archives GLOBAL PROPERTY MLIR_ALL_LIBS)
foreach(archive IN LISTS mlir_archives)
  if(TARGET ${archive})
    get_target_property(libraries ${archive} INTERFACE_LINK_LIBRARIES)
    if(libraries)
      list(REMOVE_ITEM libraries LLVM MLIR)
      set_target_properties(${archive} PROPERTIES INTERFACE_LINK_LIBRARIES "${libraries}")
    endif()
  endif()
endforeach()

add_library(tessera_llvm_headers INTERFACE)
target_include_directories(tessera_llvm_headers SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
