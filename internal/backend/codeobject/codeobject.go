// Package codeobject reads from a code object of AMD how many bytes the parameters of each
// kernel take: HIP of ROCm 5 has no call for it, and a driver reads the bytes behind a buffer
// that is too short. In this package: the note of such a file, and so much of msgpack as it
// needs. Not in it: bundles of several code objects, of which nothing is known then. Source:
// "User Guide for AMDGPU Backend" of LLVM, code object V3 to V5. Invariant: no input makes it
// fail or read outside of the image. Threads: safe.
package codeobject

import (
	"encoding/binary"
	"strings"
)

const (
	amdgpu       = 224 // EM_AMDGPU
	note         = 4   // PT_NOTE
	metadata     = 32  // NT_AMDGPU_METADATA
	mostNested   = 16
	headerBytes  = 64 // of ELF64
	segmentBytes = 56
)

// Parameters returns the end of the last parameter, by the names of the entries; those that the compiler adds are not counted. nil: the image does not say it.
func Parameters(image []byte) map[string]int {
	order := binary.LittleEndian
	if len(image) < headerBytes || string(image[:5]) != "\x7fELF\x02" || order.Uint16(image[18:]) != amdgpu {
		return nil
	}
	at, size, count := order.Uint64(image[32:]), uint64(order.Uint16(image[54:])), int(order.Uint16(image[56:]))
	for i := 0; i < count && size >= segmentBytes; i++ {
		segment := part(image, at+uint64(i)*size, segmentBytes)
		if segment == nil || order.Uint32(segment) != note {
			continue
		}
		notes := part(image, order.Uint64(segment[8:]), order.Uint64(segment[32:]))
		for len(notes) >= 12 {
			name, text, kind := uint64(order.Uint32(notes)), uint64(order.Uint32(notes[4:])), order.Uint32(notes[8:])
			begin := 12 + (name+3)&^3
			if owner := part(notes, 12, name); kind == metadata && string(owner) == "AMDGPU\x00" {
				return sizes(part(notes, begin, text))
			}
			end := begin + (text+3)&^3
			if end > uint64(len(notes)) {
				break
			}
			notes = notes[end:]
		}
	}
	return nil
}

// part is nil if it is not within the bytes.
func part(bytes []byte, at, count uint64) []byte {
	if at > uint64(len(bytes)) || count > uint64(len(bytes))-at {
		return nil
	}
	return bytes[at : at+count]
}

func sizes(text []byte) map[string]int {
	r := reader{rest: text}
	whole, _ := r.value(0).(map[string]any)
	kernels, _ := whole["amdhsa.kernels"].([]any)
	if r.wrong || kernels == nil {
		return nil
	}
	all := map[string]int{}
	for _, one := range kernels {
		kernel, _ := one.(map[string]any)
		name, _ := kernel[".name"].(string)
		arguments, _ := kernel[".args"].([]any)
		end := uint64(0)
		for _, a := range arguments {
			argument, _ := a.(map[string]any)
			kind, _ := argument[".value_kind"].(string)
			offset, _ := argument[".offset"].(uint64)
			bytes, _ := argument[".size"].(uint64)
			if !strings.HasPrefix(kind, "hidden_") && offset < 1<<30 && bytes < 1<<30 {
				end = max(end, offset+bytes)
			}
		}
		all[name] = int(end)
	}
	return all
}

// reader takes values of msgpack from a text. Numbers are uint64, and so are logical values; texts are string.
type reader struct {
	rest  []byte
	wrong bool
}

// take returns so many bytes, zeros if they are not there.
func (r *reader) take(count uint64) []byte {
	bytes := part(r.rest, 0, count)
	if bytes == nil {
		r.wrong = true
		return make([]byte, min(count, 8))
	}
	r.rest = r.rest[count:]
	return bytes
}

func (r *reader) number(bytes uint64) (n uint64) {
	for _, b := range r.take(bytes) {
		n = n<<8 | uint64(b)
	}
	return n
}

// value returns nil for kinds that such notes do not have: then the text is wrong.
func (r *reader) value(depth int) any {
	if r.wrong || depth > mostNested {
		r.wrong = true
		return nil
	}
	switch kind := r.number(1); {
	case kind <= 0x7f:
		return kind
	case kind <= 0x8f:
		return r.table(kind&15, depth)
	case kind <= 0x9f:
		return r.list(kind&15, depth)
	case kind <= 0xbf:
		return string(r.take(kind & 31))
	case kind == 0xc2 || kind == 0xc3:
		return kind & 1
	case kind >= 0xcc && kind <= 0xcf:
		return r.number(1 << (kind - 0xcc))
	case kind >= 0xd9 && kind <= 0xdb:
		return string(r.take(r.number(1 << (kind - 0xd9))))
	case kind == 0xdc || kind == 0xdd:
		return r.list(r.number(2<<(kind-0xdc)), depth)
	case kind == 0xde || kind == 0xdf:
		return r.table(r.number(2<<(kind-0xde)), depth)
	}
	r.wrong = true
	return nil
}

func (r *reader) list(count uint64, depth int) (list []any) {
	for ; count > 0 && !r.wrong; count-- {
		list = append(list, r.value(depth+1))
	}
	return list
}

func (r *reader) table(count uint64, depth int) map[string]any {
	table := map[string]any{}
	for ; count > 0 && !r.wrong; count-- {
		key, is := r.value(depth + 1).(string)
		r.wrong = r.wrong || !is
		table[key] = r.value(depth + 1)
	}
	return table
}
