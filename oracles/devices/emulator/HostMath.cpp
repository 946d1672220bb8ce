// Host functions that compiled kernels may call by name: what code generation expands generic
// operations to (libm, narrow-float helpers, 128-bit division, memory) and the device math library
// (__nv_*) for modules that were not linked with one.
//
// f32 functions are computed in double and rounded once: at most half an ulp plus the double's own
// error, inside every bound that CUDA documents. f64 functions are the host libm's (at most 1 ulp
// for the basic ones).
#include "oracles/devices/emulator/Intrinsics.h"
#include "oracles/devices/emulator/Numeric.h"

#include <bit>
#include <cstdlib>

namespace tilesmith::emulator {

namespace {

using Unary = double(double);
using Binary = double(double, double);

template <Unary *F> float viaDouble1(float x) {
  return static_cast<float>(F(x));
}
template <Binary *F> float viaDouble2(float x, float y) {
  return static_cast<float>(F(x, y));
}

double exp10Of(double x) {
  return ::exp10(x);
}
double rsqrtOf(double x) {
  return 1.0 / std::sqrt(x);
}
double rcbrtOf(double x) {
  return 1.0 / std::cbrt(x);
}
double sinpiOf(double x) {
  const double reduced = std::remainder(x, 2.0); // exact
  return reduced == std::floor(reduced) ? std::copysign(0.0, x) : std::sin(M_PI * reduced);
}
double cospiOf(double x) {
  const double reduced = std::fabs(std::remainder(x, 2.0));
  return reduced == 0.5 ? 0.0 : std::cos(M_PI * reduced);
}
double normcdfOf(double x) {
  return 0.5 * std::erfc(-x * M_SQRT1_2);
}
double erfcxOf(double x) {
  if (x < 25)
    return std::exp(x * x) * std::erfc(x);
  const double r = 1 / (x * x);
  return (1 - r * (0.5 - r * 0.75)) / (x * std::sqrt(M_PI));
}

template <typename T, bool IsMin> T numberExtremum(T a, T b) {
  if (std::isnan(a))
    return b;
  if (std::isnan(b))
    return a;
  const bool aIsLess = a == b ? std::signbit(a) : a < b;
  return aIsLess == IsMin ? a : b;
}
} // namespace

float approximateTanh(float x) {
  const auto exact = static_cast<float>(std::tanh(static_cast<double>(x)));
  if (!std::isnormal(exact))
    return exact;
  return std::bit_cast<float>((std::bit_cast<uint32_t>(exact) + 0x7ff) & ~uint32_t(0xfff));
}

namespace {

float saturateF(float x) {
  return saturate01(x);
}
int ilogbF(float x) {
  return std::ilogb(x);
}
float ldexpF(float x, int e) {
  return std::ldexp(x, e);
}
double ldexpD(double x, int e) {
  return std::ldexp(x, e);
}
float powiF(float x, int n) {
  return static_cast<float>(std::pow(static_cast<double>(x), n));
}
double powiD(double x, int n) {
  return std::pow(x, n);
}
float fmaF(float a, float b, float c) {
  return std::fma(a, b, c);
}
double fmaD(double a, double b, double c) {
  return std::fma(a, b, c);
}
void sincosF(float x, float *s, float *c) {
  *s = static_cast<float>(std::sin(static_cast<double>(x)));
  *c = static_cast<float>(std::cos(static_cast<double>(x)));
}
void sincosD(double x, double *s, double *c) {
  *s = std::sin(x), *c = std::cos(x);
}
float modfF(float x, float *integral) {
  return std::modf(x, integral);
}
double modfD(double x, double *integral) {
  return std::modf(x, integral);
}
float frexpF(float x, int *e) {
  return std::frexp(x, e);
}
double frexpD(double x, int *e) {
  return std::frexp(x, e);
}
float divideF(float a, float b) {
  return a / b;
}
int isNanF(float x) {
  return std::isnan(x);
}
int isNanD(double x) {
  return std::isnan(x);
}
int isInfF(float x) {
  return std::isinf(x);
}
int isInfD(double x) {
  return std::isinf(x);
}
int isFiniteF(float x) {
  return std::isfinite(x);
}
int isFiniteD(double x) {
  return std::isfinite(x);
}
int signBitF(float x) {
  return std::signbit(x);
}
int signBitD(double x) {
  return std::signbit(x);
}
float roundEvenF(float x) {
  return std::nearbyint(x);
}
double roundEvenD(double x) {
  return std::nearbyint(x);
}

// Narrow floats as x86-64 passes them: in the low bits of an xmm register.
using Half = _Float16;
using BFloat = __bf16;
Half halfFromFloat(float x) {
  return bitsTo<Half>(static_cast<uint16_t>(encode(x, kF16)));
}
Half halfFromDouble(double x) {
  return bitsTo<Half>(static_cast<uint16_t>(encode(x, kF16)));
}
float floatFromHalf(Half x) {
  return static_cast<float>(decode(bitsTo<uint16_t>(x), kF16));
}
double doubleFromHalf(Half x) {
  return decode(bitsTo<uint16_t>(x), kF16);
}
BFloat bfloatFromFloat(float x) {
  return bitsTo<BFloat>(static_cast<uint16_t>(encode(x, kBF16)));
}
BFloat bfloatFromDouble(double x) {
  return bitsTo<BFloat>(static_cast<uint16_t>(encode(x, kBF16)));
}

// The same with the bits of the narrow float in an integer (HostLoweringSelection.cpp).
template <const Format &format, typename Wide> uint32_t narrowBits(Wide x) {
  return encode(x, format);
}
float widenHalf(uint32_t bits) {
  return static_cast<float>(decode(bits, kF16));
}

__int128 divTi(__int128 a, __int128 b) {
  return a / b;
}
__int128 modTi(__int128 a, __int128 b) {
  return a % b;
}
unsigned __int128 udivTi(unsigned __int128 a, unsigned __int128 b) {
  return a / b;
}
unsigned __int128 umodTi(unsigned __int128 a, unsigned __int128 b) {
  return a % b;
}
__int128 mulTi(__int128 a, __int128 b) {
  return a * b;
}
// Conversions to integers saturate like the GPU's; compiled code only relies on the range that
// fits.
__int128 fixSfTi(float x) {
  return static_cast<__int128>(x);
}
__int128 fixDfTi(double x) {
  return static_cast<__int128>(x);
}
float floatTiSf(__int128 x) {
  return static_cast<float>(x);
}
double floatTiDf(__int128 x) {
  return static_cast<double>(x);
}
float floatUnTiSf(unsigned __int128 x) {
  return static_cast<float>(x);
}
double floatUnTiDf(unsigned __int128 x) {
  return static_cast<double>(x);
}

using Table = std::vector<std::pair<std::string, void *>>;

template <typename F> void put(Table &table, const std::string &name, F *function) {
  table.emplace_back(name, reinterpret_cast<void *>(function));
}

// Registers libm `name`/`namef` and `__nv_name`/`__nv_namef`.
template <Unary *F> void unary(Table &t, const std::string &name) {
  put(t, name, F), put(t, name + "f", viaDouble1<F>);
  put(t, "__nv_" + name, F), put(t, "__nv_" + name + "f", viaDouble1<F>);
}
template <Binary *F> void binary(Table &t, const std::string &name) {
  put(t, name, F), put(t, name + "f", viaDouble2<F>);
  put(t, "__nv_" + name, F), put(t, "__nv_" + name + "f", viaDouble2<F>);
}

Table build() {
  Table t;
  unary<std::sin>(t, "sin"), unary<std::cos>(t, "cos"), unary<std::tan>(t, "tan");
  unary<std::asin>(t, "asin"), unary<std::acos>(t, "acos"), unary<std::atan>(t, "atan");
  unary<std::sinh>(t, "sinh"), unary<std::cosh>(t, "cosh");
  // The library call of `llvm.tanh` of f32, which stands for the approximate instruction alone.
  put(t, "tanhf", approximateTanh);
  put(t, "__nv_tanhf", viaDouble1<std::tanh>);
  put<double(double)>(t, "tanh", std::tanh), put<double(double)>(t, "__nv_tanh", std::tanh);
  unary<std::asinh>(t, "asinh"), unary<std::acosh>(t, "acosh"), unary<std::atanh>(t, "atanh");
  unary<std::exp>(t, "exp"), unary<std::exp2>(t, "exp2"), unary<exp10Of>(t, "exp10"),
      unary<std::expm1>(t, "expm1");
  unary<std::log>(t, "log"), unary<std::log2>(t, "log2"), unary<std::log10>(t, "log10"),
      unary<std::log1p>(t, "log1p");
  unary<std::sqrt>(t, "sqrt"), unary<std::cbrt>(t, "cbrt"), unary<rsqrtOf>(t, "rsqrt"),
      unary<rcbrtOf>(t, "rcbrt");
  unary<std::erf>(t, "erf"), unary<std::erfc>(t, "erfc"), unary<erfcxOf>(t, "erfcx");
  unary<std::lgamma>(t, "lgamma"), unary<std::tgamma>(t, "tgamma");
  unary<sinpiOf>(t, "sinpi"), unary<cospiOf>(t, "cospi"), unary<normcdfOf>(t, "normcdf");
  unary<std::floor>(t, "floor"), unary<std::ceil>(t, "ceil"), unary<std::trunc>(t, "trunc");
  unary<std::round>(t, "round"), unary<std::rint>(t, "rint"), unary<std::nearbyint>(t, "nearbyint");
  unary<std::fabs>(t, "fabs"), unary<std::logb>(t, "logb");
  binary<std::pow>(t, "pow"), binary<std::atan2>(t, "atan2"), binary<std::fmod>(t, "fmod");
  binary<std::remainder>(t, "remainder"), binary<std::hypot>(t, "hypot"),
      binary<std::copysign>(t, "copysign");
  binary<std::fmin>(t, "fmin"), binary<std::fmax>(t, "fmax"), binary<std::fdim>(t, "fdim");
  put(t, "roundeven", roundEvenD), put(t, "roundevenf", roundEvenF);
  put(t, "ts.minimumnumf", numberExtremum<float, true>);
  put(t, "ts.maximumnumf", numberExtremum<float, false>);
  put(t, "ts.minimumnum", numberExtremum<double, true>);
  put(t, "ts.maximumnum", numberExtremum<double, false>);
  put(t, "nextafter", static_cast<Binary *>(std::nextafter));
  put(t, "__nv_nextafter", static_cast<Binary *>(std::nextafter));
  put(t, "__nv_nextafterf", static_cast<float (*)(float, float)>(std::nextafter));
  for (const std::string &prefix : {std::string(), std::string("__nv_")}) {
    put(t, prefix + "fma", fmaD), put(t, prefix + "fmaf", fmaF);
    put(t, prefix + "ldexp", ldexpD), put(t, prefix + "ldexpf", ldexpF);
    put(t, prefix + "modf", modfD), put(t, prefix + "modff", modfF);
    put(t, prefix + "frexp", frexpD), put(t, prefix + "frexpf", frexpF);
    put(t, prefix + "sincos", sincosD), put(t, prefix + "sincosf", sincosF);
  }
  put(t, "__nv_powi", powiD), put(t, "__nv_powif", powiF), put(t, "__powidf2", powiD),
      put(t, "__powisf2", powiF);
  put(t, "__nv_saturatef", saturateF), put(t, "__nv_ilogbf", ilogbF),
      put(t, "__nv_fdividef", divideF);
  // The fast variants have no tighter contract than the precise ones.
  put(t, "__nv_fast_expf", viaDouble1<static_cast<Unary *>(std::exp)>);
  put(t, "__nv_fast_exp10f", viaDouble1<exp10Of>);
  put(t, "__nv_fast_logf", viaDouble1<static_cast<Unary *>(std::log)>);
  put(t, "__nv_fast_log2f", viaDouble1<static_cast<Unary *>(std::log2)>);
  put(t, "__nv_fast_log10f", viaDouble1<static_cast<Unary *>(std::log10)>);
  put(t, "__nv_fast_sinf", viaDouble1<static_cast<Unary *>(std::sin)>);
  put(t, "__nv_fast_cosf", viaDouble1<static_cast<Unary *>(std::cos)>);
  put(t, "__nv_fast_tanf", viaDouble1<static_cast<Unary *>(std::tan)>);
  put(t, "__nv_fast_powf", viaDouble2<static_cast<Binary *>(std::pow)>);
  put(t, "__nv_fast_fdividef", divideF);
  put(t, "__nv_isnanf", isNanF), put(t, "__nv_isnand", isNanD), put(t, "__nv_isinff", isInfF);
  put(t, "__nv_isinfd", isInfD), put(t, "__nv_finitef", isFiniteF),
      put(t, "__nv_isfinited", isFiniteD);
  put(t, "__nv_signbitf", signBitF), put(t, "__nv_signbitd", signBitD);

  put(t, "__truncsfhf2", halfFromFloat), put(t, "__truncdfhf2", halfFromDouble);
  put(t, "__extendhfsf2", floatFromHalf), put(t, "__extendhfdf2", doubleFromHalf);
  put(t, "__gnu_f2h_ieee", halfFromFloat), put(t, "__gnu_h2f_ieee", floatFromHalf);
  put(t, "__truncsfbf2", bfloatFromFloat), put(t, "__truncdfbf2", bfloatFromDouble);
  put(t, "ts.narrow.f16", narrowBits<kF16, float>);
  put(t, "ts.narrow.f16.d", narrowBits<kF16, double>);
  put(t, "ts.narrow.bf16", narrowBits<kBF16, float>);
  put(t, "ts.narrow.bf16.d", narrowBits<kBF16, double>);
  put(t, "ts.widen.f16", widenHalf);
  put(t, "__divti3", divTi), put(t, "__modti3", modTi), put(t, "__udivti3", udivTi),
      put(t, "__umodti3", umodTi);
  put(t, "__multi3", mulTi);
  put(t, "__fixsfti", fixSfTi), put(t, "__fixdfti", fixDfTi);
  put(t, "__floattisf", floatTiSf), put(t, "__floattidf", floatTiDf);
  put(t, "__floatuntisf", floatUnTiSf), put(t, "__floatuntidf", floatUnTiDf);
  put(t, "memcpy", ::memcpy), put(t, "memmove", ::memmove), put(t, "memset", ::memset);
  put(t, "memcmp", ::memcmp), put(t, "malloc", ::malloc), put(t, "free", ::free);
  return t;
}

} // namespace

const char *fusedHostFunction(const llvm::Type *type) {
  return type->isFloatTy() ? "fmaf" : type->isDoubleTy() ? "fma" : nullptr;
}

const char *extremumHostFunction(const llvm::Type *type, bool isMin) {
  if (type->isFloatTy())
    return isMin ? "ts.minimumnumf" : "ts.maximumnumf";
  return !type->isDoubleTy() ? nullptr : isMin ? "ts.minimumnum" : "ts.maximumnum";
}

const std::vector<std::pair<std::string, void *>> &hostFunctions() {
  static const auto *table = new Table(build());
  return *table;
}

} // namespace tilesmith::emulator
