package settings

import (
	"strconv"
	"strings"
)

// Default of HugePages. In this file: what the machine says of it. Not in this file: its callers (internal/instance,
// yaklcheck doctor).

const (
	balloon         = "0x0005" // the number of virtio's balloon among its devices
	reportsFreeBit  = 5        // VIRTIO_BALLOON_F_REPORTING
	mostDevices     = 16
	featureIsAgreed = '1'
)

// ReportsFreePages says whether this machine is a guest whose balloon gives its free memory back to the host. The guest
// returns free pieces of 2 MiB and more. Each huge page is such a piece, so the host must find memory for it again at
// the first touch, by small pages and one after the other. Small pages come from smaller pieces, which the guest keeps.
// text reads a small file; it gives nothing if there is none.
func ReportsFreePages(text func(path string) string) bool {
	for n := range mostDevices {
		device := "/sys/bus/virtio/devices/virtio" + strconv.Itoa(n)
		if strings.TrimSpace(text(device+"/device")) != balloon {
			continue
		}
		if bits := text(device + "/features"); len(bits) > reportsFreeBit && bits[reportsFreeBit] == featureIsAgreed {
			return true
		}
	}
	return false
}
