#!/usr/bin/env bash
# complete.bash SCRIPT WORD...: the completions that SCRIPT offers for the last WORD.
# shellcheck disable=SC1090 # the script is generated
source "$1"
shift
compopt() { :; } # Works only where bash itself asks for completions.
# Bash also separates words at `=`.
COMP_WORDS=()
for word; do
  case $word in
    --*=*) COMP_WORDS+=("${word%%=*}" "=" "${word#*=}") ;;
    *) COMP_WORDS+=("$word") ;;
  esac
done
# shellcheck disable=SC2034 # bash's own name
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_tessera
printf '%s\n' "${COMPREPLY[@]}"
