//go:build portable_test_hooks

package guard

import (
	"encoding/binary"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file compares the decoder of A64 with the disassembler of binutils, on random instructions of all classes that access memory.

var (
	armLine     = regexp.MustCompile(`^\s*[0-9a-f]+:\t([0-9a-f]{8}) \t(.*)$`)
	armLetters  = regexp.MustCompile(`^(prf|rprf|gcs)`)
	armVectors  = regexp.MustCompile(`\b(z\d+|p\d+|za\d*\w*|zt0)\b`)
	armElements = regexp.MustCompile(`v(\d+)\.(\d*)([bhsdq])`)
	armAtomic   = regexp.MustCompile(`^(swp|ld(add|clr|eor|set|smax|smin|umax|umin))a?l?([bh]?)$`)
	armCompare  = regexp.MustCompile(`^casa?l?([bh]?)$`)
	armPairCas  = regexp.MustCompile(`^caspa?l?$`)
	armFill     = regexp.MustCompile(`^(cpy|set)f?g?[pme]`)
	armSized    = regexp.MustCompile(`^(ld|st)(ap|a|l|la|ll|lx|ax|x|t|u|apu|lu)?r(s?)([bhw]?)$`)
	armPair     = regexp.MustCompile(`^(ld|st)(n|x|ax|lx)?p(sw)?$`)
	armOne      = regexp.MustCompile(`^(ld|st)([1-4])(r?)$`)
)

// widthOf is the number of bytes of a register.
func widthOf(register string) int {
	switch register[0] {
	case 'w', 's':
		if register == "sp" {
			return 8
		}
		return 4
	case 'x', 'd':
		return 8
	case 'b':
		return 1
	case 'h':
		return 2
	case 'q':
		return 16
	}
	return 0
}

// expectArm is what the text of an instruction says; ok is false where nothing is promised.
func expectArm(text string) (want armAccess, ok bool) {
	none := armAccess{write: -1}
	name, operands, _ := strings.Cut(text, "\t")
	name, operands = strings.TrimSpace(name), strings.TrimSpace(operands)
	write := 0
	if strings.HasPrefix(name, "st") {
		write = 1
	}
	registers := strings.FieldsFunc(operands, func(r rune) bool { return strings.ContainsRune(" ,[]{}", r) })
	element := func(suffix string, register string) int {
		switch suffix {
		case "b":
			return 1
		case "h":
			return 2
		}
		return widthOf(register)
	}
	switch {
	case strings.HasPrefix(name, ".inst"), strings.Contains(text, "undefined"):
		return none, false
	case strings.HasPrefix(text, "sys\t#3, C7, C4, #1"), strings.HasPrefix(text, "sys\t#3, C7, C4, #4"): // dc zva, gzva
		return armAccess{armZeroed, 1, armPlain}, true
	case strings.HasPrefix(text, "sys\t#3, C7, C4, #3"): // dc gva
		return armAccess{0, 1, armPlain}, true
	case strings.HasPrefix(name, "prf") && armVectors.MatchString(operands):
		return none, false // never faults
	case armLetters.MatchString(name), name == "ldgm", name == "stgm", name == "stzgm":
		return none, true
	case armVectors.MatchString(operands) && (strings.HasPrefix(name, "ld") || strings.HasPrefix(name, "st")):
		return armAccess{0, write, armPlain}, true
	case armFill.MatchString(name):
		if name[0] == 's' {
			return armAccess{0, 1, armRelative}, true
		}
		return armAccess{0, -1, armRelative}, true
	case name == "ldg", name == "stg", name == "stzg", name == "stgp":
		return armAccess{16, write, armPlain}, true
	case name == "st2g", name == "stz2g":
		return armAccess{32, 1, armPlain}, true
	case name == "ld64b", strings.HasPrefix(name, "st64b"):
		return armAccess{64, write, armPlain}, true
	case name == "ldraa", name == "ldrab":
		return armAccess{8, 0, armPlain}, true
	case armAtomic.MatchString(name):
		return armAccess{element(armAtomic.FindStringSubmatch(name)[3], registers[0]), 1, armPlain}, true
	case armCompare.MatchString(name):
		return armAccess{element(armCompare.FindStringSubmatch(name)[1], registers[0]), 1, armPlain}, true
	case armPairCas.MatchString(name):
		return armAccess{2 * widthOf(registers[0]), 1, armPlain}, true
	}
	if m := armOne.FindStringSubmatch(name); m != nil {
		n, _ := strconv.Atoi(m[2])
		list := operands[:strings.IndexByte(operands, '}')]
		v := armElements.FindStringSubmatch(list)
		size := map[string]int{"b": 1, "h": 2, "s": 4, "d": 8, "q": 16}[v[3]]
		if m[3] == "" && v[2] != "" {
			lanes, _ := strconv.Atoi(v[2])
			size *= lanes
			if n == 1 { // so many registers
				n = len(armElements.FindAllString(list, -1))
				if ends := armElements.FindAllStringSubmatch(list, -1); strings.Contains(list, "-") {
					first, _ := strconv.Atoi(ends[0][1])
					last, _ := strconv.Atoi(ends[1][1])
					n = (last-first+32)%32 + 1
				}
			}
		}
		return armAccess{n * size, write, armPlain}, true
	}
	if m := armPair.FindStringSubmatch(name); m != nil {
		first := registers[0]
		how := armPlain
		if strings.HasSuffix(m[2], "x") {
			how = armMonitored
			if write == 1 {
				how, first = armConditional, registers[1]
			}
		}
		bytes := 2 * widthOf(first)
		if m[3] != "" {
			bytes = 8
		}
		return armAccess{bytes, write, how}, true
	}
	if m := armSized.FindStringSubmatch(name); m != nil {
		how, data := armPlain, registers[0]
		if strings.HasSuffix(m[2], "x") {
			how = armMonitored
			if write == 1 {
				how, data = armConditional, registers[1]
			}
		}
		if name == "ldr" && !strings.Contains(operands, "[") || name == "ldrsw" && !strings.Contains(operands, "[") {
			how = armRelative
		}
		bytes := element(m[4], data)
		if m[4] == "w" {
			bytes = 4
		}
		return armAccess{bytes, write, how}, true
	}
	return none, true
}

// armWords makes instructions: most of the classes that access memory, some of all.
func armWords(n int) []uint32 {
	random := rand.New(rand.NewSource(1))
	classes := []struct{ mask, value uint32 }{
		{0x0a000000, 0x08000000},                                                                               // loads and stores
		{0x3f000000, 0x08000000}, {0x3f200000, 0x08200000}, {0xbe000000, 0x0c000000}, {0xbe9f0000, 0x0c000000}, // exclusive; structures
		{0xbe800000, 0x0c800000}, {0xbf9f0000, 0x0d000000}, {0xbf800000, 0x0d800000},
		{0x3b000000, 0x18000000}, {0x3b000000, 0x19000000}, {0x3a000000, 0x28000000}, {0x3b000000, 0x39000000},
		{0x3b200c00, 0x38200800}, {0x3f200c00, 0x38200000}, {0x3b200000, 0x38000000}, {0xff200400, 0xf8200400},
		{0x3f20fc00, 0x3820c000}, {0x3f207c00, 0x08207c00}, {0x3fa07c00, 0x08a07c00}, {0x3fa07c00, 0x08807c00}, // atomic
		{0xfe000000, 0x84000000}, {0xfe000000, 0xa4000000}, {0xfe000000, 0xc4000000}, {0xfe000000, 0xe4000000}, {0xfe000000, 0xe0000000}, // SVE, SME
		{0xffffffe0, 0xd50b7420}, {0xfffff000, 0xd50b7000}, // dc
		{0, 0},
	}
	words := make([]uint32, n)
	for i := range words {
		c := classes[i%len(classes)]
		words[i] = random.Uint32()&^c.mask | c.value
	}
	return words
}

// disassembled gives the text of each instruction that binutils knows.
func disassembled(t *testing.T, words []uint32, each func(word uint32, text string)) {
	tool := ""
	for _, name := range []string{"aarch64-linux-gnu-objdump", "objdump"} {
		if path, err := exec.LookPath(name); err == nil {
			if out, _ := exec.Command(path, "-i").Output(); strings.Contains(string(out), "aarch64") {
				tool = path
				break
			}
		}
	}
	if tool == "" {
		t.Skip("no objdump for aarch64")
	}
	data := make([]byte, 4*len(words))
	for i, w := range words {
		binary.LittleEndian.PutUint32(data[4*i:], w)
	}
	file := filepath.Join(t.TempDir(), "code")
	require.NoError(t, os.WriteFile(file, data, 0o600))
	out, err := exec.Command(tool, "-D", "-b", "binary", "-m", "aarch64", "-M", "no-aliases", file).Output()
	require.NoError(t, err)
	for line := range strings.Lines(string(out)) {
		if m := armLine.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			word, err := strconv.ParseUint(m[1], 16, 32)
			require.NoError(t, err)
			each(uint32(word), m[2])
		}
	}
}

