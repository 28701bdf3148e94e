import {
  uuidV4
} from "./chunk-QNSZFSTN.js";

// src/base/random.ts
import { randomBytes } from "node:crypto";
var systemRandom = {
  bytes: (count) => randomBytes(count),
  uuid: () => uuidV4(randomBytes(16))
};
function seededRandom(seed) {
  const next = splitMix32(seed);
  const bytes = (count) => Uint8Array.from({ length: count }, () => next() >>> 24);
  return { bytes, uuid: () => uuidV4(bytes(16)) };
}
function splitMix32(seed) {
  let state = seed | 0;
  return () => {
    state = state + 2654435769 | 0;
    let mixed = Math.imul(state ^ state >>> 16, 2246822507);
    mixed = Math.imul(mixed ^ mixed >>> 13, 3266489909);
    return (mixed ^ mixed >>> 16) >>> 0;
  };
}

export {
  systemRandom,
  seededRandom
};
//# sourceMappingURL=chunk-UKLA2F2A.js.map
