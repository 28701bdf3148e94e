/** Statistics of a window by which series, or the elements that have them, are put in order. */

export const seriesOrders = ["avg", "max", "min", "last", "sum", "p95", "change"] as const
export type SeriesOrderName = (typeof seriesOrders)[number]
