// records.cpp - Records in C++: one code on every layout, layouts as types, whole records, members as views, the program's own structures. Not in this file: where
// records lie (go test ./arrays), copies of all kinds (records.c).
#include "check.hpp"

#include <vector>

struct Atom {
  double x[3];
  double mass;
  std::int32_t kind;
  float charge;
  int unused; // is not stored
};
PORTABLE_RECORD(Atom, x, mass, kind, charge)

using portable::RecordLayout;
using portable::Records;

namespace {

void one_code(RecordLayout layout) {
  constexpr int nj = 6, ni = 19;
  Records<Atom, 2> atoms("atoms", layout, nj, ni);
  parallel_for("set", portable::c::Bounds<2>(nj, ni), PORTABLE_LAMBDA(int j, int i) {
    for (int c = 0; c < 3; c++) atoms.get<&Atom::x>(j, i, c) = c + 1;
    atoms.get<&Atom::mass>(j, i) = 100 * j + i;
    atoms.get<&Atom::kind>(j, i) = j;
    atoms.get<&Atom::charge>(j, i) = 0.5F;
  });
  parallel_for("push", portable::c::Bounds<2>(nj, ni), PORTABLE_LAMBDA(int j, int i) {
    atoms.get<&Atom::x>(j, i, 2) += atoms.get<&Atom::mass>(j, i);
  });
  Atom one = atoms.load(4, 7);
  CHECK(one.x[0] == 1 && one.x[2] == 410 && one.mass == 407 && one.kind == 4 && one.charge == 0.5F && one.unused == 0);
  one.kind = -1;
  atoms.store(one, 5, 18);
  CHECK(atoms.get<&Atom::kind>(5, 18) == -1 && atoms.get<&Atom::mass>(5, 18) == 407 && atoms.get<&Atom::kind>(5, 17) == 5);
  for (const RecordLayout &other : {RecordLayout::aos(), RecordLayout::soa(), RecordLayout::blocks(8)}) {
    const Records<Atom, 2> copy("copy", other, nj, ni);
    atoms.deep_copy_to(copy);
    bool good = true;
    for (int j = 0; j < nj; j++)
      for (int i = 0; i < ni; i++)
        good = good && copy.get<&Atom::x>(j, i, 2) == atoms.get<&Atom::x>(j, i, 2) && copy.get<&Atom::kind>(j, i) == atoms.get<&Atom::kind>(j, i) &&
               copy.get<&Atom::charge>(j, i) == 0.5F;
    CHECK(good);
  }
  if (layout.number() == PORTABLE_RECORDS_BLOCKS) {
    CHECK(checks::has(checks::error_of([&] { atoms.field<&Atom::mass>(); }), "the records lie in more than one block of 4"));
  } else {
    const auto mass = atoms.field<&Atom::mass>();
    const auto z = atoms.field<&Atom::x>(2);
    CHECK(mass(3, 2) == 302 && z(3, 2) == 305 && mass.extent(1) == ni);
    mass(3, 2) = 0;
    CHECK(atoms.get<&Atom::mass>(3, 2) == 0);
  }
}

// The layout as a type has the same addresses, for members of all sizes, and refuses other layouts.
template <class L> void same_places() {
  using portable::records_any;
  const Records<Atom, 2, L> typed("typed", 3, 37);
  const Records<Atom, 2> any = typed.template as<records_any>();
  bool good = any.size() == typed.size() && any.c_records().data == typed.c_records().data;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 37; i++) {
      for (int c = 0; c < 3; c++) good = good && &typed.template get<&Atom::x>(j, i, c) == &any.get<&Atom::x>(j, i, c);
      good = good && &typed.template get<&Atom::mass>(j, i) == &any.get<&Atom::mass>(j, i) &&
             &typed.template get<&Atom::kind>(j, i) == &any.get<&Atom::kind>(j, i) && &typed.template get<&Atom::charge>(j, i) == &any.get<&Atom::charge>(j, i);
    }
  CHECK(good);
  Atom one = {{1, 2, 3}, 4, 5, 6, 0};
  typed.store(one, 2, 36);
  one = any.load(2, 36);
  CHECK(one.x[2] == 3 && one.mass == 4 && one.kind == 5 && one.charge == 6);
  const Records<Atom, 2, portable::records_blocks<2>> copy("copy", 3, 37);
  const Records<Atom, 2, L> back("back", 3, 37);
  typed.deep_copy_to(copy); // another type, the other way, and a choice of the run
  copy.deep_copy_to(back);
  CHECK(back.load(2, 36).x[2] == 3 && copy.load(2, 36).kind == 5);
  any.deep_copy_to(copy);
  const auto typed_there = any.with_layout([](auto records) { return std::is_same<decltype(records), Records<Atom, 2, L>>::value; });
  constexpr bool usual = !std::is_same<L, portable::records_blocks<64>>::value && !std::is_same<L, portable::records_blocks<1>>::value;
  CHECK(typed_there == usual);
  const auto kind = any.with_layout([](auto records) { return records.template get<&Atom::kind>(2, 36); });
  CHECK(kind == 5);
}

