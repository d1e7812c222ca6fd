package options

import (
	"slices"
	"strings"
)

// features are those of AMD's architectures, by LLVM's "User Guide for AMDGPU Backend". Architectures that are not here, of gfx10 and newer, have none.
var features = map[string][]string{
	"gfx801": {"xnack"}, "gfx810": {"xnack"}, "gfx900": {"xnack"}, "gfx902": {"xnack"}, "gfx904": {"xnack"}, "gfx909": {"xnack"}, "gfx90c": {"xnack"},
	"gfx906": {"sramecc", "xnack"}, "gfx908": {"sramecc", "xnack"}, "gfx90a": {"sramecc", "xnack"},
	"gfx940": {"sramecc", "xnack"}, "gfx941": {"sramecc", "xnack"}, "gfx942": {"sramecc", "xnack"}, "gfx950": {"sramecc", "xnack"},
	"gfx1010": {"xnack"}, "gfx1011": {"xnack"}, "gfx1012": {"xnack"}, "gfx1013": {"xnack"}, "gfx9-generic": {"xnack"}, "gfx9-4-generic": {"sramecc", "xnack"},
	"gfx10-1-generic": {"xnack"},
}

// Feature returns the first invalid word behind the architecture's name; gfx90a:sramecc+:xnack- has two valid ones.
// hiprtc ends the process for such a word.
func Feature(architecture string) (word string, wrong bool) {
	words := strings.Split(architecture, ":")
	var before []string
	for _, word := range words[1:] {
		name := strings.TrimRight(word, "+-")
		if len(word) != len(name)+1 || !slices.Contains(features[words[0]], name) || slices.Contains(before, name) {
			return word, true
		}
		before = append(before, name)
	}
	return "", false
}
