package arrays

// This file checks and completes the calls that make arrays and records. Making.Create plans new
// memory, Making.Wrap takes the program's own; both ask Machine for rules, pools and devices.

// ByRule is added to an order: rules may replace it.
const ByRule = 16

// Machine answers the questions on which the plan of an array depends. capi asks the running instance.
type Machine interface {
	Rule(label string, device int32, rank int) Rule // device: 0 (the default one), a number, OnHost or Far
	Pool(space int32) (uint64, error)               // the pool of a space, if the program names no pool
	Copied(space int32) bool                        // copies and fills can access the space
	DeviceSpace(device int32) int32                 // the space of arrays for a device
}

// Numbers for Machine.Rule that are no devices: the host side of a twin, and any device with memory of its own.
const (
	OnHost = -1
	Far    = -2
)

// Config is portable_array_config.
type Config struct {
	Size, Most uint32 // struct_size, and the largest
	Order      Order
	Fastest    *[MaxRank]int32
	Lower      *Indices
	Space      int32
	Zero, End  bool
	RowBytes   uint64
	Pool       uint64
}

// Making is a call that makes an array. Create and Wrap check its fields in their order and complete it.
type Making struct {
	Config
	Label   string
	Kind    int32
	Bytes   uint64 // of an element
	Rank    int
	Extent  *Indices
	Strides *Indices
	NoData  bool  // data is NULL
	Device  int32 // for Machine.Rule

	lower   Indices // of rules
	fastest [MaxRank]int32
}

// Create lays out a new array: its shape, bytes and pool.
func (m *Making) Create(x Machine) (s Shape, bytes uint64, err error) {
	if err = m.check(); err == nil {
		m.settle(x)
		if err = m.place(x); err == nil {
			return m.lay()
		}
	}
	return s, 0, err
}

// Wrap gives the shape of an array whose elements are there already.
func (m *Making) Wrap() (s Shape, err error) {
	if err = m.wrapped("elements lie somewhere", "row_bytes: give strides"); err != nil {
		return s, err
	}
	if s, _, err = m.lay(); err == nil && m.NoData && s.Elements() > 0 {
		err = wrong("data is NULL, but the array has %d elements; was it allocated?", s.Elements())
	}
	return s, err
}

func (m *Making) check() error {
	if err := StructSize("config", m.Size, m.Most, "PORTABLE_ARRAY_CONFIG_INIT"); err != nil {
		return err
	}
	if m.Space < 0 {
		return wrong("space is %d; it is PORTABLE_SPACE_HOST, _PINNED, _MANAGED or _DEVICE(k)", m.Space)
	}
	return nil
}

// wrapped checks the config for memory that the program has.
func (m *Making) wrapped(what, row string) error {
	if err := m.check(); err != nil {
		return err
	}
	switch {
	case m.Order >= ByRule:
		return wrong("the order is left to rules, but the %s already; give their order", what)
	case m.Zero:
		row = "zero"
	case m.Pool != 0:
		row = "a pool"
	case m.RowBytes == 0:
		return nil
	}
	return wrong("config has %s; that is only for memory that the library allocates", row)
}

// settle takes order and row bytes from the rules if the call leaves the order to them. Request.shape refuses an invalid rank or order later.
func (m *Making) settle(x Machine) {
	if m.Order < ByRule {
		return
	}
	m.Order -= ByRule
	if m.Rank < 0 || m.Rank > MaxRank || m.Order > Permuted {
		return
	}
	if m.Lower == nil {
		for d := range m.Rank {
			m.lower[d] = m.Order.base()
		}
		m.Lower = &m.lower
	}
	device := m.Device
	if device == 0 && m.Space >= firstDevice {
		device = Far
	}
	r := x.Rule(m.Label, device, m.Rank)
	if r.Ordered {
		m.Order, m.fastest = r.Order, r.Fastest
		m.Fastest = &m.fastest
	}
	if m.RowBytes == 0 {
		m.RowBytes = r.RowBytes
	}
}

// place finds the pool. It refuses zero if the host cannot write the memory.
func (m *Making) place(x Machine) (err error) {
	if m.Space != 0 && m.Pool == 0 {
		if m.Pool, err = x.Pool(m.Space); err != nil {
			return err
		}
	}
	if m.Zero && m.Space >= firstDevice && !x.Copied(m.Space) {
		return wrong("zero is set, but the host does not reach the memory of a device")
	}
	return nil
}

// lay checks kind and extents, and lays the elements out.
func (m *Making) lay() (s Shape, bytes uint64, err error) {
	if m.Bytes, err = ElementBytes(m.Kind, m.Bytes); err != nil {
		return s, 0, err
	}
	if m.Rank > 0 && m.Extent == nil {
		return s, 0, Missing("extents")
	}
	r := m.request()
	if m.Strides != nil {
		s, err = r.Wrap(m.Strides)
		return s, 0, err
	}
	return r.Layout()
}

func (m *Making) request() Request {
	return Request{Rank: m.Rank, Order: m.Order, Fastest: m.Fastest, Extent: m.Extent, Lower: m.Lower, ElementBytes: m.Bytes, RowBytes: m.RowBytes}
}

// RecordsMaking is a call that makes records.
type RecordsMaking struct {
	Making
	Record *Record // nil: NULL, or no record
	NoneOf string  // why Record is nil, for the text
	Layout RecordLayout
	Width  int64
}

// Create places new records.
func (m *RecordsMaking) Create(x Machine) (p Placing, err error) {
	if err = m.check(); err != nil {
		return p, err
	}
	row := m.RowBytes
	m.settle(x)
	if row != 0 {
		return p, wrong("row_bytes is set; records have no gaps: PORTABLE_RECORDS_BLOCKS has whole blocks in each line")
	}
	if err = m.place(x); err != nil {
		return p, err
	}
	return m.lie(true)
}

// Wrap places records that are there already.
func (m *RecordsMaking) Wrap() (p Placing, err error) {
	if err = m.wrapped("records lie somewhere", "row_bytes"); err != nil {
		return p, err
	}
	if p, err = m.Place(); err == nil && m.NoData && p.Elements() > 0 {
		err = wrong("data is NULL, but there are %d records; were they allocated?", p.Elements())
	}
	return p, err
}

// Place lays records out that lie as portable_records_wrap says.
func (m *RecordsMaking) Place() (p Placing, err error) { return m.lie(false) }

func (m *RecordsMaking) lie(spread bool) (p Placing, err error) {
	if m.Record == nil {
		return p, wrong("the record is %s", m.NoneOf)
	}
	if m.Rank > 0 && m.Extent == nil {
		return p, Missing("extents")
	}
	if err = m.Record.Sound(); err != nil {
		return p, err
	}
	r := m.request()
	rs := Records{Fields: m.Record.Fields, Bytes: m.Record.Bytes, Layout: m.Layout, Width: m.Width, Spread: spread}
	return rs.Place(&r)
}
