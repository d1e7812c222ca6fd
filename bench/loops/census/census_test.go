// Package census tests the shares of features in the nests below this folder, and that no nest is a
// copy of another.
package census

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"libportable/internal/nest/truth"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// share is the percentage of nests, and of the statements in such nests, that the census of real codes found.
type share struct{ nests, statements float64 }

// wanted is that census.
var wanted = map[string]share{
	"reduction": {13.2, 9.1}, "component": {10.9, 24.8}, "calls-known": {8.4, 13.3}, "stride": {8.0, 41.1}, "sections": {7.2, 22.8}, "unseen": {6.4, 37.8},
	"private-array": {4.1, 37.4}, "function-known": {3.8, 8.1}, "exit-cycle": {3.1, 7.1}, "array-sum": {2.4, 1.3}, "indirect": {1.8, 10.5},
	"concurrent": {1.8, 0.9}, "array-intrinsic": {1.4, 9.1}, "character": {1.3, 0.5}, "goto": {1.2, 3.4}, "pointer": {0.9, 0.5}, "last": {0.8, 6.3},
	"select": {0.3, 0}, "while": {0.3, 0}, "complex": {0.1, 0}, "where": {0.05, 0},
}

// refusals are the reasons for which a nest is refused, in percent of all nests; reasons are rules, joined where the census has one word for several.
var refusals = []struct {
	rules string
	want  float64
}{
	{"carried-scalar conditional-scalar last-value", 2.9}, {"recurrence unknown-distance", 1.8}, {"whole-array private-array", 1.2}, {"same-element", 0.9},
	{"leaves-loop", 0.6}, {"jump", 0.4}, {"index-array", 0.4}, {"strides", 0.5},
}

// depths are percent of nests by depth; the last is four and more.
var depths = []float64{51, 37, 9, 3}

// sources are the sources with nests: those of fields of science.
func sources(t *testing.T) (names []string) {
	for _, pattern := range []string{"*.f90", "*.F90", "*.f"} {
		found, err := filepath.Glob(filepath.Join("*", pattern))
		require.NoError(t, err)
		names = append(names, found...)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, "support") })
	require.Greater(t, len(names), 20)
	return names
}

func census(t *testing.T) (nests []truth.Nest, statements int) {
	for _, name := range sources(t) {
		list, err := truth.ReadFile(name)
		require.NoError(t, err)
		for _, n := range list {
			require.NotEmpty(t, n.Features, "%s:%d", n.File, n.Line)
			require.Equal(t, n.Refused != "", len(n.Marks) > 0, "%s:%d: lines are marked where a nest is refused, and only there", n.File, n.Line)
			statements += n.Statements
		}
		nests = append(nests, list...)
	}
	return nests, statements
}

// near says that a share is near that of the census: README.md has the reason for the tolerance.
func near(got, want float64, of string) bool {
	if of == "nests" {
		return got >= want-max(0.4, 0.1*want) && got <= want+max(0.4, 0.1*want)
	}
	return got >= want-max(0.7, 0.15*want) && got <= want+max(0.7, 0.15*want)
}

func TestShares(t *testing.T) {
	nests, statements := census(t)
	require.GreaterOrEqual(t, len(nests), 400)
	t.Logf("%d nests, %d statements", len(nests), statements)
	count, within := map[string]int{}, map[string]int{}
	for _, n := range nests {
		for _, f := range n.Features {
			count[f]++
			within[f] += n.Statements
		}
	}
	for _, f := range truth.Features {
		of, st := 100*float64(count[f])/float64(len(nests)), 100*float64(within[f])/float64(statements)
		line := fmt.Sprintf("%-16s %3d nests %5.1f %% of %5.1f   %4d statements %5.1f %% of %5.1f", f, count[f], of, wanted[f].nests, within[f], st, wanted[f].statements)
		t.Log(line)
		if f == "core" {
			continue
		}
		if !near(of, wanted[f].nests, "nests") || wanted[f].statements > 0 && !near(st, wanted[f].statements, "statements") || count[f] == 0 {
			t.Errorf("not near the census: %s", line)
		}
	}
}

func TestDepths(t *testing.T) {
	nests, _ := census(t)
	var count [4]int
	for _, n := range nests {
		count[min(n.Depth, 4)-1]++
	}
	for d, want := range depths {
		got := 100 * float64(count[d]) / float64(len(nests))
		t.Logf("depth %d: %d nests, %.1f %% of %.1f", d+1, count[d], got, want)
		assert.InDelta(t, want, got, 2.5)
	}
}

func TestRefusals(t *testing.T) {
	nests, _ := census(t)
	count, all := map[string]int{}, 0
	for _, n := range nests {
		if rule := n.Refused + n.Census; rule != "" {
			all++
			count[strings.Split(rule, "|")[0]]++
		}
	}
	t.Log(all, count)
	require.InDelta(t, 9, 100*float64(all)/float64(len(nests)), 0.5)
	for _, r := range refusals {
		sum := 0
		for _, rule := range strings.Fields(r.rules) {
			sum += count[rule]
		}
		require.InDelta(t, r.want, 100*float64(sum)/float64(len(nests)), 0.4, r.rules)
	}
}

var (
	word    = regexp.MustCompile(`[a-z]\w*`)
	keyword = regexp.MustCompile(`^(do|end|if|then|else|elseif|call|cycle|exit|goto|go|to|continue|select|case|default|while|concurrent|where|elsewhere|block|associate|max|min|abs|sqrt|exp|log|mod|sum|sign|int|real|and|or|not|true|false|d0|wp)$`)
)

// shape is a nest without its names: the first becomes a, the next b.
func shape(t *testing.T, n truth.Nest) string {
	text, err := os.ReadFile(n.File)
	require.NoError(t, err)
	var body []string
	for _, line := range strings.Split(string(text), "\n")[n.Do-1 : n.End] {
		line, _, _ = strings.Cut(line, "!")
		body = append(body, strings.Join(strings.Fields(line), ""))
	}
	names := map[string]string{}
	return word.ReplaceAllStringFunc(strings.ToLower(strings.Join(body, "\n")), func(name string) string {
		if keyword.MatchString(name) {
			return name
		}
		if names[name] == "" {
			names[name] = fmt.Sprintf("_%d", len(names))
		}
		return names[name]
	})
}

func TestNoNestIsACopy(t *testing.T) {
	nests, _ := census(t)
	seen := map[string]string{}
	for _, n := range nests {
		key := shape(t, n)
		where := fmt.Sprintf("%s:%d", n.File, n.Line)
		if seen[key] != "" {
			t.Errorf("%s is %s with other names", where, seen[key])
		}
		seen[key] = where
	}
}

func TestCanonicalShape(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "x.f90")
	require.NoError(t, os.WriteFile(name, []byte(`! truth: parallel i
do i = 1, n ! a comment
  a(i) = max(b(i), 2.0)
end do
! truth: parallel k
do k = 1, m
  v(k) = max( w(k), 2.0 )
end do
! truth: parallel k
do k = 1, m
  v(k) = max(v(k), 2.0)
end do
`), 0o644))
	nests, err := truth.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, shape(t, nests[0]), shape(t, nests[1]))
	require.NotEqual(t, shape(t, nests[0]), shape(t, nests[2]))
}
