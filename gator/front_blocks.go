package gator

// BlockFront is a cache of freed blocks between the users and a Direct, which parks whole blocks and gives them, as they are, to a later request of the same
// bytes and label. So what the register says of a block stays true whoever has it.
//
// Direct calls it with its own lock held; no method may call Direct.
type BlockFront interface {
	Parking
	// Publish tells of a live block that may be parked once it is freed. Withdraw takes that back, and says whether the block is live: one that
	// is parked stays what it is. Parked says that alone.
	Publish(addr uintptr)
	Withdraw(addr uintptr) (live bool)
	Parked(addr uintptr) bool
	// Full says that a block was not parked for lack of room since the last Drain.
	Full() bool
	// Most is the greatest Counts().Bytes since it was asked last: the high water of what the Direct does not see.
	Most() int64
}

// noBlocks stands where nothing caches.
type noBlocks struct{ noFront }

func (noBlocks) Publish(uintptr)       {}
func (noBlocks) Withdraw(uintptr) bool { return true }
func (noBlocks) Parked(uintptr) bool   { return false }
func (noBlocks) Full() bool            { return false }
func (noBlocks) Most() int64           { return 0 }
