/** How a cycle without a sample is filled (spec/samples §7). */

export const sparseStrategies = [
  "None",
  "ReplaceWithZero",
  "ReplaceWithHistoricalMax",
  "ReplaceWithHistoricalMin",
  "ReplaceWithLast",
] as const
export type SparseStrategy = (typeof sparseStrategies)[number]
