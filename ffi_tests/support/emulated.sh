# emulated.sh - for scripts that run programs of a cross build, or let yaklcheck run them: sourced, it defines one function.
# TEST_EMULATOR is the command that runs programs of the target's processor; without it nothing changes.

# emulated FOLDER PROGRAM: prints the path of a script in the folder that runs the program by the emulator.
emulated() {
  local script
  [ -n "${TEST_EMULATOR-}" ] || { echo "$2"; return; }
  script=$1/$(basename "$2").emulated
  printf '#!/bin/bash\nexec %s "%s" "$@"\n' "$TEST_EMULATOR" "$2" >"$script" && chmod +x "$script" && echo "$script"
}
