// src/base/assert.ts
function assert(condition, message) {
  if (!condition) throw new AssertionError(message);
}
var AssertionError = class extends Error {
  name = "AssertionError";
};
function unreachable(value) {
  throw new AssertionError(`Expected no such case, got ${String(value)}`);
}

export {
  assert,
  unreachable
};
//# sourceMappingURL=chunk-YBJXGIGP.js.map
