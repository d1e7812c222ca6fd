package main

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// The files of pointers are written by hand. Their kinds and ranks are those of the generic interfaces.
func TestPointersHaveTheKindsAndRanksOfTheInterfaces(t *testing.T) {
	for name, last := range map[string]int{"array": maxRank, "record": commonRanks, "twin": commonRanks} {
		text := read(t, "fortran/arrays/portable_"+name+"_pointers.inc")
		var kinds []reduceKind
		for _, m := range regexp.MustCompile(`(?m)^#define KIND (\w+)\n#define DECL (.+)$`).FindAllStringSubmatch(text, -1) {
			kinds = append(kinds, reduceKind{Name: m[1], Decl: m[2]})
		}
		require.Len(t, kinds, len(reduceKinds), name)
		for i, k := range reduceKinds {
			require.Equal(t, k.Name+" "+k.Decl, kinds[i].Name+" "+kinds[i].Decl, name)
		}
		var ranks []string
		for _, m := range regexp.MustCompile(`(?m)^#define RANK (\d+)$`).FindAllStringSubmatch(text, -1) {
			ranks = append(ranks, m[1])
		}
		var want []string
		for _, r := range upto(last) {
			want = append(want, fmt.Sprint(r))
		}
		require.Equal(t, want, ranks, name)
		// CMake's scanner for Make takes every #if for true.
		require.NotRegexp(t, `(?m)^#(if|elif) `, text, name)
	}
	var codes []string
	for _, m := range regexp.MustCompile(`(?m)^#define CODE (\d+)$`).FindAllStringSubmatch(read(t, "fortran/arrays/portable_array_pointers.inc"), -1) {
		codes = append(codes, m[1])
	}
	require.Len(t, codes, len(reduceKinds))
	for i, k := range reduceKinds {
		require.Equal(t, fmt.Sprint(k.Code), codes[i])
	}
}
