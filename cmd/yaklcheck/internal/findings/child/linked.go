// This file explains why a program has left no trace, by looking into its file.
package child

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"libportable/cmd/yaklcheck/internal/symbols"
	"libportable/internal/outside"
	"libportable/internal/settings"
)

// mark is a word in every library that can check memory, in the program or in its shared library: the name of a setting
// that only the library reads. Names of functions disappear when a program is stripped.
var mark = []byte(settings.Memcheck)

// oldMark is a word in libraries that are too old for that.
var oldMark = []byte(settings.Threads)

// WhyNoTrace explains why the program at path has run and left no trace, and the remedy.
func WhyNoTrace(path string) string {
	name := filepath.Base(path)
	file, err := symbols.Open(path)
	if err != nil {
		return fmt.Sprintf("no program that %s has started links libportable and started it (portable_init, gator_init); "+
			"`yaklcheck` checks memory of that library alone", name)
	}
	defer file.Close()
	needed, _ := file.ImportedLibraries()
	for _, library := range needed {
		if strings.HasPrefix(library, "libportable.so") {
			return started(name, "it needs "+library)
		}
	}
	found, err := contains(path, mark, oldMark)
	switch {
	case err != nil:
		return fmt.Sprintf("%s has left no trace, and its file cannot be read: %v", name, err)
	case found[0]:
		return started(name, "libportable is in it")
	case found[1]:
		return fmt.Sprintf("the libportable in %s is too old to check memory; link the one that this yaklcheck came with", name)
	}
	return fmt.Sprintf("%s does not link libportable: none of the library's words is in its file, and it has left no trace. "+
		"Link portable::fortran, portable::cxx or portable::portable (docs/start/ten-minutes.md); "+
		"a program that starts others, as mpirun does, must start one that does", name)
}

func started(name, seen string) string {
	return fmt.Sprintf("%s has left no trace, although %s: it ended before portable_init or gator_init, never called one of them, "+
		"or could not write into the folder for traces", name, seen)
}

// contains looks for words in a file piece by piece.
func contains(path string, words ...[]byte) ([]bool, error) {
	file, err := outside.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	found := make([]bool, len(words))
	const piece, overlap = 1 << 20, 64
	buffer := make([]byte, 0, piece+overlap)
	for {
		kept := copy(buffer[:overlap], buffer[max(0, len(buffer)-overlap):])
		n, err := io.ReadFull(file, buffer[kept:kept+piece])
		buffer = buffer[:kept+n]
		for i, word := range words {
			found[i] = found[i] || bytes.Contains(buffer, word)
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return found, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
