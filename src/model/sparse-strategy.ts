/** What stands in for a cycle without a sample (spec/samples §7). */

export const sparseStrategies = [
  "None",
  "ReplaceWithZero",
  "ReplaceWithHistoricalMax",
  "ReplaceWithHistoricalMin",
  "ReplaceWithLast",
] as const
export type SparseStrategy = (typeof sparseStrategies)[number]
