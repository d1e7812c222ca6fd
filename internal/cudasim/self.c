/* self.c - the fake itself: that it runs kernels as a device does, that missing order shows, and that mistakes are reported. In this file: programs by name
 * of the first argument; CMakeLists.txt says what each must end with. Not in this file: anything of the library. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "self.h"

#define N 1000

static CUdevice device;
static void *context, *module;

static void check(int good, const char *what, int line) {
  if (good) return;
  fprintf(stderr, "line %d: %s\n", line, what);
  exit(1);
}
#define CHECK(x) check((x), #x, __LINE__)
#define RUN(x) CHECK((x) == 0)

static const char *const source =
    "extern \"C\" __global__ void add(const double *a, const double *b, double *c, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) c[i] = a[i] + b[i];\n"
    "}\n"
    "extern \"C\" __global__ void __launch_bounds__(256) block_sum(const double *a, double *sums) {\n"
    "  __shared__ double s[256];\n"
    "  extern __shared__ double more[];\n"
    "  int t = threadIdx.x;\n"
    "  s[t] = a[blockIdx.x * blockDim.x + t];\n"
    "  __syncthreads();\n"
    "  for (int k = 128; k > 0; k /= 2) {\n"
    "    if (t < k) s[t] += s[t + k];\n"
    "    __syncthreads();\n"
    "  }\n"
    "  more[t] = s[0];\n"
    "  if (t == 0) sums[blockIdx.x] = more[0];\n"
    "}\n"
    "extern \"C\" __global__ void forgets(double *a) {\n"
    "  __shared__ double s[64];\n"
    "  s[threadIdx.x] = threadIdx.x;\n"
    "  a[threadIdx.x] = s[63 - threadIdx.x];\n"
    "}\n"
    "extern \"C\" __global__ void warp(double *a, unsigned *votes) {\n"
    "  double x = threadIdx.x;\n"
    "  for (int k = 16; k; k >>= 1) x += __shfl_down_sync(0xffffffffu, x, k);\n"
    "  a[threadIdx.x] = __shfl_sync(0xffffffffu, x, 0);\n"
    "  votes[threadIdx.x] = __ballot_sync(0xffffffffu, threadIdx.x & 1) + __popc(threadIdx.x);\n"
    "}\n"
    "__constant__ int factor = 3;\n"
    "struct bounds { int n; double scale; };\n"
    "extern \"C\" __global__ void count(bounds b, unsigned char one, unsigned long long *total, double *peak) {\n"
    "  atomicAdd(total, (unsigned long long)(one * factor));\n"
    "  if (blockIdx.x == 0 && threadIdx.x == 0) *peak = b.scale * b.n;\n"
    "}\n"
    "extern \"C\" __global__ void out_of_bounds(double *a) { a[1 << 20] = 1; }\n"
    "extern \"C\" __global__ void deadlock() { if (threadIdx.x) __syncthreads(); else __ballot_sync(3u, 1); }\n"
    "template <class T> __global__ void twice(T *a) { a[threadIdx.x] *= 2; }\n";

static void begin(void) {
  int count;
  RUN(cuInit(0));
  RUN(cuDeviceGetCount(&count));
  RUN(cuDeviceGet(&device, 0));
  RUN(cuDevicePrimaryCtxRetain(&context, device));
  RUN(cuCtxSetCurrent(context));
}

static const char *lowered;
static char kept[100];

static void compile(void) {
  static const char *const options[] = {"--gpu-architecture=compute_80", "--fmad=false"};
  void *program;
  size_t bytes;
  RUN(nvrtcCreateProgram(&program, source, "self.cu", 0, NULL, NULL));
  RUN(nvrtcAddNameExpression(program, "twice<double>"));
  int code = nvrtcCompileProgram(program, 2, options);
  if (code) {
    char log[10000];
    RUN(nvrtcGetProgramLog(program, log));
    fprintf(stderr, "%s", log);
  }
  RUN(code);
  RUN(nvrtcGetLoweredName(program, "twice<double>", &lowered));
  strcpy(kept, lowered);
  RUN(nvrtcGetPTXSize(program, &bytes));
  char *ptx = malloc(bytes);
  RUN(nvrtcGetPTX(program, ptx));
  RUN(nvrtcDestroyProgram(&program));
  RUN(cuModuleLoadData(&module, ptx));
  free(ptx);
}

static void end(void) {
  RUN(cuModuleUnload(module));
  RUN(cuCtxSetCurrent(NULL));
  RUN(cuDevicePrimaryCtxRelease_v2(device));
}

static void *function(const char *name) {
  void *f;
  RUN(cuModuleGetFunction(&f, module, name));
  return f;
}

static CUdeviceptr block(size_t bytes) {
  CUdeviceptr p;
  RUN(cuMemAlloc_v2(&p, bytes));
  return p;
}

static void runs(void) {
  double a[N], b[N], c[N];
  CUdeviceptr da = block(sizeof a), db = block(sizeof b), dc = block(sizeof c);
  for (int i = 0; i < N; i++) a[i] = i, b[i] = 2 * i, c[i] = -1;
  void *stream, *other, *event;
  RUN(cuStreamCreate(&stream, STREAM_NON_BLOCKING));
  RUN(cuStreamCreate(&other, STREAM_NON_BLOCKING));
  RUN(cuEventCreate(&event, EVENT_DISABLE_TIMING));
  RUN(cuMemcpyHtoDAsync_v2(da, a, sizeof a, stream));
  RUN(cuMemcpyHtoDAsync_v2(db, b, sizeof b, stream));
  int n = N;
  void *parameters[] = {&da, &db, &dc, &n};
  RUN(cuLaunchKernel(function("add"), 8, 1, 1, 128, 1, 1, 0, stream, parameters, NULL));
  RUN(cuEventRecord(event, stream));
  CHECK(cuEventQuery(event) == NOT_READY);
  RUN(cuStreamWaitEvent(other, event, 0));
  RUN(cuMemcpyDtoHAsync_v2(c, dc, sizeof c, other));
  RUN(cuStreamSynchronize(other));
  for (int i = 0; i < N; i++) CHECK(c[i] == 3 * i);
  RUN(cuEventQuery(event));

  /* A barrier, static and dynamic shared memory; then a kernel that forgot its barrier. */
  double sums[3];
  void *sum[] = {&dc, &da};
  RUN(cuLaunchKernel(function("block_sum"), 3, 1, 1, 256, 1, 1, 256 * sizeof(double), stream, sum, NULL));
  RUN(cuStreamSynchronize(stream));
  RUN(cuMemcpyDtoH_v2(sums, da, sizeof sums));
  for (int k = 0; k < 3; k++) CHECK(sums[k] == 3.0 * (255 * 128 + 256.0 * 256 * k));
  void *forgot[] = {&da};
  RUN(cuLaunchKernel(function("forgets"), 1, 1, 1, 64, 1, 1, 0, NULL, forgot, NULL));
  RUN(cuMemcpyDtoH_v2(a, da, 64 * sizeof(double)));
  CHECK(a[0] != 63 && a[63] == 0);

  unsigned votes[32];
  void *warps[] = {&da, &db};
  RUN(cuLaunchKernel(function("warp"), 1, 1, 1, 32, 1, 1, 0, NULL, warps, NULL));
  RUN(cuMemcpyDtoH_v2(a, da, 32 * sizeof(double)));
  RUN(cuMemcpyDtoH_v2(votes, db, sizeof votes));
  for (int i = 0; i < 32; i++) CHECK(a[i] == 31 * 16 && votes[i] == 0xaaaaaaaau + (unsigned)__builtin_popcount((unsigned)i));
  RUN(cuLaunchKernel(function(kept), 1, 1, 1, 32, 1, 1, 0, NULL, forgot, NULL));
  RUN(cuMemcpyDtoH_v2(a, da, 32 * sizeof(double)));
  CHECK(a[31] == 2 * 31 * 16);

  /* Parameters as one buffer; atomics; a global of the module. */
  struct {
    struct {
      int n;
      double scale;
    } bounds;
    unsigned char one;
    CUdeviceptr total, peak;
  } buffer = {{7, 0.5}, 2, da, db};
  size_t bytes = sizeof buffer;
  void *extra[] = {PARAM_POINTER, &buffer, PARAM_SIZE, &bytes, PARAM_END};
  unsigned long long total;
  int factor = 5;
  CUdeviceptr global;
  RUN(cuModuleGetGlobal_v2(&global, &bytes, module, "factor"));
  CHECK(bytes == sizeof factor);
  RUN(cuMemcpyHtoD_v2(global, &factor, sizeof factor));
  RUN(cuMemsetD8Async(da, 0, 8, NULL));
  bytes = sizeof buffer;
  RUN(cuLaunchKernel(function("count"), 1000, 1, 1, 100, 1, 1, 0, NULL, NULL, extra));
  RUN(cuMemcpyDtoH_v2(&total, da, sizeof total));
  RUN(cuMemcpyDtoH_v2(a, db, sizeof a[0]));
  CHECK(total == 1000000 && a[0] == 3.5);

  /* A box of a box, there and back. */
  double box[4][5], back[2][3];
  for (int i = 0; i < 20; i++) box[i / 5][i % 5] = i;
  RUN(cuMemcpyHtoD_v2(da, box, sizeof box));
  CUDA_MEMCPY2D copy = {.srcXInBytes = 8, .srcY = 1, .srcMemoryType = MEMORY_DEVICE, .srcDevice = da, .srcPitch = 40,
                        .dstMemoryType = MEMORY_HOST, .dstHost = back, .dstPitch = 24, .WidthInBytes = 24, .Height = 2};
  RUN(cuMemcpy2D_v2(&copy));
  CHECK(back[0][0] == 6 && back[1][2] == 13);

  RUN(cuEventDestroy_v2(event));
  RUN(cuStreamDestroy_v2(stream));
  RUN(cuStreamDestroy_v2(other));
  RUN(cuMemFree_v2(da));
  RUN(cuMemFree_v2(db));
  RUN(cuMemFree_v2(dc));
}

