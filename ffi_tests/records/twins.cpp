// twins.cpp - RecordsTwin in C++: one code on every layout, marks, what is only read, sides that outlive the twin, streams, what is refused. Not in this file:
// marks and syncs of all kinds (../twins), twins of records in C (twins.c).
#include "check.hpp"

struct Atom {
  double x[3];
  float mass;
  std::int32_t kind;
};
PORTABLE_RECORD(Atom, x, mass, kind)

using portable::RecordLayout;
using portable::Records;
using portable::RecordsTwin;
using portable::TwinConfig;

namespace {

constexpr int nj = 5, ni = 37;

// Atoms that tell their place, and what was added to x.
template <class R> bool has(const R &atoms, double add) {
  bool good = true;
  for (int j = 0; j < nj; j++)
    for (int i = 0; i < ni; i++) {
      const Atom one = atoms.load(j, i);
      good = good && one.x[0] == 100 * j + i + add && one.x[2] == -i + add && one.mass == 0.5F && one.kind == j;
    }
  return good;
}

template <class Twin> void there_and_back(const Twin &atoms, bool separate) {
  CHECK(atoms.initialized() && atoms.one_memory() == !separate);
  const auto here = atoms.overwrite_host();
  parallel_for("set", portable::c::Bounds<2>(nj, ni), PORTABLE_LAMBDA(int j, int i) {
    here.template get<&Atom::x>(j, i, 0) = 100 * j + i;
    here.template get<&Atom::x>(j, i, 1) = 0;
    here.template get<&Atom::x>(j, i, 2) = -i;
    here.template get<&Atom::mass>(j, i) = 0.5F;
    here.template get<&Atom::kind>(j, i) = j;
  });
  CHECK(atoms.host_newer() && !atoms.device_newer());
  atoms.sync_device();
  CHECK(!atoms.host_newer() && has(atoms.read_device(), 0));
  const auto there = atoms.update_device();
  CHECK((&there.template get<&Atom::kind>(1, 2) == &here.template get<&Atom::kind>(1, 2)) == !separate);
  parallel_for("push", portable::c::Bounds<2>(nj, ni), PORTABLE_LAMBDA(int j, int i) {
    for (int c = 0; c < 3; c++) there.template get<&Atom::x>(j, i, c) += 1;
  });
  CHECK(atoms.device_newer() && has(here, separate ? 0 : 1));
  const portable::Stream stream(portable::StreamKind::asynchronous);
  atoms.sync_host(stream);
  stream.fence();
  CHECK(has(here, 1) && has(atoms.read_host(), 1));
  // both sides changed: a sync would lose one
  atoms.modified_host("a loop");
  atoms.modified_device("a kernel");
  CHECK(checks::has(checks::error_of([&] { atoms.sync_host(); }), "both sides were changed since they were the same"));
  atoms.discard_device();
  atoms.sync_device();
  CHECK(has(there, 1));
}

template <class L> void typed(bool separate) {
  const RecordsTwin<Atom, 2, L> atoms("atoms", TwinConfig().set_separate(separate), nj, ni);
  there_and_back(atoms, separate);
  static_assert(std::is_same<decltype(atoms.update_device()), Records<Atom, 2, L>>::value, "a side has the layout of the twin");
}

// A side that is read cannot be changed, and records that can be are taken where they are only read.
void only_read() {
  const RecordsTwin<Atom, 2, portable::records_soa> atoms("atoms", nj, ni);
  const auto here = atoms.overwrite_host();
  here.store(Atom{{1, 2, 3}, 4, 5}, 4, 36);
  const auto read = atoms.read_host();
  static_assert(std::is_same<decltype(read.get<&Atom::mass>(0, 0)), const float &>::value, "what is read is const");
  const Records<const Atom, 2, portable::records_soa> as_well = here;
  CHECK(read.get<&Atom::x>(4, 36, 2) == 3 && &read.get<&Atom::kind>(4, 36) == &as_well.get<&Atom::kind>(4, 36));
  CHECK(read.field<&Atom::mass>()(4, 36) == 4 && read.load(4, 36).kind == 5);
  const Records<Atom, 2> copy("copy", RecordLayout::blocks(4), nj, ni);
  read.deep_copy_to(copy);
  CHECK(copy.get<&Atom::x>(4, 36, 1) == 2);
}

void held() {
  const std::uint64_t before = checks::blocks();
  {
    Records<const Atom, 1> last;
    {
      RecordsTwin<Atom, 1> one("held", RecordLayout::soa(), TwinConfig().set_separate().set_zero(), 10), two = one;
      CHECK(one.c_twin() == two.c_twin() && one.read_host().load(9).x[1] == 0);
      one = RecordsTwin<Atom, 1>();
      CHECK(!one.initialized() && two.initialized());
      two.overwrite_host().store(Atom{{0, 7, 0}, 0, 0}, 9);
      two.sync_device();
      last = two.read_device();
    }
    CHECK(last.get<&Atom::x>(9, 1) == 7 && std::strcmp(last.label(), "held") == 0);
  }
  CHECK(checks::blocks() == before);
  const RecordsTwin<Atom, 1> none("none", RecordLayout::aos(), 0);
  none.modified_host();
  none.sync_device();
  CHECK(none.update_device().size() == 0);
}

void refused() {
  using checks::error_of;
  CHECK(checks::has(error_of([] { (RecordsTwin<Atom, 1>("r", RecordLayout::blocks(3), 10)); }), "width is 3"));
  CHECK(checks::has(error_of([] { (RecordsTwin<Atom, 1>("r", RecordLayout::soa(), TwinConfig().set_device(portable::Layout::fortran()), 10)); }),
                    "RecordsTwin 'r': an order or lower bounds are given"));
  CHECK(!error_of([] { (RecordsTwin<Atom, 1>("r", RecordLayout::soa(), -1)); }).empty());
  CHECK(!error_of([] { (RecordsTwin<Atom, 1>().read_host()); }).empty());
  CHECK(!error_of([] { (RecordsTwin<Atom, 1>().sync_device()); }).empty());
  portable_set_checks(PORTABLE_CHECK_ARRAYS);
  const RecordsTwin<Atom, 1> stale("stale", RecordLayout::soa(), TwinConfig().set_separate(), 10);
  stale.modified_host("a loop");
  CHECK(checks::has(error_of([&] { stale.read_device(); }), "the device side is stale: the host side is newer, it was marked by portable_twin_modified_host ('a loop')"));
  portable_set_checks(0);
}

} // namespace

int main() {
  return checks::run([] {
    for (const bool separate : {false, true}) {
      for (const RecordLayout &layout : {RecordLayout::aos(), RecordLayout::soa(), RecordLayout::blocks(4)})
        there_and_back(RecordsTwin<Atom, 2>("atoms", layout, TwinConfig().set_separate(separate), nj, ni), separate);
      typed<portable::records_aos>(separate);
      typed<portable::records_soa>(separate);
      typed<portable::records_blocks<8>>(separate);
    }
    only_read();
    held();
    refused();
  });
}
