// lifetime.cpp - start and stop of YAKL's HEAD and of Kokkos in their orders: host arrays outside of yakl::init, a second init, settings, timers.
#include "../expect.h"
#include "YAKL.h"

template <class F> static std::string refused(F const &f) {
  try {
    f();
  } catch (std::exception const &e) {
    return e.what();
  }
  return "";
}

static void settings() {
  yakl::InitConfig c;
  EXPECT(c.get_pool_setting() == yakl::PoolSetting::Default && !c.get_pool_enabled() && c.get_pool_size_mb() == 0);
  EXPECT(c.get_pool_block_bytes() == 4096 && !c.pool_block_bytes_was_set());
  c = c.set_pool_enabled(true).set_pool_size_mb(37).set_pool_block_bytes(256);
  EXPECT(c.get_pool_setting() == yakl::PoolSetting::Enabled && c.get_pool_size_mb() == 37 && c.get_pool_block_bytes() == 256 && c.pool_block_bytes_was_set());
  EXPECT(yakl::InitConfig().set_pool_enabled(false).get_pool_setting() == yakl::PoolSetting::Disabled);
  yakl::init(c);
}

int main(int argc, char **argv) {
  EXPECT(refused([] { yakl::Array<int *>("a", 1); }).find("yakl::init") != std::string::npos);
  EXPECT(refused([] { yakl::Array<int *, Kokkos::HostSpace>("a", 1); }).find("Kokkos::initialize") != std::string::npos);
  {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    EXPECT(Kokkos::is_initialized() && !yakl::get_yakl_instance().is_initialized());
    yakl::Array<int *, Kokkos::HostSpace> before("before", 3); // Kokkos' own: before yakl::init, and beyond finalize
    settings();
    yakl::init(); // ignored
    EXPECT(yakl::get_yakl_instance().is_initialized());
    before(2) = 5;
    auto const far = before.createDeviceCopy();
    EXPECT(far.createHostCopy()(2) == 5);
    void *const p = yakl::alloc_device(100, "raw");
    EXPECT(p != nullptr);
    std::memset(p, 1, 100);
    yakl::free_device(p, "raw");
    yakl::timer_start("step");
    yakl::timer_stop("step");
    EXPECT(yakl::timer_get_count("step") == (portable_timers_enabled() == PORTABLE_TIMERS_OFF ? 0 : 1));
    EXPECT(yakl::my_basename("a/b/model.cpp") == "model.cpp" && YAKL_AUTO_LABEL().find("lifetime.cpp:") == 0);
    EXPECT(yakl::yakl_mainproc() && !yakl::have_mpi && !yakl::yakl_auto_fence);
    yakl::finalize();
    yakl::finalize(); // ignored
    EXPECT(!yakl::get_yakl_instance().is_initialized() && before(2) == 5);
    yakl::init();
    yakl::Array<int *> again("again", 4);
    again = 1;
    EXPECT(yakl::intrinsics::sum(again) == 4);
    again = yakl::Array<int *>();
    yakl::finalize();
  }
  EXPECT(!Kokkos::is_initialized() && !portable::isInitialized());
  return checks::failures != 0;
}
