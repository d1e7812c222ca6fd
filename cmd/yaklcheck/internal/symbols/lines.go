package symbols

import (
	"cmp"
	"debug/dwarf"
	"errors"
	"io"
	"slices"
	"sort"
)

// This file reads the line table of a unit, once.

// row gives the line of the code from its address up to the next row.
type row struct {
	address            uint64
	file, line, column int32
}

// sequence is the rows of one range of code; the last one is its end.
type sequence struct{ rows []row }

func (s *sequence) low() uint64  { return s.rows[0].address }
func (s *sequence) high() uint64 { return s.rows[len(s.rows)-1].address }

// place is a line of a file.
type place struct {
	file         string
	line, column int
}

// readLines reads the table. A damaged table gives the rows before the damage.
func (u *unit) readLines() {
	if u.linesRead {
		return
	}
	u.linesRead = true
	r := u.readFiles()
	if r == nil {
		return
	}
	number := map[*dwarf.LineFile]int32{}
	var rows []row
	for {
		var e dwarf.LineEntry
		if err := r.Next(&e); err != nil {
			if !errors.Is(err, io.EOF) {
				rows = nil
			}
			break
		}
		n, ok := number[e.File]
		if !ok {
			n = int32(max(slices.Index(r.Files(), e.File), 0))
			number[e.File] = n
		}
		if k := len(rows); k > 0 && rows[k-1].address == e.Address && !e.EndSequence {
			rows = rows[:k-1] // the last row of an address counts
		}
		rows = append(rows, row{e.Address, n, int32(e.Line), int32(e.Column)})
		if e.EndSequence {
			if len(rows) > 1 && real([2]uint64{rows[0].address, e.Address}) {
				u.sequences = append(u.sequences, sequence{rows})
			}
			rows = nil
		}
	}
	u.take(r.Files()) // a table may name further ones
	slices.SortStableFunc(u.sequences, func(a, b sequence) int { return cmp.Compare(a.low(), b.low()) })
}

// readFiles opens the table and takes the names of its files; nil if there is no table.
func (u *unit) readFiles() *dwarf.LineReader {
	r, err := u.of.data.LineReader(u.entry)
	if err != nil || r == nil {
		return nil
	}
	u.take(r.Files())
	return r
}

func (u *unit) take(files []*dwarf.LineFile) {
	u.files = nil
	for _, f := range files {
		name := ""
		if f != nil {
			name = f.Name
		}
		u.files = append(u.files, name)
	}
}

// lineRanges is the code of the unit as its lines say it; some compilers say it nowhere else.
func (u *unit) lineRanges() (ranges [][2]uint64) {
	u.readLines()
	for i := range u.sequences {
		ranges = append(ranges, [2]uint64{u.sequences[i].low(), u.sequences[i].high()})
	}
	return ranges
}

// line finds the line of an address.
func (u *unit) line(at uint64) (place, bool) {
	u.readLines()
	i := sort.Search(len(u.sequences), func(i int) bool { return u.sequences[i].low() > at })
	if i == 0 || at >= u.sequences[i-1].high() {
		return place{}, false
	}
	rows := u.sequences[i-1].rows
	k := sort.Search(len(rows), func(k int) bool { return rows[k].address > at }) - 1
	// Line 0 means no line: the line before is more useful.
	for k > 0 && rows[k].line == 0 {
		k--
	}
	return place{u.file(int64(rows[k].file)), int(rows[k].line), int(rows[k].column)}, true
}

// file is the name of a file by its number in the unit.
func (u *unit) file(n int64) string {
	u.readLines()
	if n < 0 || n >= int64(len(u.files)) {
		return ""
	}
	return u.files[n]
}
