# ratios.awk PLAIN OURS: a table of the two files of rows (bench/cuda/rows.h), the least of each
# row; then the results of both.
function time_of(t) { return t < 1e-3 ? sprintf("%.2f us", t * 1e6) : sprintf("%.3f ms", t * 1e3) }
BEGIN {
  limit["launch, queued"] = 1 / 1.1
  limit["allocate and free, one size"] = limit["allocate and free, mixed sizes, 64 live"] = 5
  limit["triad"] = limit["7-point stencil"] = limit["sum of an array"] = limit["max_stable_dt"] = 0.97
  limit["tiled product of matrices"] = 0.94
  limit["random_fill, real64"] = 0.9 # of cudaMemset
}
/^#/ { text = $0; sub(/^# /, "", text); split(text, part, " "); if (FNR == NR) plain_says[part[1]] = part[2]; else we_say[part[1]] = part[2]; next }
NF == 3 {
  if (FNR == NR) {
    if (!($1 in plain)) order[++rows] = $1
    if (!($1 in plain) || $2 + 0 < plain[$1]) plain[$1] = $2 + 0
    bytes[$1] = $3 + 0
  } else if (!($1 in ours) || $2 + 0 < ours[$1]) ours[$1] = $2 + 0
}
END {
  print "| what | plain CUDA | ours | ratio | limit | verdict |\n|---|---|---|---|---|---|"
  for (i = 1; i <= rows; i++) {
    name = order[i]
    if (!(name in ours) || ours[name] == 0) { print "| " name " | " time_of(plain[name]) " | - | - | | **missing** |"; continue }
    ratio = plain[name] / ours[name]
    rate = bytes[name] > 0 && name !~ /product/ ? sprintf(" (%.0f GB/s)", bytes[name] / ours[name] / 1e9) : bytes[name] > 0 ? sprintf(" (%.0f GFLOP/s)", bytes[name] / ours[name] / 1e9) : ""
    verdict = name in limit ? (ratio >= limit[name] * 0.995 ? "holds" : "**misses**") : ""
    printf "| %s | %s | %s%s | %.2fx | %s | %s |\n", name, time_of(plain[name]), time_of(ours[name]), rate, ratio, name in limit ? sprintf("%.2fx", limit[name]) : "-", verdict
  }
  print ""
  for (what in we_say) print "- " what ": plain " plain_says[what] ", ours " we_say[what]
}
