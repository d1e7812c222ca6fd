// Package script runs the scripts in testdata of a command: each script is one behaviour of it. It
// is for tests only. Threads: scripts run at the same time.
package script

// A script is lines of commands, then files, each below a line `-- NAME --`, in the folder where
// the script runs:
//
//	run CODE COMMAND...    runs it, and expects that exit code; its output is kept
//	signal NAME CODE COMMAND...   the same; it gets that signal after it has written `ready`
//	stdout TEXT, stderr TEXT      the kept output has that text; !stdout, !stderr: it does not
//	cmp FILE FILE          they are equal; stdout and stderr are the kept outputs. Golden files may hold PID and DIR
//	env NAME=VALUE, stdin FILE, chmod MODE FILE, mkfifo FILE, exists FILE, !exists FILE
//	copy FILE FILE, old FILE, isold FILE, !isold FILE   old makes a file one from the year 2001; isold tests that
//
// go test ./cmd/NAME -update writes the golden files again.

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write golden files of scripts again")

// Main runs the tests of a command: it is called by TestMain. Programs are those that scripts run: the test binary
// under other names.
func Main(m *testing.M, programs map[string]func()) {
	if program := programs[filepath.Base(os.Args[0])]; program != nil {
		program()
		return
	}
	for name := range programs {
		names = append(names, name)
	}
	// Under nohup, or in the background of a shell, signals are ignored, and a command would keep that. This process
	// catches them, which resets them in the programs that it starts.
	caught := make(chan os.Signal, 1)
	for _, s := range signals {
		signal.Notify(caught, s)
	}
	go func() {
		s := <-caught
		signal.Reset(s)
		_ = syscall.Kill(os.Getpid(), s.(syscall.Signal))
	}()
	os.Exit(m.Run())
}

// names are those of the programs.
var names []string

// Run runs all scripts. The match of numbers, behind its first group, is PID in outputs: what differs from run to run.
// Links are further names of the test binary in the folder of the script.
func Run(t *testing.T, numbers *regexp.Regexp, links ...string) {
	scripts, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, scripts)
	for _, path := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			t.Parallel()
			(&script{t: t, path: path, numbers: numbers}).all(links)
		})
	}
}

type script struct {
	t              *testing.T
	path, dir      string
	line           int
	env            []string
	stdin          string
	stdout, stderr string
	files          []scriptFile
	changed        bool
	commands       string
	numbers        *regexp.Regexp
}

type scriptFile struct{ name, text string }

var fileMark = regexp.MustCompile(`(?m)^-- (\S+) --\n`)

func (s *script) all(links []string) {
	t := s.t
	path := s.path
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	s.dir = t.TempDir()
	marks := fileMark.FindAllStringSubmatchIndex(string(content), -1)
	s.commands = string(content)
	for i, m := range marks {
		end := len(content)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		s.files = append(s.files, scriptFile{string(content[m[2]:m[3]]), string(content[m[1]:end])})
	}
	if len(marks) > 0 {
		s.commands = string(content[:marks[0][0]])
	}
	for _, f := range s.files {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(s.dir, f.name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(s.dir, f.name), []byte(f.text), 0o666))
	}
	self, err := os.Executable()
	require.NoError(t, err)
	bin := filepath.Join(s.dir, "bin")
	require.NoError(t, os.MkdirAll(bin, 0o777))
	for _, name := range names {
		require.NoError(t, os.Symlink(self, filepath.Join(bin, name)))
	}
	for _, name := range links {
		require.NoError(t, os.Symlink(self, filepath.Join(s.dir, name)))
	}
	// The environment of the test is left out, so that a script says everything that matters.
	s.env = []string{"PATH=" + bin + ":/usr/bin:/bin", "TMPDIR=" + s.dir + "/tmp", "HOME=" + s.dir, "TERM=dumb"}
	require.NoError(t, os.Mkdir(s.dir+"/tmp", 0o777))
	for line := range strings.Lines(s.commands) {
		s.line++
		s.do(strings.TrimSpace(line))
	}
	left, err := os.ReadDir(s.dir + "/tmp")
	require.NoError(t, err)
	require.Empty(t, left, "the command left something in TMPDIR")
	if s.changed {
		text := s.commands
		for _, f := range s.files {
			text += "-- " + f.name + " --\n" + f.text
		}
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
}

func (s *script) fail(format string, values ...any) {
	s.t.Helper()
	s.t.Fatalf("%s:%d: %s\nstdout:\n%s\nstderr:\n%s", s.path, s.line, fmt.Sprintf(format, values...), s.stdout, s.stderr)
}

