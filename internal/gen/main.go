package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	to := flag.String("o", "", "the folder to write into (default build/gen in the repository)")
	flag.Parse()
	if err := run(*to); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// listName is the file that names all others, for scripts.
const listName = "files.txt"

// run writes all generated files into a folder. If one cannot be rendered, it writes none. A file that has its text already keeps its
// time, so that nothing is compiled again. A file that an older run wrote and this one does not is removed.
func run(to string) error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	if to == "" {
		to = filepath.Join(root, "build", "gen")
	}
	files, err := renderAll(root)
	if err != nil {
		return err
	}
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	files[listName] = []byte(strings.Join(names, "\n") + "\n")
	older, _ := os.ReadFile(filepath.Join(to, listName))
	// CMake's note of the inputs (cmake/run_generator.cmake) does not hold for what is written here: without it CMake writes again.
	if err := os.Remove(filepath.Join(to, "inputs.sha256")); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("gen: %w", err)
	}
	for _, name := range append(names, listName) { // the list comes last: it is there when all files are
		if err := write(filepath.Join(to, filepath.FromSlash(name)), files[name]); err != nil {
			return fmt.Errorf("gen: %w", err)
		}
	}
	for _, name := range strings.Fields(string(older)) {
		if !filepath.IsLocal(name) || files[name] != nil {
			continue
		}
		if err := os.Remove(filepath.Join(to, filepath.FromSlash(name))); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("gen: %w", err)
		}
	}
	return nil
}

// write makes a file and its folder.
func write(path string, text []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// moduleRoot is the nearest folder upwards that holds go.mod.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("gen: %w", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("gen: no go.mod here or above; run it inside the repository")
		}
		dir = parent
	}
}
