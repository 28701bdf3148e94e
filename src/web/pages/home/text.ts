/** Words of the first page. */

import type { Level } from "../../api/element-words.ts"
import { wholeText } from "../../format/words.ts"

const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many)

export const text = {
  title: "Home",
  summary: "What is wrong now",
  loading: "Loading",
  loadFailed: "This part could not be loaded",
  serverFailed: "The time of the data could not be loaded",
  histogramFailed: "Numbers of events could not be loaded",
  retry: "Retry",
  levels: {
    critical: "critical",
    warning: "warning",
    info: "info",
    ok: "ok",
    noData: "no data",
    maintenance: "maintenance",
  } satisfies Record<Level, string>,
  samples: (rate: string) => `${rate} samples/s`,
  late: (by: string) => `the next cycle is late by ${by}`,
  elements: "Elements by type",
  mapOf: (type: string, total: number) =>
    `${type}: ${total} ${plural(total, "element", "elements")}`,
  count: (total: number, shown: string) => `${shown} ${plural(total, "element", "elements")}`,
  tilesOf: (type: string, total: number) =>
    `${type}: ${total} ${plural(total, "element", "elements")}, arrow keys move`,
  tile: (level: string, incidents: number) =>
    incidents === 0 ? level : `${level}, ${incidents} open ${plural(incidents, "alert", "alerts")}`,
  valuesFailed: "Values of the elements could not be loaded",
  ofAllElements: "Of all elements: the filter does not apply.",
  noColumns: "More elements pass than a map shows: narrow the filter to see each of them.",
  noElements: "No element has sent data yet.",
  sendFirst: "Send your first data",
  noMatch: "No element passes this filter.",
  clear: "Clear the filter",
  alerts: "Open alerts",
  alertsCount: (total: number) => (total === 0 ? "Open alerts" : `Open alerts (${total})`),
  noAlerts: "No alert is open.",
  noAlertsSilent: "No alert is open, but elements that send nothing raise none.",
  countOfGroup: (count: number) => `${wholeText(count)} alerts`,
  sparksFailed: "The courses of the values could not be loaded",
  sparkOf: (element: string, metric: string) => `${metric} of ${element}, the last 3 hours`,
  moreAlerts: (count: number) => `and ${count} more`,
  valueOf: (metric: string, value: string) => `${metric}: ${value}`,
  acked: "acknowledged",
  unnamedPolicy: "Policy",
  events: "Events of the last day",
  noEvents: "No event in the last day.",
  histogram: (total: number) =>
    `${total} ${plural(total, "event", "events")} in the last 24 hours, half an hour a bar`,
  everything: "everything",
  elementsOf: (count: number, isCut: boolean) => `${wholeText(count)}${isCut ? "+" : ""} elements`,
  times: (count: number, isCut: boolean) => `${wholeText(count)}${isCut ? "+" : ""}`,
  timesOf: (count: number, isCut: boolean) =>
    isCut ? `${wholeText(count)} events or more` : `${wholeText(count)} events`,
}
