//go:build portable_test_hooks

package guard

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBytesOfAnAccess reads the list of instructions that the decoder for files is tested with, too.
func TestBytesOfAnAccess(t *testing.T) {
	looked := 0
	for _, i := range instructions(t) {
		if i.bytes != "-" { // it has memory
			require.Equal(t, i.bytes, strconv.Itoa(accessBytes(i.code)), i.text)
			looked++
		}
	}
	require.Greater(t, looked, 100)
}

var registers = []string{"%rax", "%rcx", "%rdx", "%rbx", "%rsp", "%rbp", "%rsi", "%rdi", "%r8", "%r9", "%r10", "%r11", "%r12", "%r13", "%r14", "%r15"}

var (
	movq   = regexp.MustCompile(`^movq ([^(]*(?:\(.*\))?),(.*)$`)
	simple = regexp.MustCompile(`^(-?\d*)\((%r\w+)\)$`) // no index
)

// TestMoves compares what the decoder makes of each instruction of the list with its text.
func TestMoves(t *testing.T) {
	var values [16]uintptr
	for i := range values {
		values[i] = uintptr(i+1) << 20
	}
	seen := map[int]int{}
	for _, i := range instructions(t) {
		want, relative := move{}, strings.Contains(i.text, "%rip")
		if m := movq.FindStringSubmatch(i.text); m != nil {
			from, to := slices.Index(registers, m[1]), slices.Index(registers, m[2])
			address := func(operand string) (uintptr, bool) {
				m := simple.FindStringSubmatch(operand)
				if m == nil {
					return 0, false
				}
				displacement, _ := strconv.Atoi(m[1]) // none: 0
				if relative {
					return uintptr(displacement), true
				}
				return values[slices.Index(registers, m[2])] + uintptr(displacement), true
			}
			if from >= 0 && to >= 0 {
				want = move{kind: moveRegister, from: from, to: to, bytes: len(i.code)}
			} else if at, ok := address(m[1]); ok && to >= 0 {
				want = move{kind: moveLoad, to: to, address: at, bytes: len(i.code)}
			} else if at, ok := address(m[2]); ok && m[1] == "$0" {
				want = move{kind: moveZero, address: at, bytes: len(i.code)}
			}
		}
		require.Equal(t, want, moveOf(i.code, values, relative), i.text)
		seen[want.kind]++
	}
	for _, kind := range []int{moveRegister, moveLoad, moveZero} {
		require.Greater(t, seen[kind], 4)
	}
	require.Greater(t, seen[moveNone], 100)
}

type instruction struct {
	code        []byte
	bytes, text string
}

// instructions reads the list; its path begins at the root of the tree.
func instructions(t *testing.T) (list []instruction) {
	if runtime.GOARCH != "amd64" {
		t.Skip("instructions of x86-64")
	}
	root := ".."
	for range 8 {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		root = filepath.Join(root, "..")
	}
	text, err := os.ReadFile(filepath.Join(root, "cmd", "yaklcheck", "internal", "statics", "testdata", "instructions.txt"))
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) < 4 || words[0] == "#" {
			continue
		}
		code, err := hex.DecodeString(words[0])
		require.NoError(t, err, line)
		list = append(list, instruction{code, words[1], strings.Join(words[3:], " ")})
	}
	return list
}

// Any bytes are decoded, and no byte behind them is looked at.
func FuzzBytesOfAnAccess(f *testing.F) {
	f.Add([]byte{0xf3, 0x0f, 0x11, 0x07})
	f.Fuzz(func(t *testing.T, code []byte) {
		n := accessBytes(code[:min(len(code), 15)])
		require.True(t, n >= 0 && n <= 128)
		m := moveOf(code[:min(len(code), 15)], [16]uintptr{}, false)
		require.LessOrEqual(t, m.bytes, 12)
	})
}
