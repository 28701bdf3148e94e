import {
  parseInstant
} from "./chunk-5QVC5N6S.js";

// src/base/simulated-clock.ts
var speedMax = 1e5;
function parseSimulatedTime(text) {
  const [instant = "", speed, ...rest] = text.split(",");
  const startMs = parseInstant(instant.trim());
  if (startMs === void 0 || rest.length > 0) return void 0;
  if (speed === void 0) return { startMs, speed: 1 };
  const digits = /^x(\d{1,6}(?:\.\d{1,6})?)$/.exec(speed.trim())?.[1];
  const factor = Number(digits);
  return factor > 0 && factor <= speedMax ? { startMs, speed: factor } : void 0;
}
var SimulatedClock = class {
  speed;
  elapsedMs;
  limitMs = () => Infinity;
  currentMs;
  lookedMs;
  /** `elapsedMs` is monotonic; the clock begins now. */
  constructor({ startMs, speed }, elapsedMs) {
    this.speed = speed;
    this.elapsedMs = elapsedMs;
    this.currentMs = startMs;
    this.lookedMs = elapsedMs();
  }
  /**
   * From now on the clock stands still at `limitMs`, until that moves on: so a trial runs as fast
   * as the work of its time is done, and no faster. It never steps back.
   */
  keepWithin(limitMs) {
    this.limitMs = limitMs;
  }
  nowMs() {
    const elapsedMs = this.elapsedMs();
    const aheadMs = this.currentMs + (elapsedMs - this.lookedMs) * this.speed;
    this.currentMs = Math.min(aheadMs, Math.max(this.currentMs, this.limitMs()));
    this.lookedMs = elapsedMs;
    return Math.floor(this.currentMs);
  }
};

export {
  parseSimulatedTime,
  SimulatedClock
};
//# sourceMappingURL=chunk-S7IU6GVY.js.map
