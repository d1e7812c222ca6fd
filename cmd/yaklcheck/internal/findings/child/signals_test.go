package child

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCause(t *testing.T) {
	for _, c := range []struct {
		end           Ending
		cause, others string
	}{
		{Ending{Signal: syscall.SIGTRAP}, "killed by SIGTRAP (5)", "the program that started it was killed by SIGTRAP (5)"},
		{Ending{Signal: 40}, "killed by signal 40", "the program that started it was killed by signal 40"},
		{Ending{Code: 133}, "the process ended with code 133, by _exit, or could not write on",
			"the program that started it ended with code 133, as after SIGTRAP (5)"},
		{Ending{Code: 128}, "the process ended with code 128, by _exit, or could not write on", ""},
		{Ending{Code: 3}, "the process ended with code 3, by _exit, or could not write on", ""},
	} {
		require.Equal(t, c.cause, c.end.Cause())
		require.Equal(t, c.others, c.end.CauseOfOthers())
	}
}
