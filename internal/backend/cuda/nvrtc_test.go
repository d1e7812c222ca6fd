package cuda

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The compiler of the driver's own CUDA is tried first; a library that the user names is the only one.
func TestCompilersAreTriedInOrder(t *testing.T) {
	tried := []string{}
	open := func(path string) string {
		tried = append(tried, path)
		return path + " is missing"
	}
	found, why := search("", 12, open)
	require.False(t, found)
	require.Contains(t, why, "there is no libnvrtc.so of CUDA 13, 12 or 11")
	require.Equal(t, []string{"libnvrtc.so.12", "libnvrtc.so.13", "libnvrtc.so.11.2", "libnvrtc.so.11.1", "libnvrtc.so.11.0", "libnvrtc.so"}, tried)
	require.Equal(t, []string{"libnvrtc.so.14", "libnvrtc.so.13"}, candidates(14)[:2])
	require.Equal(t, "libnvrtc.so", candidates(0)[0])
	tried = nil
	found, why = search("/my/library", 12, open)
	require.False(t, found)
	require.Equal(t, "/my/library is missing", why)
	require.Equal(t, []string{"/my/library"}, tried)
	found, why = search("", 13, func(path string) string { return "" })
	require.True(t, found)
	require.Empty(t, why)
}
