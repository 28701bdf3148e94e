// src/base/clock.ts
var systemClock = {
  nowMs: () => Date.now()
};

export {
  systemClock
};
//# sourceMappingURL=chunk-YG6N4YZL.js.map
