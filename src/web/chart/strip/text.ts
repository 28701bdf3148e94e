/** Words of a strip, in English. */

export const text = {
  role: "bars by time",
  keysHint: "Arrows read the bars; Shift with arrows marks some, Enter zooms in, Backspace out.",
  marked: (from: string, to: string, count: string) => `${from} to ${to}: ${count}`,
}
