package trace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// one is a record of each kind with something in each field.
func one() []Record {
	h := Head{Thread: 7, Time: 123456789}
	return []Record{
		&Meta{h, []Pair{{"exe", "/home/x/model"}, {"argv", "model\x00input.nml"}, {"rank", ""}}},
		&Module{h, 0x1000, 0x2000, 0x800, "/lib/libm.so.6", "00ff12"},
		&Stack{h, 1, []uint64{0x1004, 0x1010, 0xffffffffffffffff}, 1, "heat"},
		&Stack{h, 2, nil, 0, ""},
		&Finding{h, OutOfBounds, FlagWrite, 0x5000, 8, -16, 0x5010, 80000, 1, 2, 0, 0, 3, "dt2d", "über", "ö"},
		&Alloc{h, 0x5000, 1 << 40, 1, 2, "h"},
		&Free{h, 0x5000, 1 << 40, 0, 2, "h"},
		&Begin{h, 9, 1, -1, 1 << 33, 1, "update"},
		&End{h, 9, 1, -3, "update"},
		&Checkpoint{h, 100, 2, 1, "step 1", []Group{{1, 60, 1, "h"}, {2, 40, 1, ""}}},
		&Slab{h, SlabReserved, 0x10000, 64 << 20, "default"},
		&Hash{h, 9, 0x5000, 80, 0xabcdef, 1, 4, "h", "update", 40, []uint64{5, 6}},
		&Finish{h, 1, 2, 3, 4, 5, 2, 11},
		&Note{h, "the budget is used up"},
		&Unknown{h, 77, []byte{1, 2, 3, 4, 5, 6, 7, 8}},
	}
}

func written(t testing.TB, records ...Record) []byte {
	var file bytes.Buffer
	w, err := NewWriter(&file)
	require.NoError(t, err)
	for _, r := range records {
		require.NoError(t, w.Write(r))
	}
	return file.Bytes()
}

// all reads to the end.
func all(t testing.TB, file []byte) (records []Record, skipped int64) {
	r, err := NewReader(bytes.NewReader(file))
	require.NoError(t, err)
	for {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			return records, r.Skipped()
		}
		require.NoError(t, err)
		records = append(records, record)
	}
}

func TestWriteRead(t *testing.T) {
	file := written(t, one()...)
	records, skipped := all(t, file)
	require.Equal(t, one(), records)
	require.Zero(t, skipped)
}

// TestBytes holds one record to the contract, byte by byte: internal/tracing/trace.c writes the same.
func TestBytes(t *testing.T) {
	file := written(t, &Free{Head{0x11, 0x22}, 0x33, 0x44, 0x55, 0x66, "abcde"})
	want := []byte("PORTTRC1" + "\x01\x00\x00\x00" + "\x00\x00\x00\x00" +
		"PTRC" + "\x06\x00" + "\x00\x00" + "\x48\x00\x00\x00" + "\x11\x00\x00\x00" + "\x22\x00\x00\x00\x00\x00\x00\x00" +
		"\x33\x00\x00\x00\x00\x00\x00\x00" + "\x44\x00\x00\x00\x00\x00\x00\x00" + "\x55\x00\x00\x00" +
		"\x66\x00\x00\x00\x00\x00\x00\x00" + "\x05\x00\x00\x00" + "abcde\x00\x00\x00" + "\x00\x00\x00\x00" + "\x00\x00\x00\x00")
	binary.LittleEndian.PutUint32(want[24:], uint32(len(file)-fileHead))
	require.Equal(t, want[:len(file)], file)
	require.Zero(t, len(file)%8)
}

// TestCut cuts a file at every byte: what is whole is read, and what is not is counted.
func TestCut(t *testing.T) {
	file := written(t, one()...)
	want := one()
	var ends []int
	for n := range want {
		ends = append(ends, len(written(t, want[:n+1]...)))
	}
	for cut := fileHead; cut <= len(file); cut++ {
		records, skipped := all(t, file[:cut])
		whole, upTo := 0, fileHead
		for whole < len(ends) && ends[whole] <= cut {
			upTo = ends[whole]
			whole++
		}
		require.Len(t, records, whole, "cut at %d", cut)
		require.EqualValues(t, cut-upTo, skipped, "cut at %d", cut)
	}
}

