# Turns a text file into a C++ header with a character array: cmake -DIN=... -DOUT=... -DNAME=... -P
file(READ "${IN}" bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE "${OUT}" "static const unsigned char ${NAME}[] = {${bytes}};\n")
