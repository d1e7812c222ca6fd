package gator

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"libportable/internal/backend/paper"
)

// BenchmarkPair is one Free and one Allocate of mixed sizes among many live blocks.
func BenchmarkPair(b *testing.B) {
	for _, live := range []int{1, 100, 10_000, 100_000} {
		b.Run(fmt.Sprintf("live=%d", live), func(b *testing.B) {
			p, err := New(Config{Source: paper.New(paper.Upwards, 0), Initial: 1 << 30})
			if err != nil {
				b.Fatal(err)
			}
			random := rand.New(rand.NewPCG(1, 1))
			const mask = 1<<16 - 1
			sizes, order := make([]uint64, mask+1), make([]int, mask+1)
			for i := range sizes {
				sizes[i], order[i] = uint64(100+random.IntN(8000)), random.IntN(live)
			}
			blocks := make([]uintptr, live)
			for i := range blocks {
				if blocks[i], err = p.Allocate(sizes[i&mask], ""); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				k := order[i&mask]
				if err = p.Free(blocks[k]); err == nil {
					blocks[k], err = p.Allocate(sizes[(i*7)&mask], "")
				}
				if err != nil {
					b.Fatal(err)
				}
				i++
			}
			if err := p.Check(); err != nil {
				b.Fatal(err)
			}
		})
	}
}
