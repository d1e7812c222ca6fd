package output

import (
	"path/filepath"
	"slices"
	"strings"
)

var escaped = strings.NewReplacer(" ", `\ `, "#", `\#`, "$", "$$")

// Depfile is the text of a list of dependencies, as make and Ninja read it: the outputs depend on all inputs.
func Depfile(outputs, inputs []string) []byte {
	var b strings.Builder
	for i, name := range outputs {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(escaped.Replace(name))
	}
	b.WriteByte(':')
	inputs = slices.Clone(inputs)
	for i := range inputs {
		inputs[i] = filepath.Clean(inputs[i])
	}
	slices.Sort(inputs)
	for _, name := range slices.Compact(inputs) {
		b.WriteString(" \\\n  " + escaped.Replace(name))
	}
	b.WriteByte('\n')
	return []byte(b.String())
}
