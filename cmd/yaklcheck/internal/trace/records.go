package trace

import "strconv"

// This file lists the records, field by field in the order of the file. code.go writes and reads a
// field.

// Kind is the type of a record.
type Kind uint16

// The numbers are those of internal/tracing/trace.h. They are never reused.
const (
	KindMeta Kind = iota + 1
	KindModule
	KindStack
	KindFinding
	KindAlloc
	KindFree
	KindBegin
	KindEnd
	KindCheckpoint
	KindSlab
	KindHash
	KindFinish
	KindNote
)

// Head is the common part of records: the thread that wrote it, with the number of the system, and the time in
// nanoseconds of a clock that only moves forward.
type Head struct {
	Thread uint32
	Time   uint64
}

// When returns the head of any record.
func (h *Head) When() *Head { return h }

// Record is one of the types below.
type Record interface {
	Kind() Kind
	When() *Head
	fields(c *code)
}

// Meta describes the process: version, pid, ppid, rank, size, exe, cwd, argv (joined by zeros), page, mode, settings.
type Meta struct {
	Head
	Pairs []Pair
}

// Pair is one name and its value.
type Pair struct{ Name, Value string }

// Value returns the value of a name, or "".
func (m *Meta) Value(name string) string {
	if m == nil {
		return ""
	}
	for _, p := range m.Pairs {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}

// PageSize is the bytes of one page of the process. Older traces do not say: their machines had 4 KiB.
func (m *Meta) PageSize() uint64 {
	n, err := strconv.ParseUint(m.Value("page"), 10, 32)
	if err != nil || n < 4096 || n&(n-1) != 0 {
		return 4096
	}
	return n
}

// Module is one file that was mapped with code in it. An address of the process minus Bias is an address of the file.
type Module struct {
	Head
	Start, End, Bias uint64
	Path             string
	BuildID          string // in hex; "" if the file has none
}

// Stack is a call stack. PC[0] is the instruction itself if Exact is true; all others are return addresses.
type Stack struct {
	Head
	ID     uint32
	PC     []uint64
	Flags  uint32
	Kernel string // label of the kernel that the thread ran, or ""
}

// Exact reports whether PC[0] is the instruction itself.
func (s *Stack) Exact() bool { return s.Flags&1 != 0 }

// FindingKind is the kind of an error.
type FindingKind uint32

const (
	OutOfBounds FindingKind = iota + 1
	UseAfterFree
	CanaryOverwritten
	DoubleFree
	ForeignFree
	InteriorFree
	IntrinsicFree
	Leak
	Growth
	NeverWritten
	IndexOutOfBounds
	HostAccess
	HostInKernel
	StreamHazard
	TimersNotNested
	BadBounds
	MissingSync
	KernelWroteArguments
	OtherCheck
	InternalError
	Died
)

// Flags of a finding.
const (
	FlagWrite       = 1
	FlagRead        = 2
	FlagQuarantine  = 4
	FlagCountedOnly = 8
)

// Finding is one error of the program. Its stacks are numbers of Stack records; 0: there is no stack.
type Finding struct {
	Head
	What        FindingKind
	Flags       uint32
	Address     uint64
	AccessBytes uint64 // 0: unknown
	Distance    int64  // bytes after the end (>= 0) or before the start (< 0)
	BlockStart  uint64
	BlockBytes  uint64
	HereStack   uint32
	AllocStack  uint32
	FreeStack   uint32
	OtherStack  uint32
	Count       uint64
	Label       string
	Text        string
	OtherLabel  string
}

// Alloc is an allocated block.
type Alloc struct {
	Head
	Address, Bytes uint64
	Stack          uint32
	Pool           uint64
	Label          string
}

// Free is a block that was freed, with the fields of its allocation.
type Free Alloc

// Kinds of Begin and End besides those of launches.
const (
	WorkFence  = 0
	WorkRegion = 100
)

// Begin is the begin of a launch, a fence or a region of a timer. ID joins it with its End.
type Begin struct {
	Head
	ID     uint64
	Work   uint32 // PORTABLE_LAUNCH_..., WorkFence or WorkRegion
	Device int32
	Count  int64 // iterations
	Stack  uint32
	Label  string
}

// End is the end of a launch, a fence or a region.
type End struct {
	Head
	ID     uint64
	Work   uint32
	Status int32
	Label  string
}

// Checkpoint is the live memory when the program called portable_checkpoint.
type Checkpoint struct {
	Head
	LiveBytes, LiveBlocks uint64
	Stack                 uint32
	Label                 string
	Groups                []Group
}

// Group is the live blocks of one place and label.
type Group struct {
	AllocStack    uint32
	Bytes, Blocks uint64
	Label         string
}

// Values of Slab.What.
const (
	SlabReserved = 1
	SlabReleased = 2
)

// Slab is a slab that a pool took from its source or released.
type Slab struct {
	Head
	What           uint32
	Address, Bytes uint64
	Pool           string
}

// Hash is the checksum of one block after a launch or at a checkpoint, if it has changed. A Hash without a block's
// label ends the step; its Bytes are the number of blocks.
type Hash struct {
	Head
	Launch         uint64 // number of the step, from 1
	Address, Bytes uint64
	Sum            uint64
	Index          uint32 // index among the blocks of its label
	Element        int32  // kind of element, 0: unknown
	Block, At      string // labels of the block, and of the launch or checkpoint
	Part           uint64 // bytes of each of the parts
	Parts          []uint64
}

// Finish is the last record of a process that could write it.
type Finish struct {
	Head
	Findings, LiveBlocks, LiveBytes, Allocations, HighWater uint64
	How, Signal                                             int32 // How: 0 exit, 1 finalize, 2 signal
}

// Note is a message for the reader of a report.
type Note struct {
	Head
	Text string
}

// Unknown is a record of a kind that this version does not know, from a newer library.
type Unknown struct {
	Head
	Of      Kind
	Payload []byte
}

func (*Meta) Kind() Kind       { return KindMeta }
func (*Module) Kind() Kind     { return KindModule }
func (*Stack) Kind() Kind      { return KindStack }
func (*Finding) Kind() Kind    { return KindFinding }
func (*Alloc) Kind() Kind      { return KindAlloc }
func (*Free) Kind() Kind       { return KindFree }
func (*Begin) Kind() Kind      { return KindBegin }
func (*End) Kind() Kind        { return KindEnd }
func (*Checkpoint) Kind() Kind { return KindCheckpoint }
func (*Slab) Kind() Kind       { return KindSlab }
func (*Hash) Kind() Kind       { return KindHash }
func (*Finish) Kind() Kind     { return KindFinish }
func (*Note) Kind() Kind       { return KindNote }
func (u *Unknown) Kind() Kind  { return u.Of }

// empty are constructors of the kinds.
var empty = map[Kind]func() Record{
	KindMeta:       func() Record { return new(Meta) },
	KindModule:     func() Record { return new(Module) },
	KindStack:      func() Record { return new(Stack) },
	KindFinding:    func() Record { return new(Finding) },
	KindAlloc:      func() Record { return new(Alloc) },
	KindFree:       func() Record { return new(Free) },
	KindBegin:      func() Record { return new(Begin) },
	KindEnd:        func() Record { return new(End) },
	KindCheckpoint: func() Record { return new(Checkpoint) },
	KindSlab:       func() Record { return new(Slab) },
	KindHash:       func() Record { return new(Hash) },
	KindFinish:     func() Record { return new(Finish) },
	KindNote:       func() Record { return new(Note) },
}

// make returns an empty record of a kind.
func (k Kind) make() Record {
	if of := empty[k]; of != nil {
		return of()
	}
	return &Unknown{Of: k}
}

func (m *Meta) fields(c *code) {
	for i := range list(c, &m.Pairs, 8) {
		c.fields(&m.Pairs[i].Name, &m.Pairs[i].Value)
	}
}

func (m *Module) fields(c *code) { c.fields(&m.Start, &m.End, &m.Bias, &m.Path, &m.BuildID) }

func (s *Stack) fields(c *code) { c.fields(&s.ID, &s.PC, &s.Flags, &s.Kernel) }

func (f *Finding) fields(c *code) {
	c.fields((*uint32)(&f.What), &f.Flags, &f.Address, &f.AccessBytes, &f.Distance, &f.BlockStart, &f.BlockBytes,
		&f.HereStack, &f.AllocStack, &f.FreeStack, &f.OtherStack, &f.Count, &f.Label, &f.Text, &f.OtherLabel)
}

func (a *Alloc) fields(c *code) { c.fields(&a.Address, &a.Bytes, &a.Stack, &a.Pool, &a.Label) }

func (f *Free) fields(c *code) { (*Alloc)(f).fields(c) }

func (b *Begin) fields(c *code) {
	c.fields(&b.ID, &b.Work, &b.Device, &b.Count, &b.Stack, &b.Label)
}

func (e *End) fields(c *code) { c.fields(&e.ID, &e.Work, &e.Status, &e.Label) }

func (p *Checkpoint) fields(c *code) {
	c.fields(&p.LiveBytes, &p.LiveBlocks, &p.Stack, &p.Label)
	for i := range list(c, &p.Groups, 24) {
		g := &p.Groups[i]
		c.fields(&g.AllocStack, &g.Bytes, &g.Blocks, &g.Label)
	}
}

func (s *Slab) fields(c *code) { c.fields(&s.What, &s.Address, &s.Bytes, &s.Pool) }

func (h *Hash) fields(c *code) {
	c.fields(&h.Launch, &h.Address, &h.Bytes, &h.Sum, &h.Index, &h.Element, &h.Block, &h.At, &h.Part, &h.Parts)
}

func (f *Finish) fields(c *code) {
	c.fields(&f.Findings, &f.LiveBlocks, &f.LiveBytes, &f.Allocations, &f.HighWater, &f.How, &f.Signal)
}

func (n *Note) fields(c *code) { c.fields(&n.Text) }

func (u *Unknown) fields(c *code) { c.fields(&u.Payload) }
