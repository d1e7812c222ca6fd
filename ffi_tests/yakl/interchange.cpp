// interchange.cpp - ArrayIR: an array handed to another library and back, shapes of both styles, memory that is refused.
#include "YAKL.h"
#include "expect.h"

#include "ArrayIR.h"

using yakl::Array;
using yakl::memDevice;
using yakl::memHost;
using yakl::styleC;
using yakl::styleFortran;

// Another library's function, which knows nothing of YAKL.
static double middle(array_ir::ArrayIR<double, 2> const &ir) { return ir.data()[ir.extent(0) / 2 * ir.extent(1) + ir.extent(1) / 2]; }

int main() {
  yakl::init();
  {
    Array<double, 2, memHost, styleC> a("a", 3, 5);
    a = 0;
    a(1, 2) = 4;
    auto ir = a.create_ArrayIR();
    EXPECT(middle(ir) == 4 && ir.valid() && !ir.empty() && ir.data() == a.data() && ir.get_data_pointer() == a.myData && std::string(ir.label()) == "a");
    EXPECT(ir.extent(0) == 3 && ir.dimension(1) == 5 && ir.shape()[1] == 5 && ir.memory_type() == array_ir::MEMORY_HOST && ir.data_valid_on_host());
    Array<double, 2, memHost, styleC> back(ir);
    back(0, 0) = 9;
    EXPECT(a(0, 0) == 9 && back.dimension[1] == 5 && back.use_count() == 0);
    auto f = a.createHostCopy();
    Array<double, 2, memHost, styleFortran> columns("columns", {0, 4}, 3);
    a.deep_copy_to(columns);
    auto turned = columns.create_ArrayIR();
    EXPECT(turned.extent(0) == 3 && turned.extent(1) == 5 && middle(turned) == 4);
    Array<double, 2, memHost, styleFortran> again(turned);
    EXPECT(again.lbounds[0] == 1 && again.dimension[0] == 5 && again(3, 2) == 4);
    Array<float, 1, memDevice, styleC> d("d", 4);
    auto device = d.create_ArrayIR();
    EXPECT(device.data_valid_on_device() && device.get_memory_type() == array_ir::MEMORY_DEVICE && !device.data_valid_on_host());
    auto read_only = Array<float const, 1, memDevice, styleC>(d).create_ArrayIR<float>();
    static_assert(std::is_same<decltype(read_only), array_ir::ArrayIR<float, 1>>::value, "the type that is asked for");
    EXPECT(read_only.data() == d.data());
    int refused = 0;
    try {
      Array<float, 1, memHost, styleC> wrong(device);
    } catch (std::runtime_error const &e) {
      refused += std::string(e.what()).find("'d'") != std::string::npos;
    }
    try {
      (void)ir.extent(2);
    } catch (std::runtime_error const &) {
      refused++;
    }
    EXPECT(refused == 2 && array_ir::ArrayIR<int, 3>().empty() && array_ir::ArrayIR<int, 3>().extent(2) == 0);
    double memory[2] = {1, 2};
    Array<double, 1, memDevice, styleC> shared(array_ir::ArrayIR<double, 1>(memory, {2}, array_ir::MEMORY_SHARED));
    EXPECT(shared(1) == 2 && shared.myData == memory);
  }
  yakl::finalize();
  return checks::failures != 0;
}