/* Two modules at once, with kernels of one name. */
static void modules(void) {
  static const char *const form = "extern \"C\" __global__ void say(double *a) { *a = NUMBER; }";
  CUdeviceptr p = block(8);
  void *both[2];
  double x;
  for (int i = 0; i < 2; i++) {
    const char *option = i ? "-DNUMBER=2" : "-DNUMBER=1";
    void *program;
    char *image;
    size_t bytes;
    RUN(nvrtcCreateProgram(&program, form, NULL, 0, NULL, NULL));
    RUN(nvrtcCompileProgram(program, 1, &option));
    RUN(nvrtcGetPTXSize(program, &bytes));
    RUN(nvrtcGetPTX(program, image = malloc(bytes)));
    RUN(nvrtcDestroyProgram(&program));
    RUN(cuModuleLoadData(&both[i], image));
    free(image);
  }
  for (int i = 0; i < 2; i++) {
    void *f, *parameters[] = {&p};
    RUN(cuModuleGetFunction(&f, both[i], "say"));
    RUN(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    RUN(cuMemcpyDtoH_v2(&x, p, 8));
    CHECK(x == i + 1);
  }
  for (int i = 0; i < 2; i++) RUN(cuModuleUnload(both[i]));
  RUN(cuMemFree_v2(p));
}

/* A stream that nothing waits for has done nothing; managed memory is open to the host. */
static void lazy(void) {
  void *stream, *event;
  double *host;
  CUdeviceptr managed;
  RUN(cuMemAllocManaged(&managed, N * sizeof *host, 1));
  host = (double *)(uintptr_t)managed;
  for (int i = 0; i < N; i++) host[i] = i;
  RUN(cuStreamCreate(&stream, 0));
  RUN(cuEventCreate(&event, 0));
  int n = N;
  void *parameters[] = {&managed, &managed, &managed, &n};
  RUN(cuLaunchKernel(function("add"), 8, 1, 1, 128, 1, 1, 0, stream, parameters, NULL));
  RUN(cuEventRecord(event, stream));
  CHECK(host[1] == 1);
  int asked = 0;
  while (cuEventQuery(event) == NOT_READY) CHECK(++asked < 100);
  CHECK(asked > 2 && host[1] == 2);
  RUN(cuLaunchKernel(function("add"), 8, 1, 1, 128, 1, 1, 0, stream, parameters, NULL));
  RUN(cuMemsetD8_v2(managed, 0, 8));
  CHECK(host[1] == 2);
  RUN(cuCtxSynchronize());
  CHECK(host[1] == 4 && host[0] == 0);
  RUN(cuStreamDestroy_v2(stream));
  RUN(cuEventDestroy_v2(event));
  RUN(cuMemFree_v2(managed));
}

/* Captured: a = 1s, then in two streams b = a + a and c = a + a, then c = b + c, whose parameters change. ordered 0: the second stream does not join. */
static void *capture(void *stream, void *other, const CUdeviceptr *p, int ordered, void **last_out) {
  void *event, *graph = NULL, *const *nodes;
  int n = N, status = 0;
  size_t count = 0;
  void *first[] = {(void *)(uintptr_t)&p[0], (void *)(uintptr_t)&p[0], (void *)(uintptr_t)&p[1], &n};
  void *second[] = {(void *)(uintptr_t)&p[0], (void *)(uintptr_t)&p[0], (void *)(uintptr_t)&p[2], &n};
  void *sum[] = {(void *)(uintptr_t)&p[1], (void *)(uintptr_t)&p[2], (void *)(uintptr_t)&p[2], &n};
  RUN(cuEventCreate(&event, EVENT_DISABLE_TIMING));
  RUN(cuStreamBeginCapture_v2(stream, 1));
  RUN(cuMemsetD8Async(p[0], 0x3f, N * sizeof(double), stream));
  RUN(cuEventRecord(event, stream));
  RUN(cuStreamWaitEvent(other, event, 0));
  RUN(cuLaunchKernel(function("add"), 8, 1, 1, 128, 1, 1, 0, stream, first, NULL));
  RUN(cuLaunchKernel(function("add"), 8, 1, 1, 128, 1, 1, 0, other, second, NULL));
  RUN(cuEventRecord(event, other));
  if (ordered) RUN(cuStreamWaitEvent(stream, event, 0));
  RUN(cuLaunchKernel(function("add"), 8, 1, 1, 128, 1, 1, 0, stream, sum, NULL));
  RUN(cuStreamGetCaptureInfo_v2(stream, &status, NULL, NULL, &nodes, &count));
  CHECK(status == 1 && count == 1);
  *last_out = nodes[0];
  CHECK(cuStreamEndCapture(stream, &graph) == (ordered ? OK : CAPTURE_UNJOINED));
  RUN(cuStreamIsCapturing(other, &status));
  CHECK(status == 0);
  RUN(cuEventDestroy_v2(event));
  return graph;
}

static void graphs(int ordered) {
  double c[N], one;
  CUdeviceptr p[3] = {block(sizeof c), block(sizeof c), block(sizeof c)};
  void *stream, *other, *exec, *last;
  int n = N;
  memset(&one, 0x3f, sizeof one);
  RUN(cuStreamCreate(&stream, STREAM_NON_BLOCKING));
  RUN(cuStreamCreate(&other, STREAM_NON_BLOCKING));
  void *graph = capture(stream, other, p, ordered, &last);
  if (!ordered) return;
  RUN(cuGraphInstantiate_v2(&exec, graph, NULL, NULL, 0));
  for (int i = 0; i < 2; i++) {
    RUN(cuGraphLaunch(exec, i ? other : stream));
    RUN(cuStreamSynchronize(i ? other : stream));
    RUN(cuMemcpyDtoH_v2(c, p[2], sizeof c));
    CHECK(c[0] == 4 * one && c[N - 1] == 4 * one);
  }
  void *changed[] = {&p[1], &p[1], &p[1], &n};
  const struct kernel_node_params to = {function("add"), {8, 1, 1}, {128, 1, 1}, 0, changed, NULL};
  RUN(cuGraphLaunch(exec, stream)); /* keeps its parameters */
  RUN(cuGraphExecKernelNodeSetParams(exec, last, &to));
  RUN(cuStreamSynchronize(stream));
  RUN(cuMemcpyDtoH_v2(c, p[2], sizeof c));
  CHECK(c[0] == 4 * one);
  RUN(cuGraphLaunch(exec, stream));
  RUN(cuStreamSynchronize(stream));
  RUN(cuMemcpyDtoH_v2(c, p[2], sizeof c));
  CHECK(c[0] == 2 * one);
  RUN(cuMemcpyDtoH_v2(c, p[1], sizeof c));
  CHECK(c[0] == 4 * one);
  RUN(cuGraphExecDestroy(exec));
  RUN(cuGraphDestroy(graph));
  for (int i = 0; i < 3; i++) RUN(cuMemFree_v2(p[i]));
  RUN(cuStreamDestroy_v2(stream));
  RUN(cuStreamDestroy_v2(other));
}

static CUresult launch_at(const char *name, CUdeviceptr a, unsigned threads) {
  void *parameters[] = {&a};
  CUresult code = cuLaunchKernel(function(name), 1, 1, 1, threads, 1, 1, 0, NULL, parameters, NULL);
  return code ? code : cuCtxSynchronize();
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  setenv("FAKE_CUDA_STRICT", "1", 0);
  begin();
  if (strcmp(what, "memory") == 0) { /* FAKE_CUDA_MEMORY=1000000 */
    CUdeviceptr p;
    CHECK(cuMemAlloc_v2(&p, 2000000) == OUT_OF_MEMORY);
    RUN(cuDevicePrimaryCtxRelease_v2(device));
    return 0;
  }
  if (strcmp(what, "injected") == 0) { /* FAKE_CUDA_FAIL=cuMemAlloc_v2:2:2 */
    CUdeviceptr p = block(8), q;
    CHECK(cuMemAlloc_v2(&q, 8) == OUT_OF_MEMORY);
    RUN(cuMemFree_v2(p));
    RUN(cuDevicePrimaryCtxRelease_v2(device));
    return 0;
  }
  if (strcmp(what, "leak") == 0) return block(8) == 0;
  if (strcmp(what, "host_touches") == 0) return *(volatile double *)(uintptr_t)block(8) != 0;
  if (strcmp(what, "twice_freed") == 0) {
    CUdeviceptr p = block(8);
    RUN(cuMemFree_v2(p));
    return cuMemFree_v2(p) != INVALID_VALUE;
  }
  if (strcmp(what, "too_long") == 0) {
    char text[16] = "";
    return cuMemcpyHtoD_v2(block(8), text, 16) != INVALID_VALUE;
  }
  compile();
  if (strcmp(what, "runs") == 0) runs(), modules();
  if (strcmp(what, "lazy") == 0) lazy();
  if (strcmp(what, "graphs") == 0) graphs(1);
  if (strcmp(what, "unjoined") == 0) {
    graphs(0);
    return 0;
  }
  if (strcmp(what, "waits_in_capture") == 0) {
    void *stream;
    RUN(cuStreamCreate(&stream, STREAM_NON_BLOCKING));
    RUN(cuStreamBeginCapture_v2(stream, 1));
    return cuStreamSynchronize(stream) != CAPTURE_UNSUPPORTED;
  }
  if (strcmp(what, "address") == 0) {
    CUdeviceptr p = block(8);
    CHECK(launch_at("out_of_bounds", p, 1) == ILLEGAL_ADDRESS);
    CHECK(cuMemFree_v2(p) == ILLEGAL_ADDRESS); /* it stays so */
    return 0;
  }
  if (strcmp(what, "ordered_failure") == 0) { /* FAKE_CUDA_FAIL=kernel:forgets:719 */
    CUdeviceptr p = block(512);
    CHECK(launch_at("forgets", p, 64) == LAUNCH_FAILED);
    CHECK(cuCtxSynchronize() == LAUNCH_FAILED);
    return 0;
  }
  if (strcmp(what, "deadlock") == 0) return launch_at("deadlock", 0, 32) != LAUNCH_FAILED;
  if (strcmp(what, "freed_in_use") == 0) {
    void *stream;
    RUN(cuStreamCreate(&stream, 0));
    CUdeviceptr p = block(512);
    void *parameters[] = {&p};
    RUN(cuLaunchKernel(function("forgets"), 1, 1, 1, 64, 1, 1, 0, stream, parameters, NULL));
    cuMemFree_v2(p);
    RUN(cuStreamDestroy_v2(stream));
  }
  end();
  return 0;
}
