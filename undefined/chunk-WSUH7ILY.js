// src/model/resolution.ts
var resolutions = ["ZERO", "PT5M", "PT1H", "PT24H"];
var cycleMs = 3e5;
var hourMs = 36e5;
var dayMs = 864e5;
var cyclesPerDay = dayMs / cycleMs;
var bucketWidthMs = {
  PT5M: cycleMs,
  PT1H: hourMs,
  PT24H: dayMs
};
function isResolution(text) {
  return resolutions.includes(text);
}

export {
  resolutions,
  cycleMs,
  hourMs,
  dayMs,
  cyclesPerDay,
  bucketWidthMs,
  isResolution
};
//# sourceMappingURL=chunk-WSUH7ILY.js.map
