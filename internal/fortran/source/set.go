package source

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync"
)

// Set is the files that are read together. Positions name files by their number in it.
type Set struct {
	open   func(name string) ([]byte, error)
	mu     sync.Mutex
	files  []*File
	byName map[string]*File
}

// NewSet makes an empty set. It reads included files by open; nil: from the disk.
func NewSet(open func(name string) ([]byte, error)) *Set {
	if open == nil {
		open = os.ReadFile
	}
	return &Set{open: open, byName: map[string]*File{}}
}

// Files are all files that were read up to now, included ones too, by their number.
func (s *Set) Files() []*File {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*File(nil), s.files...)
}

// File is the file with a number.
func (s *Set) File(index int32) *File {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files[index]
}

// maxFile is the most bytes of a file: positions have 32 bits.
const maxFile = math.MaxInt32 - 1

// add gives a text its number. A second text of the same name is a file of its own.
func (s *Set) add(name string, text []byte, fixed bool) *File {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addLocked(name, text, fixed)
}

func (s *Set) addLocked(name string, text []byte, fixed bool) *File {
	f := &File{Name: name, Text: text, Fixed: fixed, Index: int32(len(s.files))}
	s.files = append(s.files, f)
	return f
}

// load gives an included file, read once for each form. It returns nil if there is none of that name.
func (s *Set) load(name string, fixed bool) *File {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := fmt.Sprint(fixed, filepath.Clean(name))
	if f, ok := s.byName[key]; ok {
		return f
	}
	var f *File
	if text, err := s.open(name); err == nil && len(text) <= maxFile {
		f = s.addLocked(name, text, fixed)
	}
	s.byName[key] = f
	return f
}
