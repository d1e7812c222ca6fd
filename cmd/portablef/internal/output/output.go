// Package output writes files: whole or not at all. A file gets a new time only if its text or an
// included file changes, so build systems compile no file again without need. depfile.go writes
// lists of what was read.
//
// Threads: several goroutines may write different files.
package output

import (
	"bytes"
	"os"
	"path/filepath"
	"time"
)

// Write gives a file the text. It reports whether the file had another text, or did not exist. A reader sees the old
// text or the new one, never a part: the new text gets its name when it is complete.
func Write(path string, text []byte) (changed bool, err error) {
	mode := os.FileMode(0o666)
	if real, err := filepath.EvalSymlinks(path); err == nil { // the link stays a link
		path = real
		if info, err := os.Stat(path); err == nil {
			mode = info.Mode().Perm()
			if !info.Mode().IsRegular() { // /dev/stdout
				return true, os.WriteFile(path, text, mode)
			}
		}
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text) {
			return false, nil
		}
	}
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return false, err
	}
	file, err := os.CreateTemp(folder, "."+filepath.Base(path)+".*")
	if err != nil {
		return false, err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name())
		}
	}()
	_, err = file.Write(text)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chmod(file.Name(), allowed(mode))
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	return err == nil, err
}

// Touch gives a file the present time, and makes it where it does not exist.
func Touch(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, nil, 0o666)
}

// Refresh gives a file the present time if one of the inputs is newer. A compiler then reads those inputs again, also
// where the build system does not know of them: CMake with Ninja and flang does not see INCLUDE lines.
func Refresh(path string, inputs []string) error {
	made, err := os.Stat(path)
	if err != nil || !made.Mode().IsRegular() {
		return err
	}
	for _, name := range inputs {
		if input, err := os.Stat(name); err == nil && input.ModTime().After(made.ModTime()) {
			now := time.Now()
			return os.Chtimes(path, now, now)
		}
	}
	return nil
}
