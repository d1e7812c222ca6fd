package trace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"libportable/internal/outside"
)

// File is a whole trace in memory.
type File struct {
	Path    string // as it was named; "" if a Reader read it
	Meta    *Meta  // never nil; empty if the file has none
	Modules []*Module
	Stacks  map[uint32]*Stack
	Records []Record // all other records, in the order of the file
	Finish  *Finish  // nil: the process was killed before it wrote one
	Skipped int64    // bytes that belong to no record
	Starts  int      // number of runs that wrote into the file
}

// Read reads a whole trace and skips damaged bytes, see Skipped. An error means that the bytes are no trace, or that
// reading failed.
func Read(from io.Reader) (*File, error) {
	r, err := NewReader(from)
	if err != nil {
		return nil, err
	}
	f := &File{Meta: new(Meta), Stacks: map[uint32]*Stack{}}
	if err := r.each(f.add); err != nil {
		return nil, err
	}
	f.Skipped, f.Starts = r.Skipped(), r.Starts()
	return f, nil
}

func (f *File) add(record Record) {
	switch record := record.(type) {
	case *Meta:
		f.Meta = record
	case *Module:
		f.Modules = append(f.Modules, record)
	case *Stack:
		f.Stacks[record.ID] = record
	case *Finish:
		f.Finish = record
		f.Records = append(f.Records, record)
	default:
		f.Records = append(f.Records, record)
	}
}

// Open opens a trace for reading record by record. The caller closes the file.
func Open(path string) (*Reader, io.Closer, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, nil, fmt.Errorf("%s is a folder: name the trace in it", path)
	}
	file, err := outside.OpenArgument(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("%s is not there: %s", path, howToMake)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the trace cannot be read: %w", err)
	}
	r, err := NewReader(file)
	if err != nil {
		file.Close()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, file, nil
}

// Each hands each record of the trace of that name to take. The Reader tells what was skipped.
func Each(path string, take func(Record)) (*Reader, error) {
	r, file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := r.each(take); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// ReadFile reads the whole trace of that name; see Read.
func ReadFile(path string) (*File, error) {
	f := &File{Path: path, Meta: new(Meta), Stacks: map[uint32]*Stack{}}
	r, err := Each(path, f.add)
	if err != nil {
		return nil, err
	}
	f.Skipped, f.Starts = r.Skipped(), r.Starts()
	return f, nil
}
