package options

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWords(t *testing.T) {
	require.Empty(t, Words("  "))
	for text, want := range map[string][]string{
		"-arch sm_80 -DA=1":                      {"-arch=sm_80", "-DA=1"},
		"--std=c++17 --maxrregcount 64":          {"--std=c++17", "--maxrregcount=64"},
		"--offload-arch gfx942 rest":             {"--offload-arch=gfx942", "rest"},
		"--offload-arch":                         {"--offload-arch"},
		"-I folder -D NAME -lineinfo -fmad=true": {"-I", "folder", "-D", "NAME", "-lineinfo", "-fmad=true"},
		"-arch -lineinfo":                        {"-arch", "-lineinfo"},
	} {
		require.Equal(t, want, Words(text), text)
	}
}

func TestNvidia(t *testing.T) {
	require.True(t, Nvidia("-arch") && Nvidia("--maxrregcount") && Nvidia("-lineinfo"))
	require.False(t, Nvidia("--std") || Nvidia("--fmad") || Nvidia("-arch=sm_80"))
}

func TestFeature(t *testing.T) {
	for _, right := range []string{"gfx90a", "gfx90a:sramecc+:xnack-", "gfx906:xnack+", "gfx1030", "gfx1200"} {
		_, wrong := Feature(right)
		require.False(t, wrong, right)
	}
	for text, want := range map[string]string{"gfx90a:bogus+": "bogus+", "gfx1030:xnack+": "xnack+", "gfx90a:xnack": "xnack", "gfx90a:xnack+:": "", "gfx906:xnack+-": "xnack+-",
		"gfx90a:xnack+:xnack-": "xnack-"} {
		word, wrong := Feature(text)
		require.True(t, wrong, text)
		require.Equal(t, want, word, text)
	}
}
