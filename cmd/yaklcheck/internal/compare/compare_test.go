package compare

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/cmd/yaklcheck/internal/trace"
)

// run makes the trace of a run: a step is a label and the sums that blocks have after it.
type made struct {
	label string
	sums  map[string]uint64
}

func run(t *testing.T, steps ...made) *Run {
	t.Helper()
	f := &trace.File{Path: "x"}
	for i, s := range steps {
		for label, sum := range s.sums {
			f.Records = append(f.Records, &trace.Hash{Launch: uint64(i + 1), Bytes: 100000, Sum: sum, Block: label, At: s.label, Part: 32768,
				Parts: []uint64{1, sum, 2, 3}})
		}
		f.Records = append(f.Records, &trace.Hash{Launch: uint64(i + 1), Bytes: 2, At: s.label})
	}
	r, err := Load(f)
	require.NoError(t, err)
	return r
}

func at(label string, sums map[string]uint64) made { return made{label, sums} }

func TestRuns(t *testing.T) {
	base := []made{
		at("flux", map[string]uint64{"f": 1, "h": 1}), at("update", map[string]uint64{"h": 2}),
		at("flux", map[string]uint64{"f": 2}), at("update", map[string]uint64{"h": 3}),
	}
	change := func(i int, s made) []made {
		out := append([]made{}, base...)
		out[i] = s
		return out
	}
	insert := func(i int, s ...made) []made { return append(append(append([]made{}, base[:i]...), s...), base[i:]...) }
	for _, c := range []struct {
		name         string
		b            []made
		at, block    string
		nth          int
		stepA, stepB uint64
	}{
		{"equal", base, "", "", 0, 0, 0},
		{"the first step", change(0, at("flux", map[string]uint64{"f": 9, "h": 1})), "flux", "f", 1, 1, 1},
		{"a later one", change(3, at("update", map[string]uint64{"h": 9})), "update", "h", 2, 4, 4},
		{"two blocks", change(2, at("flux", map[string]uint64{"f": 9, "h": 9})), "flux", "f", 2, 3, 3},
		{"one does not change what the other does", change(3, at("update", nil)), "update", "h", 2, 4, 4},
		{"further launches", insert(1, at("halo", nil), at("halo", nil)), "", "", 0, 0, 0},
		{"a further launch that changes", insert(1, at("halo", map[string]uint64{"f": 7})), "update", "f", 1, 2, 3},
		{"and changes back", insert(1, at("halo", map[string]uint64{"f": 7}), at("halo", map[string]uint64{"f": 1})), "", "", 0, 0, 0},
		{"fewer launches", base[:2], "", "", 0, 0, 0},
		{"no common launch", []made{at("other", map[string]uint64{"h": 5})}, "", "", 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Runs(run(t, base...), run(t, c.b...))
			if c.at == "" {
				require.Nil(t, got.First)
				require.Equal(t, len(base), got.Compared+got.OnlyA)
				require.Equal(t, len(c.b), got.Compared+got.OnlyB)
				return
			}
			require.NotNil(t, got.First)
			require.Equal(t, []any{c.at, c.nth, c.block, c.stepA, c.stepB}, []any{got.First.At, got.First.Nth, got.First.Block.Label, got.First.StepA, got.First.StepB})
			require.Equal(t, []uint64{32768, 65536}, []uint64{got.First.First, got.First.End})
			swapped := Runs(run(t, c.b...), run(t, base...))
			require.Equal(t, got.First.Block, swapped.First.Block)
		})
	}
	got := Runs(run(t, base...), run(t, change(2, at("flux", map[string]uint64{"f": 9, "h": 9, "new": 1}))...))
	require.Equal(t, []Key{{"h", 0}}, got.First.Others)
	require.Equal(t, []string{"new"}, got.Missing)
}

func TestLoad(t *testing.T) {
	_, err := Load(&trace.File{Path: "empty"})
	require.ErrorIs(t, err, ErrNoSums)
	_, err = Load(&trace.File{Path: "early", Meta: &trace.Meta{Pairs: []trace.Pair{{Name: "PORTABLE_CHECK", Value: "hash"}}}})
	require.ErrorIs(t, err, ErrNoSteps)
	// A step whose end was not written is left out.
	r, err := Load(&trace.File{Records: []trace.Record{&trace.Hash{Launch: 1, Block: "a", At: "x", Sum: 1}, &trace.Hash{Launch: 2, Block: "b", At: "y", Sum: 2},
		&trace.Hash{Launch: 2, At: "y", Bytes: 1}, &trace.Note{Text: "x"}}})
	require.NoError(t, err)
	require.Len(t, r.steps, 1)
	require.Equal(t, map[Key]Sum{{"b", 0}: {Sum: 2}}, r.steps[0].changed)
	// Blocks of one label are different blocks, also without a label.
	r, err = Load(&trace.File{Records: []trace.Record{&trace.Hash{Launch: 1, Block: "a"}, &trace.Hash{Launch: 1, Block: "a", Index: 1},
		&trace.Hash{Launch: 1, Parts: []uint64{1}}, &trace.Hash{Launch: 1}}})
	require.NoError(t, err)
	require.Len(t, r.steps[0].changed, 3)
}

func TestElements(t *testing.T) {
	words := func(values ...float64) (b []byte) {
		for _, v := range values {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		return b
	}
	a, b := words(1, math.NaN(), 0, 3), words(1, math.NaN(), math.Copysign(0, -1), 4)
	first, differ, all := Elements(a, b, Real64)
	require.Equal(t, &Element{3, "0 (0000000000000000)", "-0 (8000000000000000)"}, first)
	require.Equal(t, []uint64{2, 4}, []uint64{differ, all})
	first, differ, _ = Elements(a, b, Int32)
	require.Equal(t, &Element{6, "0", "-2147483648"}, first)
	require.Equal(t, uint64(2), differ)
	first, _, all = Elements(a, b, Bytes)
	require.Equal(t, &Element{24, "0x00", "0x80"}, first)
	require.Equal(t, uint64(32), all)
	first, differ, _ = Elements(a, a, Real32)
	require.Nil(t, first)
	require.Zero(t, differ)
	require.True(t, Int64.Known())
	require.False(t, Form("real").Known())
	require.Equal(t, []uint64{3, 2, 1}, Indices(3+4, []uint64{4, 5, 6}))
}

func TestReadDump(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t")
	text := append([]byte("PORTDUMP"), make([]byte, 24)...)
	text[8], text[16], text[24] = 7, 2, 3
	text = append(text, "abc"...)
	require.NoError(t, os.WriteFile(path+".dump", text, 0o600))
	d, err := ReadDump(path)
	require.NoError(t, err)
	require.Equal(t, &Dump{7, 2, []byte("abc")}, d)
	require.NoError(t, os.WriteFile(path+".dump", text[:34], 0o600))
	_, err = ReadDump(path)
	require.ErrorContains(t, err, "is not a whole dump")
	_, err = ReadDump(path + "x")
	require.ErrorIs(t, err, os.ErrNotExist)
}
