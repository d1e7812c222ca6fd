package arrays

// This file has kinds of elements with their bytes, and Record: the fields of a structure as C
// places them. Main function: Record.Add.

import "math"

// Bytes is the kind of elements with a size only; the numbers of kinds are those of portable_reduce.h.
const Bytes = 0

// kinds has the name of each kind, and bytes and alignment of an element, as in compilers.
var kinds = [...]struct {
	name         string
	bytes, align uint64
}{
	{"bytes", 0, 0},
	{"int8", 1, 1}, {"int16", 2, 2}, {"int32", 4, 4}, {"int64", 8, 8},
	{"real32", 4, 4}, {"real64", 8, 8}, {"complex32", 8, 4}, {"complex64", 16, 8},
	{"logical8", 1, 1}, {"logical16", 2, 2}, {"logical32", 4, 4}, {"logical64", 8, 8},
	{"exact", 576, 8},
}

// KindName is the name of a kind in texts.
func KindName(kind int32) string {
	if kind < 0 || int(kind) >= len(kinds) {
		return "no kind"
	}
	return kinds[kind].name
}

// ElementBytes gives the bytes of an element; asked is the argument of the call, 0 if the kind decides.
func ElementBytes(kind int32, asked uint64) (uint64, error) {
	switch {
	case kind < 0 || int(kind) >= len(kinds):
		return 0, wrong("there is no kind %d; they are PORTABLE_KIND_BYTES to _EXACT", kind)
	case kind == Bytes && asked == 0:
		return 0, wrong("element_bytes is 0; elements of the kind bytes have 1 or more")
	case kind == Bytes:
		return asked, nil
	case asked != 0 && asked != kinds[kind].bytes:
		return 0, wrong("element_bytes is %d; elements of the kind %s have other sizes; give 0", asked, kinds[kind].name)
	}
	return kinds[kind].bytes, nil
}

// alignment is the alignment of a field in a structure of C: of the kind, or the largest power of two that divides its bytes, up to 16.
func alignment(kind int32, bytes uint64) uint64 {
	if kind != Bytes {
		return kinds[kind].align
	}
	return min(bytes&-bytes, 16)
}

// MaxName is the most bytes of a field's name; a longer one is cut.
const MaxName = 31

// Next stands for the offset that C gives a field after the last one.
const Next = -1

// Record describes a structure of C with named fields. Fixed: Bytes is given, else the fields decide.
type Record struct {
	Fields []Field
	Names  []string
	Bytes  uint64
	Fixed  bool
}

// Find gives the number of a field, or -1.
func (r *Record) Find(name string) int {
	name = name[:min(len(name), MaxName)]
	for k, n := range r.Names {
		if n == name {
			return k
		}
	}
	return -1
}

// Add adds a field with count values of a kind, at an offset or Next. An error leaves the record unchanged.
func (r *Record) Add(name string, kind int32, valueBytes uint64, count int32, offset int64) error {
	switch {
	case name == "":
		return wrong("the field has no name")
	case len(r.Fields) == MaxFields:
		return wrong("a record has at most %d fields", MaxFields)
	case r.Find(name) >= 0:
		return wrong("there is a field of this name already")
	}
	bytes, err := ElementBytes(kind, valueBytes)
	if err != nil {
		return err
	}
	if count < 1 || bytes > math.MaxInt32 || uint64(count) > math.MaxInt32/bytes {
		return wrong("it has %d values of %d bytes; there are 1 or more, and not more than %d bytes", count, bytes, math.MaxInt32)
	}
	if offset < Next {
		return wrong("its offset is %d", offset)
	}
	end, align := uint64(0), alignment(kind, bytes)
	at := uint64(offset)
	for _, f := range r.Fields {
		end, align = max(end, f.end()), max(align, alignment(f.Kind, f.Bytes))
	}
	if offset == Next {
		at = up(end, alignment(kind, bytes))
	}
	f := Field{Kind: kind, Bytes: bytes, Count: count, Offset: at}
	for k, other := range r.Fields {
		if at < other.end() && other.Offset < f.end() {
			return wrong("it lies over the field '%s'", r.Names[k])
		}
	}
	most := uint64(math.MaxInt32)
	if r.Fixed {
		most = min(most, r.Bytes)
	}
	if f.end() > most {
		return wrong("it ends at byte %d, behind the record, which has %d bytes", f.end(), most)
	}
	r.Fields, r.Names = append(r.Fields, f), append(r.Names, name[:min(len(name), MaxName)])
	if !r.Fixed {
		r.Bytes = up(max(end, f.end()), align)
	}
	return nil
}

func (f *Field) end() uint64 { return f.Offset + f.Bytes*uint64(f.Count) }

func up(n, align uint64) uint64 { return (n + align - 1) / align * align }

// Sound checks a record that the program passed: its fields have kinds, counts and bytes that Add accepts.
func (r *Record) Sound() error {
	for k, f := range r.Fields {
		if bytes, err := ElementBytes(f.Kind, f.Bytes); err != nil || bytes != f.Bytes || f.Count < 1 || f.Bytes > math.MaxInt32 ||
			uint64(f.Count) > math.MaxInt32/f.Bytes || f.end() > math.MaxInt32 {
			return wrong("the record is damaged: field %d has %d values of %d bytes of the kind %s at byte %d; only portable_record_add adds fields",
				k, f.Count, f.Bytes, KindName(f.Kind), f.Offset)
		}
	}
	return nil
}

// Alike refuses a copy between records with different fields, or in another order.
func Alike(a, b *Record) error {
	for k := range max(len(a.Fields), len(b.Fields)) {
		var f, g Field
		var names [2]string
		if k < len(a.Fields) {
			f, names[0] = a.Fields[k], a.Names[k]
		}
		if k < len(b.Fields) {
			g, names[1] = b.Fields[k], b.Names[k]
		}
		if names[0] != names[1] || f.Kind != g.Kind || f.Bytes != g.Bytes || f.Count != g.Count {
			return wrong("field %d is '%s' of %d %s here and '%s' of %d %s there; both have the same fields in the same order", k+1,
				names[0], f.Count, KindName(f.Kind), names[1], g.Count, KindName(g.Kind))
		}
	}
	return nil
}
