package instance

import (
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/doctor"
)

// What yaklcheck doctor finds senseless before a run is what a run warns of.
func TestDoctorReadsVariablesAsARunDoes(t *testing.T) {
	looked := 0
	for _, name := range known {
		for _, value := range []string{"", "1", "yes", "No", ".true.", "maybe", "0", "-3", "4000MB", "0.5 gb", "4G", "much", "4X", "static", "Dynamic", "guided",
			"launch,arrays", "arrys", "all", "hash", "4095", "5000", "12,3", " 3 "} {
			why, is := doctor.Wrong(name, value)
			if !is || name == varStrict { // which C reads, silently
				continue
			}
			looked++
			_, warnings := settings(variables(map[string]string{name: value}), Request{}, []string{"threads"})
			require.Equal(t, len(warnings) > 0, why != "", "%s=%q: a run warns %q, the doctor says %q", name, value, warnings, why)
		}
	}
	require.Greater(t, looked, 200)
}
