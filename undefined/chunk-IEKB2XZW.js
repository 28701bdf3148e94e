// src/base/nearest.ts
var wordCharactersMax = 64;
function nearest(word, known) {
  if (word.length > wordCharactersMax) return null;
  let best = null;
  let bestDistance = Infinity;
  for (const name of known) {
    const distance = editDistance(word.toLowerCase(), name.toLowerCase());
    const isNear = distance <= Math.max(word.length, name.length) / 3;
    if (!isNear || distance >= bestDistance) continue;
    best = name;
    bestDistance = distance;
  }
  return best;
}
function editDistance(left, right) {
  let before = [];
  let last = Array.from({ length: right.length + 1 }, (_, j) => j);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    for (let j = 1; j <= right.length; j++) {
      const isSame = left[i - 1] === right[j - 1];
      let edits = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (isSame ? 0 : 1));
      const isSwap = left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      if (i > 1 && j > 1 && isSwap) edits = Math.min(edits, before[j - 2] + 1);
      row.push(edits);
    }
    before = last;
    last = row;
  }
  return last[right.length];
}

export {
  nearest
};
//# sourceMappingURL=chunk-IEKB2XZW.js.map
