package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run writes all generated files below the module's root, or none when one can not be rendered.
func run() error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	files, err := renderAll(root)
	if err != nil {
		return err
	}
	for path, text := range files {
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(path)), text, 0o644); err != nil {
			return fmt.Errorf("gen: %w", err)
		}
	}
	return nil
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
