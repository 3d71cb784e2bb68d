# The installed tree can be moved: the binary finds lib/ and include/ next to its folder.

# tessera_generated(FILE FOLDER argument...): what the binary prints, installed as FOLDER/FILE.
function(tessera_generated file folder)
  set(output ${PROJECT_BINARY_DIR}/share/${file})
  add_custom_command(OUTPUT ${output}
                     COMMAND tessera ${ARGN} > ${output}
                     DEPENDS tessera COMMENT "Writing ${file}")
  set_property(GLOBAL APPEND PROPERTY tessera_generated ${output})
  install(FILES ${output} DESTINATION share/${folder})
endfunction()

file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share)
tessera_generated(tessera.1 man/man1 completions man)
tessera_generated(tessera bash-completion/completions completions bash)
tessera_generated(_tessera zsh/site-functions completions zsh)
tessera_generated(tessera.fish fish/vendor_completions.d completions fish)
get_property(generated GLOBAL PROPERTY tessera_generated)
add_custom_target(tessera-share ALL DEPENDS ${generated})

install(TARGETS tessera RUNTIME DESTINATION bin)
install(TARGETS tessera_runtime ARCHIVE DESTINATION lib)
install(DIRECTORY include/tessera DESTINATION include)
install(FILES README.md CHANGELOG.md DESTINATION share/doc/tessera OPTIONAL)
install(DIRECTORY docs/ examples DESTINATION share/doc/tessera)
