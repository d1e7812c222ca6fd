package codeobject

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
)

func text(s string) []byte {
	if len(s) < 32 {
		return append([]byte{0xa0 | byte(len(s))}, s...)
	}
	return append([]byte{0xd9, byte(len(s))}, s...)
}

func join(parts ...[]byte) (all []byte) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// argument has an offset of two bytes, as compilers write those above 255.
func argument(offset uint16, size byte, kind string) []byte {
	return join([]byte{0x83}, text(".offset"), []byte{0xcd}, binary.BigEndian.AppendUint16(nil, offset), text(".size"), []byte{size}, text(".value_kind"), text(kind))
}

func kernel(name string, arguments ...[]byte) []byte {
	return join([]byte{0x83}, text(".args"), []byte{0x90 | byte(len(arguments))}, join(arguments...), text(".name"), text(name), text(".uses_dynamic_stack"), []byte{0xc2})
}

func object(owner string, kind uint32, description []byte) []byte {
	image := make([]byte, headerBytes+segmentBytes)
	copy(image, "\x7fELF\x02")
	le := binary.LittleEndian
	le.PutUint16(image[18:], amdgpu)
	le.PutUint64(image[32:], headerBytes)
	le.PutUint16(image[54:], segmentBytes)
	le.PutUint16(image[56:], 1)
	other := append(le.AppendUint32(le.AppendUint32(le.AppendUint32(nil, 4), 3), 7), "GNU\x00abc\x00"...)
	own := append(le.AppendUint32(le.AppendUint32(le.AppendUint32(nil, uint32(len(owner))), uint32(len(description))), kind), owner...)
	for len(own)%4 != 0 {
		own = append(own, 0)
	}
	le.PutUint32(image[headerBytes:], note)
	le.PutUint64(image[headerBytes+8:], uint64(len(image)))
	le.PutUint64(image[headerBytes+32:], uint64(len(other)+len(own)+len(description)))
	return join(image, other, own, description)
}

func kernels(all ...[]byte) []byte {
	return join([]byte{0x82}, text("amdhsa.kernels"), []byte{0xdc, 0, byte(len(all))}, join(all...), text("amdhsa.target"), text("amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"))
}

func example() []byte {
	return object("AMDGPU\x00", metadata, kernels(kernel("axpy", argument(0, 100, "by_value"), argument(256, 8, "global_buffer"), argument(264, 4, "by_value"),
		argument(272, 8, "hidden_global_offset_x")), kernel("empty")))
}

func TestParameters(t *testing.T) {
	require.Equal(t, map[string]int{"axpy": 268, "empty": 0}, Parameters(example()))
	for name, image := range map[string][]byte{
		"nothing": nil, "text": []byte("//\n.version 7.0\n"), "a bundle": []byte("__CLANG_OFFLOAD_BUNDLE__" + string(make([]byte, 100))),
		"another owner": object("GNUGPU\x00", metadata, kernels()), "another note": object("AMDGPU\x00", 33, kernels()),
		"no table": object("AMDGPU\x00", metadata, []byte{0x93, 1, 2, 3}), "a kind that is not there": object("AMDGPU\x00", metadata, join([]byte{0x81}, text("amdhsa.kernels"), []byte{0xca, 0, 0, 0, 0})),
		"lists in lists": object("AMDGPU\x00", metadata, join(make([]byte, 0), []byte("\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x01"))),
	} {
		require.Nil(t, Parameters(image), name)
	}
	whole := example()
	for cut := range whole {
		require.Nil(t, Parameters(whole[:cut]), "cut at %d", cut)
	}
}

// Numbers, texts, lists and tables have several forms.
func TestForms(t *testing.T) {
	be := binary.BigEndian
	long := func(kind byte, count []byte, s string) []byte { return join([]byte{kind}, count, []byte(s)) }
	arguments := join([]byte{0xdd}, be.AppendUint32(nil, 3), // a list of 32 bits
		join([]byte{0xde, 0, 2}, text(".offset"), []byte{0xcc, 200}, text(".size"), join([]byte{0xce}, be.AppendUint32(nil, 70000))),
		join([]byte{0xdf, 0, 0, 0, 2}, text(".offset"), join([]byte{0xcf}, be.AppendUint64(nil, 70208)), text(".size"), []byte{4}),
		join([]byte{0x82}, text(".offset"), []byte{8}, text(".size"), join([]byte{0xcf}, be.AppendUint64(nil, 1<<64-4)))) // more than any kernel has
	one := join([]byte{0x83}, long(0xda, be.AppendUint16(nil, 5), ".args"), arguments, text(".name"), long(0xdb, be.AppendUint32(nil, 4), "axpy"), text(".flag"), []byte{0xc3})
	require.Equal(t, map[string]int{"axpy": 70212}, Parameters(object("AMDGPU\x00", metadata, kernels(one))))
}

// A damaged image gives some answer.
func FuzzParameters(f *testing.F) {
	f.Add(example())
	f.Fuzz(func(t *testing.T, image []byte) {
		for name, bytes := range Parameters(image) {
			require.True(t, bytes >= 0, name)
		}
	})
}
