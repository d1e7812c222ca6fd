package arrays

// This file plans twins, one array with a host side and a device side (TwinMaking.Plan), and
// refuses uses of a stale side (Marks.Take, Marks.Conflict). C keeps the marks
// (owner/twin_check.c).

// Sides of a twin: one array in two places.
const (
	Host = iota
	Device
)

var sideNames = [2]string{"host", "device"}

// TwinMaking is a call that makes a twin. The program gives both configs; the device side takes Lower and Zero from the host side.
type TwinMaking struct {
	Size, Most uint32 // struct_size of the twin's config
	Side       [2]Making
	Of         int32 // the device, for Machine.Rule
	Separate   bool  // two memories, even if one would be enough
	Wraps      bool  // the host side is an array of the program
}

// Sides are the arrays of a twin.
type Sides struct {
	Shape     [2]Shape
	Bytes     [2]uint64
	OneMemory bool // both sides have that of the host
}

// Plan lays out both sides.
func (t *TwinMaking) Plan(x Machine, s *Sides) (err error) {
	*s = Sides{}
	if err = StructSize("config", t.Size, t.Most, "PORTABLE_TWIN_CONFIG_INIT"); err != nil {
		return err
	}
	h, d := &t.Side[Host], &t.Side[Device]
	pool := h.Pool
	if t.Wraps {
		bytes := h.Bytes
		if s.Shape[Host], err = h.Wrap(); err == nil && bytes != h.Bytes {
			err = wrong("element_bytes of the descriptor is %d; elements of the kind %s have %d", bytes, KindName(h.Kind), h.Bytes)
		}
	} else {
		if err = h.check(); err == nil && h.End {
			err = wrong("config.host has an end; that is for arrays")
		}
		if err == nil {
			h.Device = OnHost
			s.Shape[Host], s.Bytes[Host], err = h.Create(x)
		}
	}
	if err == nil {
		err = d.check()
	}
	if err != nil {
		return err
	}
	host := &s.Shape[Host]
	for k := range host.Rank {
		if d.Lower != nil && d.Lower[k] != host.Lower[k] {
			return wrong("dimension %d begins at %d on the host side and at %d on the device side; both have the same bounds, those of the host side",
				k+1, host.Lower[k], d.Lower[k])
		}
	}
	d.Label, d.Kind, d.Bytes, d.Rank, d.Extent, d.Lower, d.Zero = h.Label, h.Kind, h.Bytes, h.Rank, &host.Extent, &host.Lower, h.Zero
	d.Device = t.Of
	if d.Space >= firstDevice {
		d.Device = Far
	}
	if d.Space == 0 && d.Pool == 0 {
		d.Space = x.DeviceSpace(t.Of)
	}
	d.settle(x)
	if s.Shape[Device], s.Bytes[Device], err = d.lay(); err != nil {
		return err
	}
	s.OneMemory = !t.Separate && d.Space == h.Space && d.Pool == pool && lieAlike(host, &s.Shape[Device])
	if !s.OneMemory {
		err = d.place(x)
	}
	return err
}

func lieAlike(a, b *Shape) bool {
	for d := range a.Rank {
		if a.Extent[d] > 1 && a.Stride[d] != b.Stride[d] {
			return false
		}
	}
	return a.Order == b.Order
}

// Accesses to a side; the numbers are those of portable_twin.h.
const (
	Read = 1 + iota
	Update
	Overwrite
)

// Side has the marks of one side.
type Side struct {
	Newer    bool
	Arriving bool   // a sync to it is under way in a stream
	Since    string // the call that made it newer, for texts
	Unmarked string // the label of a launch that wrote it without a mark
}

// Marks are the marks of a twin.
type Marks struct {
	Label string
	Sides [2]Side
	Check bool // PORTABLE_CHECK=arrays
}

// Take refuses an access of a call to a side; nil: allowed. Only PORTABLE_CHECK=arrays refuses a valid access.
func (m *Marks) Take(call string, side, access int32) error {
	if access < Read || access > Overwrite {
		return m.refuse(ErrArgument, "", call, "there is no access %d; there are PORTABLE_TWIN_READ, _UPDATE and _OVERWRITE", access)
	}
	if !m.Check {
		return nil
	}
	mine, other := sideNames[side], &m.Sides[1-side]
	if other.Newer && access != Overwrite {
		return m.refuse(ErrState, checked, call, "the %s side is stale: the %s side is newer, it was %s; call portable_twin_sync_%s before, or take the side "+
			"with PORTABLE_TWIN_OVERWRITE where what is in it is not needed", mine, sideNames[1-side], other.Since, mine)
	}
	for to := range m.Sides { // of the device: in the order of its stream
		if side == Host && m.Sides[to].Arriving && (to == Host || access != Read) {
			how := "changed"
			if access == Read {
				how = "read"
			}
			return m.refuse(ErrState, checked, call, "a sync to the %s side is under way in a stream; wait for it with portable_stream_fence before the host side is %s",
				sideNames[to], how)
		}
	}
	if access != Overwrite && other.Unmarked != "" {
		return m.Conflict(call)
	}
	return nil
}

// Conflict refuses a sync if both sides have changed; nil: allowed.
func (m *Marks) Conflict(call string) error {
	if m.Sides[Host].Newer && m.Sides[Device].Newer {
		return m.refuse(ErrState, "", call, "both sides were changed since they were the same: the host side was %s, the device side %s; a sync was forgotten between "+
			"the two. portable_twin_discard_host or _device says whose changes are not wanted", m.Sides[Host].Since, m.Sides[Device].Since)
	}
	for side, s := range m.Sides {
		if m.Check && s.Unmarked != "" {
			name := sideNames[side]
			return m.refuse(ErrState, checked, call, "the launch '%s' has written the %s side, and the change was not marked; take the side with PORTABLE_TWIN_UPDATE or "+
				"_OVERWRITE before it, or call portable_twin_modified_%s after it", s.Unmarked, name, name)
		}
	}
	return nil
}

// Untold refuses a sync if the checksum of a side has changed without a mark.
func (m *Marks) Untold(call string, side int32) error {
	name := sideNames[side]
	return m.refuse(ErrState, checked, call, "the %s side was changed since both were the same, and the change was not marked; take the side with PORTABLE_TWIN_UPDATE or "+
		"_OVERWRITE before it is changed, or call portable_twin_modified_%s after", name, name)
}

const checked = "PORTABLE_CHECK=arrays: "

func (m *Marks) refuse(kind error, begin, call, format string, arguments ...any) error {
	text := begin + call + " of '" + m.Label + "': " + wrong(format, arguments...).Error()
	return &fault{kind, text}
}
