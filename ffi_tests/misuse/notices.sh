#!/bin/sh
# notices.sh RUN_CELLS MISUSE_C: the runner of the matrix fails where a cell does not have the outcome that it expects.
# Each case changes the cells that misuse_c lists, and states the number of failures. Not in this file: the cells.
set -u
run_cells=$1
export MISUSE_C=$2
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
wrong=0

# A program that lists the cells of LIST, and commits what misuse_c commits, but for kinds that end otherwise.
cat > "$folder/program" <<'EOF'
#!/bin/sh
case $1 in
  '') cat "$LIST" ;;
  exits) echo "a text" >&2; exit 3 ;;
  ends_with_*) echo "a text"; echo "end of case"; exit "${1#ends_with_}" ;;
  silent) exit 0 ;;
  killed) kill -KILL $$ ;;
  aborts) echo "a text" >&2; kill -ABRT $$ ;;
  stops) echo "a text" >&2; exit 1 ;;
  *) exec "$MISUSE_C" "$1" "$2" ;;
esac
EOF
chmod +x "$folder/program"
: > "$folder/cells"

# expect COUNT LINE...: a list of these lines has as many failures; a line without settings is four cells in this column.
expect() {
  count=$1
  shift
  export LIST="$folder/list"
  printf '%s\n' "$@" > "$LIST"
  env -u PORTABLE_FASTPATH -u CELLS_EVERY "$run_cells" "$folder/cells" library misuse_status="$folder/program" > "$folder/out" 2>&1
  status=$?
  if [ "$(grep -c '^FAILED: ' "$folder/out")" != "$count" ] || [ $((status != 0)) != $((count != 0)) ]; then
    echo "FAILED: not $count failures, exit status $status, for: $*"
    cat "$folder/out"
    wrong=1
  fi
}

text="portable_array_create of 'thin': extent 2 is -3"
expect 0 "array_extent |  | says: status -1 PORTABLE_ERR_ARG: && $text"
expect 4 "array_extent |  | says: status -2 PORTABLE_ERR_NOMEM: && $text"
expect 4 "array_extent |  | says: status -1 PORTABLE_ERR_ARG: && extent 2 is -4"
expect 4 "array_extent |  | warning: $text"
expect 4 "array_extent |  | ok: $text"
expect 4 "array_extent |  | stop: $text"
expect 4 "array_extent |  | abort: $text"
expect 4 "array_extent |  | fails: $text"
expect 2 "array_extent | strict | ok" "array_extent | default | says: $text"
expect 4 "array_extent | strict | says: $text" # of the eight cells of both columns four are missing
expect 8 "array_extent |  | says: $text" "array_extent |  | says: $text"
expect 0 "null | strict | ok: status 0" "array_extent |  | says: $text" "null | default | ok: status 0"
expect 4 "null |  | says: status -5 PORTABLE_ERR_POINTER:"
expect 0 "stops |  | stop: a text" "aborts |  | abort: a text" "ends_with_0 |  | says: a text"
expect 12 "stops |  | abort: a text" "aborts |  | stop: a text" "ends_with_0 |  | ok"
expect 16 "exits |  | stop: a text" "ends_with_1 |  | stop: a text" "ends_with_3 |  | says: a text" "stops |  | says: a text"
expect 12 "exits |  | says: a text" "silent |  | ok" "killed |  | abort"
exit $wrong