func (s *script) do(line string) {
	if line == "" || strings.HasPrefix(line, "#") {
		return
	}
	words := splitWords(line)
	rest := strings.TrimSpace(strings.TrimPrefix(line, words[0]))
	switch words[0] {
	case "run":
		s.run("", words[1], words[2:])
	case "signal":
		s.run(words[1], words[2], words[3:])
	case "stdout", "!stdout":
		s.has(words[0][0] != '!', "stdout", s.stdout, rest)
	case "stderr", "!stderr":
		s.has(words[0][0] != '!', "stderr", s.stderr, rest)
	case "cmp":
		s.compare(words[1], words[2])
	case "env":
		s.env = append(s.env, strings.ReplaceAll(rest, "$DIR", s.dir))
	case "stdin":
		s.stdin = words[1]
	case "chmod":
		mode, err := strconv.ParseUint(words[1], 8, 32)
		require.NoError(s.t, err)
		require.NoError(s.t, os.Chmod(filepath.Join(s.dir, words[2]), os.FileMode(mode)))
	case "mkfifo":
		require.NoError(s.t, syscall.Mkfifo(filepath.Join(s.dir, words[1]), 0o600))
	case "copy":
		text, err := os.ReadFile(filepath.Join(s.dir, words[1]))
		require.NoError(s.t, err)
		require.NoError(s.t, os.WriteFile(filepath.Join(s.dir, words[2]), text, 0o666))
	case "old":
		require.NoError(s.t, os.Chtimes(filepath.Join(s.dir, words[1]), then, then))
	case "isold", "!isold":
		info, err := os.Stat(filepath.Join(s.dir, words[1]))
		require.NoError(s.t, err)
		if info.ModTime().Equal(then) != (words[0] == "isold") {
			s.fail("%s: its time is %v", line, info.ModTime())
		}
	case "exists", "!exists":
		found, _ := filepath.Glob(filepath.Join(s.dir, words[1]))
		if (len(found) > 0) != (words[0] == "exists") {
			s.fail("%s: found %v", line, found)
		}
	default:
		s.fail("no such command: %s", words[0])
	}
}

// then is a time long ago.
var then = time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)

// splitWords cuts at spaces; 'a b' is one word.
func splitWords(line string) (words []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}

var signals = map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "QUIT": syscall.SIGQUIT,
	"USR1": syscall.SIGUSR1, "USR2": syscall.SIGUSR2}

// readyWriter reports when `ready` has been written.
type readyWriter struct {
	text  strings.Builder
	ready chan struct{}
	told  bool
}

func (w *readyWriter) Write(p []byte) (int, error) {
	w.text.Write(p)
	if !w.told && strings.Contains(w.text.String(), "ready") {
		w.told = true
		close(w.ready)
	}
	return len(p), nil
}

func (s *script) run(signal, code string, words []string) {
	s.t.Helper()
	path := filepath.Join(s.dir, "bin", words[0])
	if strings.Contains(words[0], "/") {
		path = filepath.Join(s.dir, words[0])
	}
	command := exec.Command(path, words[1:]...)
	command.Dir, command.Env = s.dir, s.env
	stdout := &readyWriter{ready: make(chan struct{})}
	var stderr strings.Builder
	command.Stdout, command.Stderr = stdout, &stderr
	if s.stdin != "" {
		file, err := os.Open(filepath.Join(s.dir, s.stdin))
		require.NoError(s.t, err)
		defer file.Close()
		command.Stdin, s.stdin = file, ""
	}
	require.NoError(s.t, command.Start())
	limit := time.AfterFunc(60*time.Second, func() { _ = command.Process.Kill() })
	defer limit.Stop()
	if signal != "" {
		select {
		case <-stdout.ready:
		case <-time.After(50 * time.Second):
		}
		require.NoError(s.t, command.Process.Signal(signals[signal]))
	}
	_ = command.Wait()
	s.stdout, s.stderr = s.normal(stdout.text.String()), s.normal(stderr.String())
	got := strconv.Itoa(command.ProcessState.ExitCode())
	if got != code {
		s.fail("%s ended with %s (%v), wanted %s", strings.Join(words, " "), got, command.ProcessState, code)
	}
}

// normal replaces what differs from run to run.
func (s *script) normal(text string) string {
	if s.numbers != nil {
		text = s.numbers.ReplaceAllString(text, "${1}PID")
	}
	return strings.ReplaceAll(text, s.dir, "DIR")
}

func (s *script) has(wanted bool, name, text, part string) {
	s.t.Helper()
	if strings.Contains(text, part) != wanted {
		s.fail("%s, wanted: %v: %q", name, wanted, part)
	}
}

func (s *script) content(name string) string {
	switch name {
	case "stdout":
		return s.stdout
	case "stderr":
		return s.stderr
	}
	text, err := os.ReadFile(filepath.Join(s.dir, name))
	require.NoError(s.t, err)
	return s.normal(string(text))
}

func (s *script) compare(got, want string) {
	s.t.Helper()
	for i := range s.files {
		if s.files[i].name == want && *update && s.files[i].text != s.content(got) {
			s.files[i].text, s.changed = s.content(got), true
			return
		}
	}
	require.Equal(s.t, s.content(want), s.content(got), "%s:%d: cmp %s %s", s.path, s.line, got, want)
}
