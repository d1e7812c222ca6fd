package cuda

import (
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend"
	"libportable/internal/backend/backendtest"
)

func TestNoDevice(t *testing.T) {
	require.Zero(t, Count())
	backendtest.NoDevice(t, func() (backend.Source, error) { return Open(0) })
}