func TestArmDecoderAgainstBinutils(t *testing.T) {
	compared, wrong := map[string]int{}, 0
	disassembled(t, armWords(60000), func(word uint32, text string) {
		want, ok := expectArm(text)
		if got := decodeArm(word); ok && got != want {
			if wrong++; wrong <= 40 {
				t.Errorf("%08x %s: %+v, and the text says %+v", word, strings.ReplaceAll(text, "\t", " "), got, want)
			}
		}
		if ok {
			compared[fmt.Sprintf("%d bytes, write %d, how %d", want.bytes, want.write, want.how)]++
		}
	})
	require.Zero(t, wrong)
	require.Greater(t, len(compared), 40)
}

var (
	armMove  = regexp.MustCompile(`^(?:orr\t(x\d+), xzr, (x\d+)|add\t(x\d+|sp), (x\d+|sp), #0x0)$`)
	armLoad  = regexp.MustCompile(`^ldu?r\t(x\d+), \[(x\d+|sp)(?:, #(-?\d+))?\]$`)
	armClear = regexp.MustCompile(`^(?:stu?r\txzr|stp\txzr, x\w+), \[(x\d+|sp)(?:, #(-?\d+))?\]$`)
)

const armNop = 0xd503201f

// A variable at a fixed address is a page and a displacement.
func TestArmMovesOfVariables(t *testing.T) {
	const pc, load, clear = 0x400123450, 0xf943c400, 0xf903c41f // ldr x0, [x0, #1928]; str xzr, [x0, #1928]
	registers := [32]uintptr{0: 4096}
	for _, pages := range []int64{0, 1, 2, 3, 5, -1, -7, 1<<20 - 1, -1 << 20} {
		adrp := uint32(0x90000000) | uint32(pages&3)<<29 | uint32(pages>>2&0x7ffff)<<5
		want := uintptr(0x400123000+pages<<12) + 1928
		require.Equal(t, move{kind: moveLoad, address: want}, moveOfArm([4]uint32{armNop, armNop, adrp, load}, pc, registers), pages)
		require.Equal(t, move{kind: moveZero, address: want}, moveOfArm([4]uint32{adrp, armNop, armNop, clear}, pc, registers), pages)
		require.Equal(t, move{kind: moveLoad, address: 4096 + 1928}, moveOfArm([4]uint32{armNop, adrp | 1, armNop, load}, pc, registers), "another register")
	}
	require.Equal(t, move{kind: moveLoad, address: 0x400122000 + 1928}, moveOfArm([4]uint32{0x90000000, armNop, armNop, load}, 0x400123004, registers), "its own page")
}

