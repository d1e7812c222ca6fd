package programs

import (
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"libportable/internal/nest/brute"

	"github.com/stretchr/testify/require"
)

// This file converts random nests with data, and runs them as one program: the bits of the original in serial, on threads and on the CUDA device.
// Not in this file: the nests and their truth (internal/nest/brute), verdicts without a run (internal/nest/brute_test.go).

var firstSeed = flag.Uint64("seed", 20000, "of the random nests")

// randomNests are nests of which a loop is independent, with names that differ.
func randomNests(first uint64, count int) (list []*brute.Nest) {
	m := brute.NewMachine()
	for seed := first; len(list) < count; seed++ {
		n, truth := brute.Random(seed, m)
		for l := range truth.Loops {
			if _, why := truth.Best(l); why == "" {
				n.Name = fmt.Sprintf("nest%d", seed)
				list = append(list, n)
				break
			}
		}
	}
	return list
}

var ofNest = regexp.MustCompile(`(?m)^ (nest\d+) `)

// byNest splits what the program prints.
func byNest(t *testing.T, text string) map[string]string {
	m := map[string]string{}
	places := ofNest.FindAllStringSubmatchIndex(text, -1)
	require.NotEmpty(t, places)
	for i, p := range places {
		end := len(text)
		if i+1 < len(places) {
			end = places[i+1][0]
		}
		m[text[p[2]:p[3]]] += text[p[0]:end]
	}
	return m
}

// TestRandomNests: each nest has the bits of the original wherever it runs. A third of them runs on the device.
func TestRandomNests(t *testing.T) {
	count := 24
	if *all {
		count = 400
	}
	w := with(t)
	env := onDevice(t, w)
	nests := randomNests(*firstSeed, count)
	var sources []string
	for part := range slices.Chunk(nests, 40) { // the compilation of a file has four minutes
		var b strings.Builder
		for _, n := range part {
			b.WriteString(n.Fortran() + n.Driver())
		}
		sources = append(sources, w.source(fmt.Sprintf("random%d.f90", len(sources)), b.String()))
	}
	sources = append(sources, w.source("main.f90", brute.Program(nests...)))
	const long = "-ffree-line-length-none"
	w.build("original", []string{"-O0", "-w", long}, sources...) // gfortran 12.2 -O1 leaves out the loops of seed 20611
	want := byNest(t, w.run(nil, "original"))
	require.Len(t, want, count)
	converted := w.convert([]string{"--auto", "--device", "cuda", "--fc-flags", long}, sources...)
	w.build("converted.x", []string{"-O2", "-w", long}, converted...)
	check := func(where string, env []string) {
		got := byNest(t, w.run(env, "converted.x"))
		wrong := 0
		for _, n := range nests {
			if got[n.Name] == want[n.Name] {
				continue
			}
			if wrong++; wrong < 4 {
				t.Errorf("%s, %s (seed %d): want\n%s\ngot\n%s\n%s", n.Name, where, n.Seed, want[n.Name], got[n.Name], n.Fortran())
			}
		}
		if wrong > 0 {
			t.Errorf("%s: %d of %d nests have other bits", where, wrong, count)
		}
	}
	check("serial", []string{"PORTABLE_DEVICE=serial"})
	for _, s := range shapes {
		check(fmt.Sprint("threads ", s), s.env())
	}
	check("on the device", env)
	ran := map[string]bool{}
	for _, found := range launchLine.FindAllStringSubmatch(w.text("log"), -1) {
		if found[3] == "cuda" {
			name, _, _ := strings.Cut(found[1], ":")
			ran[name] = true
		}
	}
	t.Logf("%d of %d nests ran on the device", len(ran), count)
	require.GreaterOrEqual(t, 3*len(ran), count, "fewer than a third of the nests ran on the device")
}
