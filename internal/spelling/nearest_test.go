package spelling

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNearest(t *testing.T) {
	list := []string{"PORTABLE_TRACE", "PORTABLE_NUM_THREADS", "PORTABLE_TUNING", "GATOR_STRICT", "PORTABLE_TWINS"}
	for word, want := range map[string]string{
		"PORTABLE_NUM_THREAD":    "PORTABLE_NUM_THREADS",
		"PORTABLE_NUMTHREADS":    "PORTABLE_NUM_THREADS",
		"PORTABLE_TRACES":        "PORTABLE_TRACE",
		"PORTABLE_TRCAE":         "PORTABLE_TRACE",
		"GATORSTRICT":            "GATOR_STRICT",
		"PORTABLE_TWIN":          "PORTABLE_TWINS",
		"PORTABLE_QUITE_ANOTHER": "",
		"GATOR_":                 "",
		"GAT":                    "",
		"":                       "",
	} {
		require.Equal(t, want, Nearest(word, list), word)
	}
	require.Empty(t, Nearest("ab", []string{"cd"}))
	require.Equal(t, "ABCDEX", Nearest("ABCDEF", []string{"ABCDEY", "ABCDEX"}), "the first by the alphabet")
}