func TestArmMovesAgainstBinutils(t *testing.T) {
	var registers [32]uintptr
	for i := range registers {
		registers[i] = uintptr(i+1) << 20
	}
	number := func(name string) int {
		if name == "sp" {
			return 31
		}
		n, err := strconv.Atoi(name[1:])
		require.NoError(t, err)
		return n
	}
	address := func(base, far string) uintptr {
		n, _ := strconv.Atoi(far) // none: 0
		return registers[number(base)] + uintptr(n)
	}
	random := rand.New(rand.NewSource(3))
	words := armWords(30000)
	for range 4000 {
		w := random.Uint32()
		words = append(words, w&^0xffe0ffe0|0xaa0003e0, w&^0xfffff800|0x91000000, w&^0xffa00000|0xf9000000, w&^0xffa00000|0xf900001f, w&^0xffa00c00|0xf8000000,
			w&^0xffa00c00|0xf800001f, w&^0xffc00000|0xa900001f, w&^0xff800000|0xa900001f, w&^0xffe00000|0xaa000000)
	}
	seen := map[int]int{}
	disassembled(t, words, func(word uint32, text string) {
		var want move
		if m := armMove.FindStringSubmatch(text); m != nil {
			want = move{kind: moveRegister, to: number(m[1] + m[3]), from: number(m[2] + m[4])}
		} else if m := armLoad.FindStringSubmatch(text); m != nil {
			want = move{kind: moveLoad, to: number(m[1]), address: address(m[2], m[3])}
		} else if m := armClear.FindStringSubmatch(text); m != nil {
			want = move{kind: moveZero, address: address(m[1], m[2])}
		}
		require.Equal(t, want, moveOfArm([4]uint32{armNop, armNop, armNop, word}, 0, registers), "%08x %s", word, text)
		seen[want.kind]++
	})
	for _, kind := range []int{moveRegister, moveLoad, moveZero} {
		require.Greater(t, seen[kind], 500)
	}
	require.Greater(t, seen[moveNone], 10000)
}
