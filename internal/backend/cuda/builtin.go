package cuda

import (
	"embed"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// builtins is the library's own device code.
//
//go:embed kernels/*.cu kernels/*.h
var builtins embed.FS

// kinds of elements in the order of PORTABLE_KIND_..., from 1 on, for sources that are compiled for one kind.
var kinds = []string{"int8", "int16", "int32", "int64", "real32", "real64", "complex32", "complex64", "logical8", "logical16", "logical32", "logical64"}

// entryOption in a source says that a module has one entry, whose name the option gives.
const entryOption = "PORTABLE__ENTRY"

// Builtin returns the source kernels/NAME.cu with that entry; NAME_KIND is the same for elements of one kind.
func Builtin(name, entry string) (c Code, err error) {
	source := name
	if base, kind, ok := cutLast(name, "_"); ok && slices.Contains(kinds, kind) {
		source = base
		c.Options = fmt.Sprintf("-DPORTABLE__KIND=%d", 1+slices.Index(kinds, kind))
	}
	if c.Text, err = builtins.ReadFile("kernels/" + source + ".cu"); err != nil {
		return c, fmt.Errorf("cuda: there is no source %q in the archive", name)
	}
	if entry != "" && strings.Contains(string(c.Text), entryOption) {
		c.Options = strings.TrimSpace(c.Options + " -D" + entryOption + "=" + entry)
	}
	c.Form, c.Label, c.File, c.Entry = Source, name, source+".cu", entry
	return c, nil
}

func cutLast(text, at string) (before, after string, found bool) {
	if i := strings.LastIndex(text, at); i >= 0 {
		return text[:i], text[i+len(at):], true
	}
	return text, "", false
}

// Builtins lists all sources in the archive.
func Builtins() (names []string) {
	files, _ := builtins.ReadDir("kernels")
	for _, f := range files {
		if filepath.Ext(f.Name()) == ".h" {
			continue
		}
		names = append(names, f.Name())
	}
	return names
}
