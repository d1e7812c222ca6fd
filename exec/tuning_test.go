package exec

// These tests check tuning files and their warnings.

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/arrays"
)

func TestTuning(t *testing.T) {
	list, warnings := ParseTuning("tuning.txt", `
# a file
flux*: chunk=1000
update: tile=64x8, schedule=dynamic   # two things
*: block=128
ns::advance: tile=0x4
'odd; label: x' : Tile = 7
"q"*: schedule=STATIC
flux_x: block=32
`, true)
	require.Empty(t, warnings)
	require.Equal(t, []Tuning{
		{Label: "update", Tile: []int64{64, 8}, Schedule: Dynamic, Where: "tuning.txt:4"},
		{Label: "ns::advance", Tile: []int64{0, 4}, Where: "tuning.txt:6"},
		{Label: "odd; label: x", Tile: []int64{7}, Where: "tuning.txt:7"},
		{Label: "flux_x", Block: 32, Where: "tuning.txt:9"},
		{Label: "flux", Prefix: true, Chunk: 1000, Where: "tuning.txt:3"},
		{Label: "q", Prefix: true, Schedule: Static, Where: "tuning.txt:8"},
		{Label: "", Prefix: true, Block: 128, Where: "tuning.txt:5"},
	}, list)

	list, warnings = ParseTuning("tuning.txt", "h*: layout@cpu=kij, layout@gpu=ijk, row@gpu=128, row=64, chunk=9, layout@CPU=fortran", true)
	require.Empty(t, warnings)
	require.Equal(t, []Tuning{{Label: "h", Prefix: true, Chunk: 9, Where: "tuning.txt:1", Layouts: []arrays.Rule{
		{Label: "h", Prefix: true, Device: "cpu", Ordered: true, Order: arrays.Fortran},
		{Label: "h", Prefix: true, Device: "gpu", Ordered: true, Order: arrays.Permuted, Rank: 3, Fastest: [arrays.MaxRank]int32{0, 1, 2}, RowBytes: 128},
		{Label: "h", Prefix: true, RowBytes: 64}}}}, list)

	list, warnings = ParseTuning("PORTABLE_TUNING", "update: tile=64x8, schedule=dynamic; *: block=128;", false)
	require.Empty(t, warnings)
	require.Len(t, list, 2)
}

func TestTuningWarns(t *testing.T) {
	for text, why := range map[string]string{
		"update":                        `'update' is invalid (label: key=value is wanted)`,
		"tile=8":                        "label: key=value is wanted",
		": tile=8":                      "the label is empty",
		"a*b: tile=8":                   "a star stands at the end",
		"'a: tile=8":                    "the quote does not end",
		"'a' tile=8":                    "label: key=value is wanted",
		"a: tile=8x":                    "sizes such as 64x8 are wanted",
		"a: tile=-8":                    "sizes such as 64x8 are wanted",
		"a: tile=0x0":                   "it cuts nothing",
		"a: tile=1x1x1x1x1x1x1x1x1":     "at most 8 dimensions",
		"a: chunk=0":                    "a whole number from 1",
		"a: block=100000":               "a whole number from 1 to 65536",
		"a: schedule=guided":            "'schedule=guided' is invalid",
		"a: threads=3":                  "the keys are tile, chunk, block and schedule of launches, layout and row of arrays",
		"a: layout=zz":                  "'layout=zz' is invalid (c, fortran, or the dimensions",
		"a: row@gpu=48":                 "'row@gpu=48' is invalid (a power of two up to",
		"a: tile@gpu=8":                 "layout and row are said for a device, the others are not",
		"a: dynamic":                    "key=value is wanted",
		"a: tile=8, chunk=100":          "tile counts",
		"a: tile=8\na: tile=9":          "the label 'a' is there twice",
		strings.Repeat("l", 256) + ":b": "longer than 255",
	} {
		_, warnings := ParseTuning("f", text, true)
		require.Len(t, warnings, 1, text)
		require.Contains(t, warnings[0], why)
		require.Regexp(t, `^f:\d+: `, warnings[0])
	}
	// Valid parts count next to invalid ones; of two, the later.
	list, warnings := ParseTuning("f", "a: tile=8, threads=3, block=64\nb\na: tile=9", true)
	require.Len(t, warnings, 3)
	require.Equal(t, []Tuning{{Label: "a", Tile: []int64{9}, Block: 64, Where: "f:3"}}, list)
}

func FuzzTuning(f *testing.F) {
	f.Add("update: tile=64x8, schedule=dynamic; *: block=128")
	f.Add("'a;b'*: chunk=7 # c\n\"x: y=\"")
	f.Add("a::b: tile=0x1x0\n*:block=65536;;;")
	f.Fuzz(func(t *testing.T, text string) {
		list, warnings := ParseTuning("f", text, true)
		require.LessOrEqual(t, len(list), strings.Count(text, "\n")+strings.Count(text, ";")+1)
		seen, prefixes := map[string]bool{}, 0
		for i, e := range list {
			key := e.Label
			if e.Prefix {
				key += "*"
				prefixes++
				require.False(t, i > 0 && list[i-1].Prefix && len(list[i-1].Label) < len(e.Label), "longer beginnings come first")
			} else {
				require.Zero(t, prefixes, "whole labels come first")
				require.NotEmpty(t, e.Label)
			}
			require.False(t, seen[key], "each label once")
			seen[key] = true
			require.LessOrEqual(t, len(key), MaxTuningLabel)
			require.LessOrEqual(t, len(e.Tile), 8)
			require.False(t, len(e.Tile) > 0 && e.Chunk > 0)
			require.GreaterOrEqual(t, e.Chunk, int64(0))
			require.GreaterOrEqual(t, e.Block, int32(0))
			for _, n := range e.Tile {
				require.GreaterOrEqual(t, n, int64(0))
			}
		}
		for _, w := range warnings {
			require.True(t, strings.HasPrefix(w, "f:"), w)
		}
	})
}

func TestUnusedRulesAreReported(t *testing.T) {
	launches := Tuning{Label: "a\nb", Chunk: 5, Where: "file:1"}
	arraysOnly := Tuning{Label: "field", Layouts: []arrays.Rule{{}}, Where: "file:2"}
	both := Tuning{Label: "both", Block: 32, Layouts: []arrays.Rule{{}}, Where: "file:3"}
	require.Empty(t, launches.Unused(true, false))
	require.Empty(t, arraysOnly.Unused(false, true))
	require.Empty(t, both.Unused(true, true))
	require.Equal(t, []string{"file:1: no launch had the label 'a\\nb'; correct the label or remove the rule"}, launches.Unused(false, false))
	require.Equal(t, []string{"file:2: no array that is laid out by rule had the label 'field', nor had a copy for a device; correct the label or remove the rule: converted loops on the host use arrays as they are"},
		arraysOnly.Unused(true, false))
	require.Len(t, both.Unused(false, false), 2)
	require.Len(t, (&Tuning{Where: "file:4"}).Unused(false, true), 1, "a rule of which no key is valid")
}
