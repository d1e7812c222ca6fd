package statics

import (
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// plain matches an operand that can be made relative to the next instruction.
var plain = regexp.MustCompile(`[ ,]\(%r[a-z0-9]+\)(,|$|\{)`)

// relative matches an operand that is relative to the next instruction.
var relative = regexp.MustCompile(`(-?\d+)\(%rip\)`)

// TestInstructions reads the list that the decoder in C is tested with, too, and expects a store of exactly the
// instructions that the list calls stores. Operands of static data are relative to the next instruction: operands of the
// list that are plain are made so.
func TestInstructions(t *testing.T) {
	text, err := os.ReadFile("testdata/instructions.txt")
	require.NoError(t, err)
	made, given := 0, 0
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) < 4 || words[0] == "#" {
			continue
		}
		code, err := hex.DecodeString(words[0])
		require.NoError(t, err, line)
		const start, variableAt = 0x10000, 0x9000
		end, address := start+1+len(code), variableAt
		switch m := relative.FindStringSubmatch(line); {
		case m != nil:
			displacement, err := strconv.Atoi(m[1])
			require.NoError(t, err, line)
			address = end + displacement
			given++
		case isPlain(line):
			end += 4
			code = makeRelative(code, strings.Contains(line, "$"), address-end)
			made++
		default:
			continue
		}
		b := &executable{text: []*section{{&elf.Section{SectionHeader: elf.SectionHeader{Addr: start}}, append([]byte{0x90}, code...)}},
			variables: []*variable{{name: "x", address: uint64(address), bytes: 8}}}
		found := b.stores([2]uint64{start, uint64(end)})
		require.Equal(t, words[2] == "store", len(found) == 1, line)
	}
	require.Greater(t, made, 90)
	require.GreaterOrEqual(t, given, 8)
}

// isPlain says whether an instruction has an operand without displacement and index, whose register needs no further byte.
func isPlain(line string) bool {
	return plain.MatchString(strings.TrimSpace(line)) && !strings.Contains(line, "(%rsp)") && !strings.Contains(line, "(%r12)")
}

// makeRelative replaces the operand (%rdi) or the like.
func makeRelative(code []byte, hasImmediate bool, displacement int) []byte {
	immediate := 0
	if hasImmediate {
		for immediate = 1; code[len(code)-1-immediate]&0xc0 != 0 || code[len(code)-1-immediate]&7 != 7; immediate++ {
		}
	}
	at := len(code) - 1 - immediate
	out := append(append([]byte{}, code[:at]...), code[at]&0x38|5)
	return append(binary.LittleEndian.AppendUint32(out, uint32(displacement)), code[at+1:]...)
}
