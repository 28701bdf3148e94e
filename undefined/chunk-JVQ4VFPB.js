import {
  definitionCode
} from "./chunk-SLADJPH6.js";
import {
  seriesPerBlock
} from "./chunk-5L33DSE6.js";

// src/store/places.ts
function carryPlaces(catalogue, series) {
  const codes = /* @__PURE__ */ new Map();
  const codeOf = (one) => {
    const index = catalogue.seriesDefinitionIndex(one);
    const code = codes.get(index) ?? definitionCode(catalogue.definition(index));
    codes.set(index, code);
    return code;
  };
  const blocks = Int32Array.from(new Set(Array.from(series, (one) => catalogue.seriesBlock(one))));
  return {
    series,
    places: series.map((one) => catalogue.seriesPlace(one)),
    codes: Uint8Array.from(series, codeOf),
    blocks,
    blockSizes: blocks.map((block) => catalogue.blockSeries(block).length)
  };
}
var ToldPlaces = class {
  seriesCount;
  carried;
  indexes = /* @__PURE__ */ new Map();
  members = /* @__PURE__ */ new Map();
  constructor(carried) {
    this.carried = carried;
    carried.blocks.forEach((block, i) => {
      this.members.set(block, new Int32Array(carried.blockSizes[i]).fill(-1));
    });
    let count = 0;
    carried.series.forEach((series, i) => {
      this.indexes.set(series, i);
      this.members.get(this.seriesBlock(series))[this.seriesSlot(series)] = series;
      count = Math.max(count, series + 1);
    });
    this.seriesCount = count;
  }
  seriesBlock(series) {
    return Math.floor(this.placeOf(series) / seriesPerBlock);
  }
  seriesSlot(series) {
    return this.placeOf(series) % seriesPerBlock;
  }
  blockSeries(block) {
    return this.members.get(block);
  }
  definitionCode(series) {
    return this.carried.codes[this.indexes.get(series)];
  }
  placeOf(series) {
    return this.carried.places[this.indexes.get(series)];
  }
};

// src/store/store.ts
var bandRecordFields = [
  "baselineMean",
  "baselineStddev",
  "baselineUpper",
  "baselineLower",
  "contextualMean",
  "contextualStddev",
  "contextualUpper",
  "contextualLower"
];
var recordFields = [
  "actual",
  "val",
  "avg",
  "min",
  "max",
  "cnt",
  "sum",
  "sparseValue",
  ...bandRecordFields
];

export {
  carryPlaces,
  ToldPlaces,
  bandRecordFields,
  recordFields
};
//# sourceMappingURL=chunk-JVQ4VFPB.js.map
