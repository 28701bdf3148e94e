// src/base/many.ts
function pushAll(list, more) {
  for (const one of more) list.push(one);
}
function largestOf(values) {
  let largest = -Infinity;
  for (const value of values) largest = Math.max(largest, value);
  return largest;
}
function smallestOf(values) {
  let smallest = Infinity;
  for (const value of values) smallest = Math.min(smallest, value);
  return smallest;
}

export {
  pushAll,
  largestOf,
  smallestOf
};
//# sourceMappingURL=chunk-BLE2ZYMV.js.map
