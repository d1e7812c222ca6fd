package instance

import (
	"fmt"
	"path/filepath"
	"strings"

	"libportable/exec"
	"libportable/internal/outside"
)

// This file handles timers of several processes, which the program has sent to one of them. Not in this file: reports
// of one process (profile.go).

// PackTimers encodes the timers of this process.
func (in *Instance) PackTimers() []byte {
	timers, _ := in.fronts.Timers()
	return exec.PackTimers(exec.Packed{Rank: in.Rank().World, Timers: timers})
}

// MergeTimers returns one report of several encoded processes, or the same as JSON.
func (in *Instance) MergeTimers(packs []byte, json bool) (string, error) {
	list, err := exec.UnpackTimers(packs)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrArgument, err)
	}
	if json {
		return exec.MergedJSON(list), nil
	}
	return exec.MergedReport(list), nil
}

// PrintMerged writes the report to a file, as JSON if its name ends in .json, or to standard error if path is "".
func (in *Instance) PrintMerged(packs []byte, path string) error {
	text, err := in.MergeTimers(packs, strings.EqualFold(filepath.Ext(path), ".json"))
	switch {
	case err != nil:
		return err
	case path == "":
		in.write(strings.TrimSuffix(text, "\n"))
		return nil
	}
	if err := in.fronts.WriteFile(path, text); err != nil {
		return fmt.Errorf("%w: the timers cannot be written into '%s': %w", ErrArgument, outside.Value(path), err)
	}
	return nil
}
