package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

var errFormat = errors.New("not a field file of the shallow-water example")

// maxCells bounds what a damaged header can make the reader ask for.
const maxCells = 1 << 26

// field is the content of a field file; src/swe_output_mod.f90 describes the format.
type field struct {
	title    string
	nx, ny   int                  // cells
	lx, ly   float64              // domain [m]
	time     float64              // [s]
	values   map[string][]float64 // nx*ny each, x fastest
	ordering binary.ByteOrder
}

// at is the value of a field in cell (i,j), counted from 0.
func (f *field) at(name string, i, j int) float64 { return f.values[name][j*f.nx+i] }

func readField(source io.Reader) (*field, error) {
	in := bufio.NewReader(source)
	f := &field{values: map[string][]float64{}}
	names, err := f.readHeader(in)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		values := make([]float64, f.nx*f.ny)
		if err := binary.Read(in, f.ordering, values); err != nil {
			return nil, fmt.Errorf("field %q is cut short: %w", name, err)
		}
		for _, v := range values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("field %q holds a value that is not finite", name)
			}
		}
		f.values[name] = values
	}
	for _, name := range []string{"h", "hu", "hv", "b"} {
		if f.values[name] == nil {
			return nil, fmt.Errorf("field %q is missing", name)
		}
	}
	return f, nil
}

// readHeader reads the lines up to "end" and returns the names of the fields in their order.
func (f *field) readHeader(in *bufio.Reader) (names []string, err error) {
	for first := true; ; first = false {
		line, err := in.ReadString('\n')
		if err != nil || len(line) > 1000 {
			return nil, errFormat
		}
		key, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		words := strings.Fields(rest)
		switch {
		case first:
			if key != "swefield" || rest != "1" {
				return nil, errFormat
			}
		case key == "title":
			f.title = rest
		case key == "size":
			f.nx, f.ny, err = pair(words, strconv.Atoi)
		case key == "length":
			f.lx, f.ly, err = pair(words, parseReal)
		case key == "time":
			f.time, err = parseReal(rest)
		case key == "order" && rest == "little":
			f.ordering = binary.LittleEndian
		case key == "order" && rest == "big":
			f.ordering = binary.BigEndian
		case key == "fields":
			names = words
		case key == "end":
			if f.nx < 2 || f.ny < 2 || f.nx > maxCells/f.ny || !(f.lx > 0) || !(f.ly > 0) || f.ordering == nil {
				return nil, fmt.Errorf("%w: size, length or order is missing or invalid", errFormat)
			}
			return names, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%w: line %q: %v", errFormat, line, err)
		}
	}
}

func parseReal(s string) (float64, error) { return strconv.ParseFloat(strings.TrimSpace(s), 64) }

func pair[T any](words []string, parse func(string) (T, error)) (a, b T, err error) {
	if len(words) != 2 {
		return a, b, errors.New("two numbers are wanted")
	}
	if a, err = parse(words[0]); err == nil {
		b, err = parse(words[1])
	}
	return a, b, err
}
