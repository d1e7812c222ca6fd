package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// peer is one allocator or engine: the argument of the program, and what its environment gets.
type peer struct {
	name, allocator string
	env             []string
	library         string // preloaded; the peer is left out where it is not installed
	debian          string // the package that has it
}

const (
	pool, goPath         = "portable", "portable, no fast path"
	glibc, mimalloc      = "glibc", "mimalloc"
	glibcTuned, jemalloc = "glibc, tuned", "jemalloc"
)

var peers = []peer{
	{name: pool, allocator: "portable"},
	{name: goPath, allocator: "portable", env: []string{"PORTABLE_FASTPATH=0"}},
	{name: glibc, allocator: "malloc"},
	{name: glibcTuned, allocator: "malloc", env: []string{
		"GLIBC_TUNABLES=glibc.malloc.trim_threshold=4294967296:glibc.malloc.mmap_threshold=4294967296:glibc.malloc.top_pad=67108864"}},
	{name: jemalloc, allocator: "malloc", library: "libjemalloc.so.2", debian: "libjemalloc2"},
	{name: mimalloc, allocator: "malloc", library: "libmimalloc.so.2", debian: "libmimalloc2.0"},
}

// installed leaves out the peers that the system has not.
func installed(peers []peer) (present []peer) {
	cache, _ := exec.Command("/sbin/ldconfig", "-p").Output()
	for _, p := range peers {
		if p.library == "" || bytes.Contains(cache, []byte(p.library+" ")) {
			present = append(present, p)
			continue
		}
		fmt.Fprintf(os.Stderr, "bench: %s is left out, %s is not installed\n", p.name, p.library)
	}
	return present
}

// processes is in how many processes a peer runs in a round. The best counts, and where the pages of a process lie makes some tens of
// percent: limits name the best of libgomp's ways to wait, so ours runs as often as they do together.
func (r *results) processes(p peer, ph phase) int {
	if p.name != pool || ph.ours {
		return 1
	}
	count := 0
	for _, other := range r.peers {
		if other.allocator == "gomp" {
			count++
		}
	}
	return max(count, 1)
}

// phase runs one phase for each peer, round by round, so that a busy minute of the machine meets all alike.
func (r *results) phase(build string, ph phase, rounds int) error {
	for round := range rounds {
		for i, p := range r.peers {
			if ph.ours && p.allocator != "portable" {
				continue
			}
			name := strings.ReplaceAll(ph.program, "%s", p.allocator)
			program := filepath.Join(build, name)
			if _, err := os.Stat(program); name != ph.program && err != nil {
				continue
			}
			for range r.processes(p, ph) {
				fmt.Fprintf(os.Stderr, "bench: %s %v, round %d of %d, %s\n", name, ph.args, round+1, rounds, p.name)
				cmd := exec.Command(program, append([]string{p.allocator}, ph.args...)...)
				cmd.Env = append(os.Environ(), p.env...)
				if p.library != "" {
					cmd.Env = append(cmd.Env, "LD_PRELOAD="+p.library)
				}
				if err := r.read(cmd, i); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
