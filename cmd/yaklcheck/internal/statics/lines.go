package statics

import (
	"debug/dwarf"
	"io"
	"sort"
)

// The line of an instruction. Tables are read for the units that are asked about, once each.

type lineRow struct {
	address uint64
	file    string
	line    int
	end     bool
}

func (b *executable) lineAt(address uint64) (string, int) {
	if address == 0 {
		return "", 0
	}
	unit, err := b.data.Reader().SeekPC(address)
	if err != nil || unit == nil {
		return "", 0
	}
	rows, known := b.lines[unit.Offset]
	if !known {
		rows = rowsOf(b.data, unit)
		b.lines[unit.Offset] = rows
	}
	i := sort.Search(len(rows), func(i int) bool { return rows[i].address > address }) - 1
	if i < 0 || rows[i].end {
		return "", 0
	}
	return rows[i].file, rows[i].line
}

func rowsOf(data *dwarf.Data, unit *dwarf.Entry) (rows []lineRow) {
	r, err := data.LineReader(unit)
	if err != nil || r == nil {
		return nil
	}
	var e dwarf.LineEntry
	for {
		if err := r.Next(&e); err == io.EOF {
			break
		} else if err != nil {
			return nil
		}
		name := ""
		if e.File != nil {
			name = e.File.Name
		}
		rows = append(rows, lineRow{e.Address, name, e.Line, e.EndSequence})
	}
	sort.SliceStable(rows, func(i, j int) bool { return rows[i].address < rows[j].address })
	return rows
}
