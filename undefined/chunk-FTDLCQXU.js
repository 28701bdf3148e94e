// src/model/sparse-strategy.ts
var sparseStrategies = [
  "None",
  "ReplaceWithZero",
  "ReplaceWithHistoricalMax",
  "ReplaceWithHistoricalMin",
  "ReplaceWithLast"
];

// src/model/element.ts
var defaultDefinition = {
  name: null,
  unit: "",
  type: "",
  sparseDataStrategy: "None",
  tags: []
};

export {
  sparseStrategies,
  defaultDefinition
};
//# sourceMappingURL=chunk-FTDLCQXU.js.map
