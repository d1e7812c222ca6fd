package instance

import (
	"fmt"
	"path/filepath"
	"strings"

	"libportable/exec"
	"libportable/internal/outside"
)

// Timers of several processes, which the program has sent to one of them. In this file: what is asked of it. Not in this file: reports
// of one process (profile.go).

// PackTimers gives the timers of this process as bytes.
func (in *Instance) PackTimers() []byte {
	timers, _ := in.fronts.Timers()
	return exec.PackTimers(exec.Packed{Rank: in.Rank().World, Timers: timers})
}

// MergeTimers is the report of what several processes have packed, or the same as JSON.
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

// PrintMerged writes the report into a file, as JSON where its name ends so, or to standard error where path is "".
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
		return fmt.Errorf("%w: the timers can not be written into '%s': %w", ErrArgument, outside.Value(path), err)
	}
	return nil
}
