// In this file: what can be said of a program that has left no trace, by looking into its file.
package child

import (
	"bytes"
	"debug/elf"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"libportable/internal/outside"
)

// mark is a word that every library of ours which can check memory holds, in the program or in its shared library: the name of a
// setting that only it reads. Names of functions would be gone from a stripped program.
var mark = []byte("PORTABLE_MEMCHECK")

// oldMark is in libraries that are too old for that.
var oldMark = []byte("PORTABLE_NUM_THREADS")

// WhyNoTrace explains why the program at path, which has run, has left no trace, and what to do.
func WhyNoTrace(path string) string {
	name := filepath.Base(path)
	file, err := (*elf.File)(nil), outside.Regular(path)
	if err == nil {
		file, err = elf.Open(path)
	}
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
		return fmt.Sprintf("%s has left no trace, and its file can not be read: %v", name, err)
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

// contains looks for words in a file, without holding all of it.
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