func TestDamage(t *testing.T) {
	first, second := written(t, &Note{Text: "first"}), written(t, &Note{Text: "second"})[fileHead:]
	join := func(parts ...string) []byte { return []byte(string(first) + strings.Join(parts, "")) }
	broken := bytes.Clone(second)
	binary.LittleEndian.PutUint32(broken[8:], 13)
	long := bytes.Clone(second)
	binary.LittleEndian.PutUint32(long[8:], 1<<20)
	text := bytes.Clone(second)
	binary.LittleEndian.PutUint32(text[headBytes:], 1<<31)
	cases := []struct {
		name    string
		file    []byte
		skipped int
	}{
		{"garbage of 8", join("12345678", string(second)), 8},
		{"garbage of odd length", join("123456789012345678901", string(second)), 21},
		{"a word that begins like a record", join("PTRCPTRCPPPPPTRC", string(second)), 16},
		{"cut off within a record", join(string(second[:30]), string(second)), 30},
		{"cut off within the head", join(string(second[:10]), string(second)), 10},
		{"bad length", join(string(broken), string(second)), len(broken)},
		{"length beyond the file", join(string(long), string(second)), len(long)},
		{"string beyond the record", join(string(text), string(second)), len(text)},
		{"a second run", join(string(first[:fileHead]), string(second)), 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			records, skipped := all(t, c.file)
			require.Equal(t, []Record{&Note{Text: "first"}, &Note{Text: "second"}}, records)
			require.EqualValues(t, c.skipped, skipped)
		})
	}
}

func TestNoTrace(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	cases := []struct{ path, want string }{
		{filepath.Join(folder, "missing"), "is not there: a run with PORTABLE_TRACE=FILE"},
		{folder, "is a folder"},
		{file("empty", ""), "it is empty; the program ended before the library started"},
		{file("text", "program heat\n"), `it begins with "program heat\n"`},
		{file("short", "PORTTRC1\x01"), "it ends within its head, after 9 bytes"},
		{file("newer", "PORTTRC1\x02\x00\x00\x00\x00\x00\x00\x00"), "it has version 2, and this yaklcheck reads 1"},
	}
	for _, c := range cases {
		_, err := ReadFile(c.path)
		require.ErrorContains(t, err, c.want)
		require.ErrorContains(t, err, c.path)
	}
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.trace")
	require.NoError(t, os.WriteFile(path, append(written(t, one()...), "end"...), 0o644))
	f, err := ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, path, f.Path)
	require.Equal(t, "/home/x/model", f.Meta.Value("exe"))
	require.Empty(t, f.Meta.Value("nothing"))
	require.Len(t, f.Modules, 1)
	require.Len(t, f.Stacks, 2)
	require.True(t, f.Stacks[1].Exact())
	require.Len(t, f.Records, len(one())-4)
	require.NotNil(t, f.Finish)
	require.EqualValues(t, 3, f.Skipped)
	require.Equal(t, 1, f.Starts)
}

// TestReadingFails: a disk that fails in the middle is not the end of the file.
func TestReadingFails(t *testing.T) {
	file := written(t, &Note{Text: "first"})
	_, err := Read(io.MultiReader(bytes.NewReader(file), iotestErr{}))
	require.ErrorContains(t, err, "cannot be read to its end: the disk has failed")
}

type iotestErr struct{}

func (iotestErr) Read([]byte) (int, error) { return 0, errors.New("the disk has failed") }

// FuzzRead: no bytes make reading panic, take memory without bound, or lose count; and what was read is written back
// and read again as it was.
func FuzzRead(f *testing.F) {
	file := written(f, one()...)
	f.Add(file[fileHead:])
	f.Add(file[fileHead+3:])
	f.Fuzz(func(t *testing.T, body []byte) {
		records, skipped := all(t, append([]byte(signature+"\x01\x00\x00\x00\x00\x00\x00\x00"), body...))
		require.LessOrEqual(t, skipped, int64(len(body)))
		again, none := all(t, written(t, records...))
		require.Zero(t, none)
		require.Equal(t, records, again)
	})
}
