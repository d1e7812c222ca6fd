package settings

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReportsFreePages(t *testing.T) {
	const reporting, plain = "0110010100000000\n", "0110000100000000\n"
	guest := func(number, features string) func(string) string {
		files := map[string]string{
			"/sys/bus/virtio/devices/virtio0/device":   "0x0002\n",
			"/sys/bus/virtio/devices/virtio0/features": reporting,
			"/sys/bus/virtio/devices/virtio3/device":   number,
			"/sys/bus/virtio/devices/virtio3/features": features,
		}
		return func(path string) string { return files[path] }
	}
	require.True(t, ReportsFreePages(guest("0x0005\n", reporting)))
	require.False(t, ReportsFreePages(guest("0x0005\n", plain)), "a balloon without the feature")
	require.False(t, ReportsFreePages(guest("0x0001\n", reporting)), "another device's feature")
	require.False(t, ReportsFreePages(guest("0x0005\n", "0110\n")), "a short list")
	require.False(t, ReportsFreePages(func(string) string { return "" }), "no guest of virtio's")
}
