//===- TensorBox.cpp - buffers that tensor copies fill ----------------------------------------===//
#include "compiler/dialect/TileAS/IR/TensorBox.h"

#include "compiler/dialect/TileAS/IR/SharedAccess.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

static constexpr int64_t kMaxExtent = 256, kMaxRank = 5;
/// Boxes begin at multiples of this many bytes of shared memory.
static constexpr int64_t kBoxAlignment = 128;
/// After so many rows a swizzle begins anew.
static constexpr int64_t kRowsOfSwizzle = 8;

/// The box of this arrangement; nullopt when there is none.
static std::optional<TensorBox> boxOf(ArrayRef<int64_t> shape, unsigned contiguous, int64_t width,
                                      int64_t elementBytes) {
  int64_t rank = shape.size(), total = elementBytes, row = shape[contiguous] * elementBytes;
  for (int64_t extent : shape)
    total *= extent;
  if (rank > kMaxRank || row < 16)
    return std::nullopt;
  // Narrower rows than the tile's must be full panels; the swizzle takes its bits from address bits
  // 7 and up.
  if (width && (row < width || total < width * 8))
    return std::nullopt;
  TensorBox box;
  box.width = width;
  box.elementBytes = elementBytes;
  box.dims.push_back(contiguous);
  box.extents.push_back((width ? width : row) / elementBytes);
  for (unsigned dim = rank; dim-- > 0;)
    if (dim != contiguous) {
      box.dims.push_back(dim);
      box.extents.push_back(shape[dim]);
    }
  // Only the outermost extent may be cut, or the parts of a box would not be neighbours.
  unsigned outermost = 0;
  for (auto [index, extent] : llvm::enumerate(box.extents))
    if (extent > 1)
      outermost = index;
  for (auto [index, extent] : llvm::enumerate(box.extents))
    if (extent > kMaxExtent && index != outermost)
      return std::nullopt;
  box.extents[outermost] = std::min(box.extents[outermost], kMaxExtent);
  if (box.bytes() % kBoxAlignment && box.bytes() != total)
    return std::nullopt;
  return box;
}

int64_t TensorBox::bytes() const {
  int64_t product = elementBytes;
  for (int64_t extent : extents)
    product *= extent;
  return product;
}

SmallVector<TensorBox::Piece> TensorBox::pieces(ArrayRef<int64_t> shape) const {
  SmallVector<Piece> all;
  SmallVector<int64_t> start(shape.size(), 0);
  // Odometer over the boxes; the panels of the contiguous dimension change last.
  for (int64_t offset = 0;; offset += bytes()) {
    all.push_back({offset, start});
    unsigned index = 1;
    for (; index <= dims.size(); ++index) {
      unsigned at = index % dims.size(), dim = dims[at];
      start[dim] += extents[at];
      if (start[dim] < shape[dim])
        break;
      start[dim] = 0;
    }
    if (index > dims.size())
      return all;
  }
}

int64_t TensorBox::countPieces(ArrayRef<int64_t> shape) const {
  int64_t count = 1;
  for (auto [dim, extent] : llvm::zip_equal(dims, extents))
    count *= llvm::divideCeil(shape[dim], extent);
  return count;
}

std::optional<std::string> tileas::staticStrideProblem(const TensorBox &box,
                                                       tileaa::TiledViewType view) {
  for (auto [index, dim] : llvm::enumerate(box.dims)) {
    int64_t stride = view.getMemref().getStrides()[view.getDimMap()[dim]];
    if (ShapedType::isDynamic(stride))
      continue;
    if (index == 0 && stride != 1)
      return "its rows are not contiguous in memory";
    if (index && (stride <= 0 || stride * box.elementBytes % 16))
      return "a stride is not a multiple of 16 bytes";
  }
  return std::nullopt;
}

std::optional<TensorBox> tileas::boxOfPart(TensorBox box, ArrayRef<int64_t> shape, int64_t parts) {
  const int64_t least = box.width ? kRowsOfSwizzle * box.width : kBoxAlignment;
  while (box.countPieces(shape) % parts != 0) {
    unsigned outermost = 0;
    for (auto [index, extent] : llvm::enumerate(box.extents))
      if (extent > 1)
        outermost = index;
    // A row stays whole where it is swizzled, and where there are others, which come before its second part.
    bool isOnlyRow = llvm::product_of(shape) == shape[box.dims.front()];
    if (box.bytes() / 2 < least || (outermost == 0 && (box.width || !isOnlyRow)))
      return std::nullopt;
    box.extents[outermost] /= 2;
  }
  return box;
}

SharedLayoutAttr tileas::tensorBoxLayout(MLIRContext *context, ArrayRef<int64_t> shape,
                                         unsigned contiguous, int64_t width, int64_t elementBytes,
                                         int64_t grain) {
  std::optional<TensorBox> box = boxOf(shape, contiguous, width, elementBytes);
  if (!box || (grain != 16 && width != 128))
    return {};
  SmallVector<int64_t> strides(shape.size(), 1), bases;
  for (int64_t dim = int64_t(shape.size()) - 2; dim >= 0; --dim)
    strides[dim] = strides[dim + 1] * shape[dim + 1];
  auto walk = [&](unsigned dim, int64_t from, int64_t to) {
    for (int64_t at = from; at < to; at *= 2)
      bases.push_back(at * strides[dim]);
  };
  int64_t inPanel = width ? width / elementBytes : shape[contiguous];
  walk(contiguous, 1, inPanel);
  for (unsigned dim : ArrayRef(box->dims).drop_front())
    walk(dim, 1, shape[dim]);
  walk(contiguous, inPanel, shape[contiguous]);
  auto layout = SharedLayoutAttr::get(context, shape, bases);
  if (!width)
    return layout;
  return applySwizzle(layout, swizzleOf(width, elementBytes, grain));
}

std::optional<TensorBox> tileas::recogniseTensorBox(SharedLayoutAttr layout, int64_t elementBytes) {
  ArrayRef<int64_t> shape = layout.getShape();
  for (unsigned contiguous = 0; contiguous < shape.size(); ++contiguous)
    for (int64_t width : {128, 64, 32, 0})
      for (int64_t grain : {16, 32})
        if (tensorBoxLayout(layout.getContext(), shape, contiguous, width, elementBytes, grain) ==
            layout) {
          std::optional<TensorBox> box = boxOf(shape, contiguous, width, elementBytes);
          box->grain = grain;
          return box;
        }
  return std::nullopt;
}
