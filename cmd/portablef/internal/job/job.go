// Package job reads the files by which build systems ask for conversions: many sources in one run,
// each with its own flags. portable_fortran_loops of CMake writes them.
//
// A job is lines KEY VALUE; the value is the rest of the line. A line without a value is passed
// over, as lists of a build system are often empty. Threads: any.
package job

import (
	"fmt"
	"path/filepath"
	"strings"

	"libportable/internal/fortran/flags"
	"libportable/internal/outside"
)

// Source is a source to convert.
type Source struct {
	Name, Output string
	Flags        []string // of this source, behind those of the job
}

// Job is one run.
type Job struct {
	Sources  []Source
	Flags    []string // compiler flags of all sources, word by word
	Compiler string   // its program or CMake's name for it; "": not known
	With     []string // sources that are read for their modules
	Depfile  string
	Stamp    string // a file that is touched at the end
}

// Read reads a job. Relative names are relative to the last line `base`, or to the working folder.
func Read(path string) (*Job, error) {
	text, err := outside.ReadArgument(path, outside.TextMost)
	if err != nil {
		return nil, err
	}
	return parse(path, string(text))
}

func parse(path, text string) (*Job, error) {
	j := &Job{}
	base := ""
	now := &j.Flags // of the job, then of the last source
	number := 0
	for line := range strings.Lines(text) {
		number++
		key, value, _ := strings.Cut(strings.Trim(line, " \t\r\n"), " ")
		value = strings.TrimSpace(value)
		if key == "" || key[0] == '#' || value == "" {
			continue
		}
		absolute := value
		if !filepath.IsAbs(value) {
			absolute = filepath.Join(base, value)
		}
		switch key {
		case "base":
			base = value
		case "source":
			j.Sources = append(j.Sources, Source{Name: absolute})
			now = &j.Sources[len(j.Sources)-1].Flags
		case "output":
			if len(j.Sources) == 0 {
				return nil, fmt.Errorf("%s:%d: output stands before the first source", path, number)
			}
			j.Sources[len(j.Sources)-1].Output = absolute
		case "include":
			*now = append(*now, "-I"+absolute)
		case "define":
			*now = append(*now, "-D"+strings.TrimPrefix(value, "-D"))
		case "flag": // SHELL: is CMake's mark of a text with several
			if shell, ok := strings.CutPrefix(value, "SHELL:"); ok {
				words, err := flags.Split(shell)
				if err != nil {
					return nil, fmt.Errorf("%s:%d: %w", path, number, err)
				}
				*now = append(*now, words...)
				continue
			}
			*now = append(*now, value)
		case "flags": // a text of several
			words, err := flags.Split(value)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", path, number, err)
			}
			*now = append(*now, words...)
		case "compiler":
			j.Compiler = strings.ToLower(value)
		case "with":
			j.With = append(j.With, absolute)
		case "depfile":
			j.Depfile = absolute
		case "stamp":
			j.Stamp = absolute
		default:
			return nil, fmt.Errorf("%s:%d: the key %q is not known; this portablef is older than what wrote the job", path, number, key)
		}
	}
	for _, s := range j.Sources {
		if s.Output == "" {
			return nil, fmt.Errorf("%s: the source %s has no output", path, s.Name)
		}
	}
	return j, nil
}
