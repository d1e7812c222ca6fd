package gator

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend/paper"
)

func TestLabels(t *testing.T) {
	l := NewLabels()
	require.Zero(t, l.ID(""))
	h := l.ID("h")
	require.NotZero(t, h)
	require.Equal(t, h, l.ID("h"))
	require.NotEqual(t, h, l.ID("H"))
	require.Equal(t, "h", l.text(labelID(h)))
	require.Equal(t, "", l.text(0))
	require.Equal(t, "", l.text(12345), "a number that was never given")
	long := strings.Repeat("x", 10_000)
	require.Equal(t, long[:MaxLabel], l.text(labelID(l.ID(long))), "long labels are cut")
}

// TestMoreLabelsThanCanBeKept: a program that numbers its labels must not eat the memory.
func TestMoreLabelsThanCanBeKept(t *testing.T) {
	p, err := New(Config{Source: paper.New(paper.Upwards, 0), Initial: mib})
	require.NoError(t, err)
	first := p.Labels().ID("first")
	for i := range maxLabels + 1000 {
		p.Labels().ID(fmt.Sprint("label ", i))
	}
	require.Equal(t, first, p.Labels().ID("first"), "known ones stay")
	require.Len(t, *p.labels.texts.Load(), maxLabels)
	require.Len(t, p.labels.ids, maxLabels)
	for _, label := range []string{"one more", "and another", "first"} {
		_, err := p.Allocate(1000, label)
		require.NoError(t, err)
	}
	require.Equal(t, []LabelUse{{overflowText, 2000, 2}, {"first", 1000, 1}}, ByLabel(p))
}

func TestLabelsFromManyThreads(t *testing.T) {
	l := NewLabels()
	var group sync.WaitGroup
	var seen [4][500]uint32
	for g := range seen {
		group.Go(func() {
			for i := range seen[g] {
				text := fmt.Sprint(i)
				seen[g][i] = l.ID(text)
				if l.text(labelID(seen[g][i])) != text {
					t.Errorf("label %q reads back as %q", text, l.text(labelID(seen[g][i])))
				}
			}
		})
	}
	group.Wait()
	for g := range seen {
		require.Equal(t, seen[0], seen[g])
	}
}

func TestByLabel(t *testing.T) {
	blocks := []Block{{Label: "b", Bytes: 5}, {Label: "a", Bytes: 5}, {Bytes: 100}, {Label: "b", Bytes: 1}, {Label: "0", Bytes: 5, Waiting: true}}
	var sums, none Sums
	for _, b := range blocks {
		sums.Add(b)
	}
	require.Equal(t, []LabelUse{{"", 100, 1}, {"b", 6, 2}, {"0", 5, 1}, {"a", 5, 1}}, sums.Largest())
	require.Empty(t, none.Largest())
}

func TestReport(t *testing.T) {
	for name, make := range allocators {
		t.Run(name, func(t *testing.T) {
			a := make(t, Config{Name: "host", Source: paper.New(paper.Upwards, 0), Initial: mib, Limit: 2 * mib})
			for _, label := range []string{"flux", "flux", ""} {
				_, err := a.Allocate(1000, label)
				require.NoError(t, err)
			}
			b, err := a.Allocate(500, "waits")
			require.NoError(t, err)
			event := newFlag()
			require.NoError(t, a.Depend(b, event))
			require.NoError(t, a.Free(b))
			text := Report(a)
			for _, fragment := range []string{"host\n", "3000 bytes in 3 blocks", "2097152 bytes (2.0 MiB)", "waiting for streams    500 bytes in 1 block",
				"flux                 2000 bytes in 2 blocks", "(no label)           1000 bytes in 1 block"} {
				require.Contains(t, text, fragment)
			}
			event.complete()
			require.NotContains(t, Report(a), "waiting")
		})
	}
}
