package fake

import (
	"testing"

	"libportable/internal/backend/backendtest"
)

func TestDevice(t *testing.T) {
	backendtest.Device(t, Device{N: 1})
	backendtest.Device(t, Device{N: 5})
}
