//go:build portable_test_hooks

package edge

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Between two tests of a waiting thread another thread opens and closes again. The call that has begun meanwhile is not
// waited for.
func TestAWaitKeepsToItsClosing(t *testing.T) {
	for round := range int64(20) {
		require.Zero(t, closedAgain(1<<40+2*round))
	}
}
