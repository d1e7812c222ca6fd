package arrays

// These tests compare rules with a model.

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func parsed(t *testing.T, label, device, order string, row uint64) (r Rule) {
	t.Helper()
	r.Label, r.Prefix = strings.CutSuffix(label, "*")
	r.Device, r.RowBytes = device, row
	if order != "" {
		require.Empty(t, r.ParseOrder(order))
	}
	return r
}

func TestRuleOrders(t *testing.T) {
	for text, want := range map[string]Rule{
		"c":         {Ordered: true, Order: C},
		" Fortran ": {Ordered: true, Order: Fortran},
		"kij":       {Ordered: true, Order: Permuted, Rank: 3, Fastest: [MaxRank]int32{2, 0, 1}},
		"IJK":       {Ordered: true, Order: Permuted, Rank: 3, Fastest: [MaxRank]int32{0, 1, 2}},
		"3x1x2":     {Ordered: true, Order: Permuted, Rank: 3, Fastest: [MaxRank]int32{2, 0, 1}},
		"1":         {Ordered: true, Order: Permuted, Rank: 1},
		letters:     {Ordered: true, Order: Permuted, Rank: 15, Fastest: [MaxRank]int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}},
	} {
		var r Rule
		require.Empty(t, r.ParseOrder(text), text)
		require.Equal(t, want, r, text)
	}
	for text, why := range map[string]string{
		"":            "c, fortran, or the dimensions",
		"kjz":         "c, fortran, or the dimensions",
		"iij":         "names a dimension that an earlier one has named",
		"ik":          "entry 2 of the order is none of the 2 dimensions",
		"3x":          "c, fortran, or the dimensions",
		"1x0":         "c, fortran, or the dimensions",
		letters + "i": "at most 15 dimensions",
	} {
		var r Rule
		require.Contains(t, r.ParseOrder(text), why, text)
	}
	for _, text := range []string{"", "0", "48", "x", "-8", "2147483648"} {
		var r Rule
		require.Contains(t, r.ParseRow(text), "a power of two up to 1073741824 is wanted", text)
	}
}

func TestRuleSaysItself(t *testing.T) {
	for _, c := range []struct {
		rule Rule
		text string
	}{
		{parsed(t, "h*", "cpu", "kij", 0), "'h'*: layout@cpu=kij"},
		{parsed(t, "h", "", "c", 64), "'h': layout=c, row=64"},
		{parsed(t, "*", "threads", "", 128), "''*: row@threads=128"},
	} {
		require.Equal(t, c.text, c.rule.String())
	}
}

func TestRulesFind(t *testing.T) {
	var rs Rules
	require.Zero(t, rs.Len())
	require.Equal(t, Rule{}, rs.Find(&Place{Label: "h", Device: "threads", OfCPU: true, Rank: 3}))
	rs.Add(parsed(t, "*", "", "c", 64))
	rs.Add(parsed(t, "h*", "cpu", "kij", 0))
	rs.Add(parsed(t, "h*", "gpu", "ijk", 128))
	rs.Add(parsed(t, "h", "threads", "jki", 0))
	rs.Add(parsed(t, "hot", "", "fortran", 0))
	order := func(label, device string, cpu bool, rank int) string {
		r := rs.Find(&Place{Label: label, Device: device, OfCPU: cpu, Rank: rank})
		r.Label = label
		return r.String()
	}
	require.Equal(t, "'h': layout=jki, row=64", order("h", "Threads", true, 3))
	require.Equal(t, "'h': layout=kij, row=64", order("h", "serial", true, 3))
	require.Equal(t, "'hu': layout=kij, row=64", order("hu", "host", true, 3))
	require.Equal(t, "'hu': layout=ijk, row=128", order("hu", "cuda:0", false, 3))
	require.Equal(t, "'hu': layout=c, row=128", order("hu", "cuda:0", false, 2), "the rule is of another rank, its rows are not")
	require.Equal(t, "'hot': layout=fortran, row=64", order("hot", "serial", true, 3))
	rs.SetOutside([]Rule{parsed(t, "h*", "", "jik", 0)})
	require.Equal(t, "'h': layout=jik, row=64", order("h", "threads", true, 3), "the environment goes before the program")
	rs.SetOutside(nil)
	rs.Add(parsed(t, "h", "THREADS", "", 0))
	require.Equal(t, "'h': layout=kij, row=64", order("h", "threads", true, 3), "taken away")
	require.Equal(t, 4, rs.Len())
}

// Naive: all rules that fit, in the order of what they say: the last one of those that say it most exactly.
func TestRulesAgainstModel(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	labels := []string{"", "h", "hu", "hum", "x"}
	devices := []string{"", "cpu", "gpu", "serial", "threads"}
	for range 300 {
		var rs Rules
		var all []Rule
		for range 1 + random.IntN(6) {
			r := Rule{Label: labels[random.IntN(len(labels))], Prefix: random.IntN(2) == 0, Device: devices[random.IntN(len(devices))], RowBytes: 1 << random.IntN(4)}
			if random.IntN(2) == 0 {
				require.Empty(t, r.ParseOrder([]string{"c", "fortran", "ij", "ji", "kij"}[random.IntN(5)]))
			}
			rs.Add(r)
			for i, old := range all {
				if old.Label == r.Label && old.Prefix == r.Prefix && old.Device == r.Device {
					all = append(all[:i], all[i+1:]...)
					break
				}
			}
			all = append(all, r)
		}
		require.Equal(t, len(all), rs.Len())
		p := Place{Label: labels[random.IntN(len(labels))], Device: []string{"serial", "threads", "cuda"}[random.IntN(3)], OfCPU: random.IntN(2) == 0, Rank: 2 + random.IntN(2)}
		var want Rule
		for _, exactly := range []bool{true, false} {
			for n := len(p.Label); n >= 0; n-- {
				for _, device := range []string{p.Device, map[bool]string{true: "cpu", false: "gpu"}[p.OfCPU], ""} {
					for _, r := range all {
						if r.Prefix == exactly || r.Label != p.Label[:n] || exactly && n < len(p.Label) || r.Device != device {
							continue
						}
						if r.Ordered && (r.Rank == 0 || r.Rank == p.Rank) && !want.Ordered {
							want.Ordered, want.Order, want.Rank, want.Fastest = true, r.Order, r.Rank, r.Fastest
						}
						if want.RowBytes == 0 {
							want.RowBytes = r.RowBytes
						}
					}
				}
			}
		}
		require.Equal(t, want, rs.Find(&p), "%v for %v", all, p)
	}
}