void test_types() {
  using namespace portable;
  same_places<records_aos>();
  same_places<records_soa>();
  same_places<records_blocks<1>>();
  same_places<records_blocks<4>>();
  same_places<records_blocks<8>>();
  same_places<records_blocks<16>>();
  same_places<records_blocks<32>>();
  same_places<records_blocks<64>>();
  using checks::error_of;
  const Records<Atom, 1> blocks("b", RecordLayout::blocks(4), 10);
  CHECK(checks::has(error_of([&] { blocks.as<records_blocks<8>>(); }), "Records 'b': as of blocks of 8, but they are blocks of 4; make them"));
  CHECK(checks::has(error_of([&] { blocks.as<records_soa>(); }), "as of arrays of each member, but they are blocks of 4"));
  CHECK(checks::has(error_of([&] { (Records<Atom, 1>().as<records_aos>()); }), "of records that are not there yet"));
  CHECK(checks::has(error_of([&] { Records<Atom, 1>().with_layout([](const auto &) {}); }), "of records that are not there yet"));
  Records<Atom, 1, records_soa> kept;
  {
    const Records<Atom, 1> large("large", RecordLayout::soa(), 65536);
    kept = large.as<records_soa>();
    CHECK(&kept.get<&Atom::x>(0, 1) - &kept.get<&Atom::x>(0, 0) > 65536); // arrays of a power of two of bytes have a gap
    large.get<&Atom::mass>(65535) = 3;
  }
  CHECK(kept.get<&Atom::mass>(65535) == 3); // it holds the memory
  CHECK(checks::has(error_of([&] { kept.get<&Atom::mass>(65536); }), "Records 'large': index 1 of 1 is 65536, outside of its bounds 0 to 65535"));
  std::vector<Atom> own(10);
  CHECK(&(Records<Atom, 1, records_aos>("own", own.data(), 10).get<&Atom::kind>(9)) == &own[9].kind);
}

void test_own() {
  std::vector<Atom> own(10);
  const Records<Atom, 1> atoms("own", own.data(), 10);
  own[3].mass = 7;
  CHECK(atoms.get<&Atom::mass>(3) == 7 && &atoms.get<&Atom::kind>(9) == &own[9].kind && atoms.c_records().owner == 0);
  Records<Atom, 1> fast("fast", RecordLayout::soa(), 10), same;
  atoms.deep_copy_to(fast);
  same = fast;
  fast = Records<Atom, 1>();
  CHECK(same.get<&Atom::mass>(3) == 7 && same.extent(0) == 10 && !fast.initialized());
  using checks::error_of;
  CHECK(checks::has(error_of([&] { same.get<&Atom::mass>(10); }), "Records 'fast': index 1 of 1 is 10, outside of its bounds 0 to 9"));
  CHECK(checks::has(error_of([&] { same.get<&Atom::x>(1, 3); }), "is 3, outside of its bounds 0 to 2"));
  CHECK(checks::has(error_of([&] { fast.deep_copy_to(same); }), "of records that are not there yet"));
  CHECK(checks::has(error_of([&] { same.field<&Atom::x>(3); }), "has no value 3"));
  CHECK(checks::has(error_of([&] { (Records<Atom, 1>("r", RecordLayout::blocks(3), 10)); }), "width is 3"));
  CHECK(checks::has(error_of([&] { same.deep_copy_to(Records<Atom, 1>("r", RecordLayout::aos(), 11)); }), "10 records here and 11 there"));
}

} // namespace

int main() {
  return checks::run([] {
    one_code(RecordLayout::aos());
    one_code(RecordLayout::soa());
    one_code(RecordLayout::blocks(4));
    test_own();
    test_types();
  });
}
