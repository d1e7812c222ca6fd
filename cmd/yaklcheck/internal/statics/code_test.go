package statics

import (
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// plain matches an operand that can be made relative to the next instruction.
var plain = regexp.MustCompile(`[ ,]\(%r[a-z0-9]+\)(,|$|\{)`)

// TestInstructions reads the list that the decoder in C is tested with, too. It makes each operand relative to the next
// instruction, as operands of static data are, and expects a store of exactly the instructions that the list calls
// stores.
func TestInstructions(t *testing.T) {
	text, err := os.ReadFile("testdata/instructions.txt")
	require.NoError(t, err)
	looked := 0
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) < 4 || words[0] == "#" || !plain.MatchString(strings.TrimSpace(line)) {
			continue
		}
		code, err := hex.DecodeString(words[0])
		require.NoError(t, err, line)
		immediate := 0
		if strings.Contains(line, "$") {
			for immediate = 1; code[len(code)-1-immediate]&0xc0 != 0 || code[len(code)-1-immediate]&7 != 7; immediate++ {
			}
		}
		at := len(code) - 1 - immediate
		const start, variableAt = 0x1000, 0x9000
		relative := append([]byte{0x90}, code[:at]...)
		relative = append(relative, code[at]&0x38|5)
		end := start + len(relative) + 4 + immediate
		relative = binary.LittleEndian.AppendUint32(relative, uint32(variableAt-end))
		relative = append(relative, code[at+1:]...)
		b := &executable{text: []*section{{&elf.Section{SectionHeader: elf.SectionHeader{Addr: start}}, relative}},
			variables: []*variable{{name: "x", address: variableAt, bytes: 64}}}
		found := b.stores([2]uint64{start, uint64(end)})
		require.Equal(t, words[2] == "store", len(found) == 1, line)
		looked++
	}
	require.Greater(t, looked, 90)
}
