package instance

import (
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/settings"
)

// yaklcheck doctor, before a run, and the run itself warn of the same values: settings.Variable.Wrong agrees with the
// reader.
func TestWrongIsWhatARunWarnsOf(t *testing.T) {
	looked := 0
	for _, v := range settings.Variables {
		if v.Form == settings.Free || v.Name == settings.Strict { // C reads GATOR_STRICT and warns of nothing
			continue
		}
		for _, value := range []string{"", "1", "yes", "No", ".true.", "maybe", "0", "-3", "4000MB", "0.5 gb", "4G", "much", "4X", "static", "Dynamic", "guided",
			"launch,arrays", "arrys", "all", "hash", "4095", "5000", "12,3", " 3 "} {
			looked++
			why := v.Wrong(value)
			_, warnings := readSettings(variables(map[string]string{v.Name: value}), Request{}, []string{"threads"})
			require.Equal(t, len(warnings) > 0, why != "", "%s=%q: a run warns %q, the doctor says %q", v.Name, value, warnings, why)
		}
	}
	require.Greater(t, looked, 200)
}
