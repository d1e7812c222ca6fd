package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

var outputs = map[string]bool{
	"bin/yaklcheck": false, "t/streams/streams_order": true, "t/card/pool": true, "t/card/served": true, "t/card/x.o": false, "examples/a/a": true, "examples/b/b": true,
}

var all = []*test{
	{name: "streams.order.serial", words: []string{"/b/t/streams/streams_order", "serial"}},
	{name: "streams.order.threads2", words: []string{"/b/t/streams/streams_order"}},
	{name: "card.quick", words: []string{"/usr/bin/bash", "run.sh", "/b/bin/yaklcheck", "-programs=/b/t/card"}},
	{name: "card.all", words: []string{"/b/bin/yaklcheck"}, labels: []string{"ffi", "long"}},
	{name: "stack", words: []string{"/usr/bin/bash", "stack.sh", "/b/examples"}},
	{name: "install", words: []string{"/usr/bin/bash", "install.sh", "/b"}, setup: []string{"prefix"}},
	{name: "user", words: []string{"/usr/bin/bash", "run.sh"}, required: []string{"prefix"}},
	{name: "header", words: []string{"/usr/bin/bash", "header.sh", "/b/t/header"}},
	{name: "lists", words: []string{"run", "/x:/b/t/card/pool;/bb/other"}},
	{name: "lost"},
}

func TestPlan(t *testing.T) {
	for _, c := range []struct {
		word  string
		tests int
		lines []string
	}{
		{"streams.order", 2, []string{"target t/streams/streams_order"}},
		{"card.quick", 1, []string{"target bin/yaklcheck", "target t/card/pool", "target t/card/served"}},
		{"card", 1, []string{"say 1 test is left out: the label long; give the whole name of one to run it", "exclude long",
			"target bin/yaklcheck", "target t/card/pool", "target t/card/served"}},
		{"card.all", 1, []string{"target bin/yaklcheck"}},
		{"card.a", 1, []string{"target bin/yaklcheck"}},
		{"stack", 1, []string{"target examples/a/a", "target examples/b/b"}},
		{"user", 1, []string{"say first: install", "say install reads the whole build folder, so everything is built; the first time this takes long", "target all"}},
		{"header", 1, []string{"say the build writes nothing into t/header, probably a work folder; if the test misses a file: cmake --build build/test"}},
		{"lists", 1, []string{"target t/card/pool"}},
		{"lost", 1, []string{"say the command of lost is unknown, so everything is built; the first time this takes long", "target all"}},
		{"nothing", 0, nil},
	} {
		p := plan(c.word, all, "/b", outputs)
		require.Len(t, p.tests, c.tests, c.word)
		require.Equal(t, c.lines, p.lines(), c.word)
	}
}

func TestReadCommands(t *testing.T) {
	build := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(build, "a", "work"), 0o777))
	write := func(path, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(build, path), []byte(text), 0o666))
	}
	write("CTestTestfile.cmake", "subdirs(\"a\")\n")
	write("a/CTestTestfile.cmake", "add_test([=[one]=] \"/b/x\" \"with \\\"quotes\\\" and (more)\")\nset_tests_properties([=[one]=] PROPERTIES  LABELS \"a\")\nadd_test(two \"/b/y\")\n")
	write("a/work/CTestTestfile.cmake", "add_test(other \"/b/z\")\n")
	commands, err := readCommands(build)
	require.NoError(t, err)
	require.Equal(t, map[string][]string{"one": {"/b/x", `with "quotes" and (more)`}, "two": {"/b/y"}}, commands)
}

func TestNear(t *testing.T) {
	names := []string{"streams.order.c.serial", "streams.order.c.threads1", "streams.destroy.c.serial", "scan.refused", "memory.places", "guest.kernels.crash.fortran.segv.all"}
	require.Equal(t, []string{"streams.order", "streams.destroy"}, near("stream.order", names))
	require.Equal(t, []string{"scan.refused"}, near("refused", names))
	require.Equal(t, []string{"streams.order", "streams.destroy"}, near("streams.ordre", names))
	require.Equal(t, []string{"guest.kernels.crash"}, near("kernels.crash", names))
	require.Empty(t, near("qqqqqq", names))
	require.Equal(t, []string{"./internal/arch"}, near("./internal/arhc", []string{"./internal/arch", "./gator"}))
	require.Contains(t, suggestion("qqqqqq", names), "ctest --test-dir build/test -N")
}
