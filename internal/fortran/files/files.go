// Package files finds the Fortran sources that a command line names: files, and folders, which
// stand for all sources in them and below. It reads no file. Threads: any thread may call it.
package files

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// extensions are those of Fortran sources, in lower case.
var extensions = []string{".f90", ".f95", ".f03", ".f08", ".f18", ".f", ".for", ".ftn", ".f77", ".fpp"}

// IsSource reports whether the name is that of a Fortran source.
func IsSource(name string) bool {
	return slices.Contains(extensions, strings.ToLower(filepath.Ext(name)))
}

// Named returns the files that the paths stand for, in the order of the paths; files of a folder come in the order of
// their names. Take says which files of a folder count; nil: all with an extension of Fortran.
func Named(paths []string, take func(path string) bool) (names []string, err error) {
	if take == nil {
		take = IsSource
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			names = append(names, path)
			continue
		}
		before := len(names)
		err = filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && take(path) {
				names = append(names, path)
			}
			return err
		})
		if err == nil && len(names) == before {
			err = fmt.Errorf("%s: the folder has no Fortran source", path)
		}
		if err != nil {
			return nil, err
		}
	}
	return names, nil
}
