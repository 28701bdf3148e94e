/** Words of the page of alerts, in English. */

import type { IncidentChange, IncidentState } from "../../api/incident/listed.ts"
import type { AlertGrouping } from "./alert-row.ts"
import type { ViolatorSort } from "./alerts-state.ts"
import { counted, wholeText } from "../../format/words.ts"
import { levelWords } from "../../parts/level-words.ts"

const alerts = (count: number) => counted(count, "alert", "alerts")

/** Lists of open alerts have no range. */
const listed = (isOpenList: boolean) => (isOpenList ? ". Open ones of any time are listed." : ".")

export const text = {
  title: "Alerts",
  table: "Alerts",
  loading: "Loading alerts",
  loadFailed: "The alerts could not be loaded",
  retry: "Retry",
  search: "Policy or element",
  state: "State",
  states: {
    open: "Open",
    unacked: "Not acknowledged",
    acked: "Acknowledged",
    closed: "Closed",
    all: "All",
  } satisfies Record<IncidentState, string>,
  levelsLabel: "Levels",
  levels: levelWords,
  total: alerts,
  grouping: "Group by",
  groupings: { policy: "Policy", element: "Element", time: "Nothing" } satisfies Record<
    AlertGrouping,
    string
  >,
  alertsOfGroup: (count: number) => (count === 1 ? "alert" : "alerts"),
  allOf: (count: number, group: string) => `${alerts(count)} of ${group}`,
  more: (count: number) => `+${wholeText(count)} more`,
  moreOf: (count: number, group: string) => `${wholeText(count)} more of ${group}`,
  listAll: (count: number) => `List all ${alerts(count)}`,
  hiddenGroups: (count: number) => `${counted(count, "more group", "more groups")}:`,
  listSingly: "list single alerts",
  onlyOf: (name: string) => `Only ${name}`,
  everything: "Show all alerts",
  changedMeanwhile: "Alerts have changed: show them",
  none: {
    open: "No alert is open.",
    unacked: "No alert waits to be acknowledged.",
    acked: "No open alert is acknowledged.",
    closed: "No alert of this range is closed.",
    all: "No alert was open in this range.",
  } satisfies Record<IncidentState, string>,
  nonePasses: "No alert passes this search and these levels.",
  showAll: "Show closed ones too",
  longer: "Show the last 7 days",
  opened: (count: number, step: string, isOpenList: boolean) =>
    `${alerts(count)} opened in this range, a bar for each ${step}${listed(isOpenList)}`,
  noneOpened: (isOpenList: boolean) => `No alert opened in this range${listed(isOpenList)}`,
  stripFailed: "The numbers by time could not be loaded",
  violators: "Top violators",
  violatorsBy: "Top violators by",
  violatorSorts: { count: "Alerts", minutes: "Minutes" } satisfies Record<ViolatorSort, string>,
  violator: (name: string, count: number, time: string) => `${name}: ${alerts(count)} · ${time}`,
  violatorsFailed: "The top violators could not be loaded",
  noViolators: "No alert was open in this range.",
  clear: "Clear search and levels",
  level: "Level",
  policy: "Policy",
  element: "Element",
  progress: "State",
  since: "Since",
  duration: "Duration",
  value: "Value",
  unnamedPolicy: "Policy",
  of: (policy: string, element: string) => `${policy} of ${element}`,
  open: "open",
  closed: "closed",
  openOf: (open: number, count: number) => `${wholeText(open)} of ${wholeText(count)} open`,
  ackedOf: (acked: number, count: number) =>
    `${wholeText(acked)} of ${wholeText(count)} acknowledged`,
  mutedUntil: (until: string) => `muted until ${until}`,
  acked: "acknowledged",
  ackedBy: (by: string, note: string) => (note === "" ? by : `${by}: ${note}`),
  valueOf: (metric: string, value: string | null) =>
    value === null ? metric : `${metric}: ${value}`,
  noValue: "–",
  selected: (count: number) => `${wholeText(count)} selected`,
  selectAll: (count: number) => `Select all ${wholeText(count)}`,
  clearSelection: "Clear",
  acknowledge: "Acknowledge…",
  takeBack: "Undo",
  close: "Close…",
  acknowledgeTitle: (count: number) => `Acknowledge ${alerts(count)}`,
  note: "Note (optional)",
  noteHint: "For others who see the alert, such as what you are doing about it.",
  acknowledgeNow: "Acknowledge",
  closeTitle: (count: number) => `Close ${alerts(count)}?`,
  closeText: "A policy that still fires opens a new alert in the next cycle.",
  closeNow: "Close",
  cancel: "Cancel",
  closeDialog: "Close this window",
  changed: {
    ack: (count: number) => `Acknowledged ${alerts(count)}`,
    unack: (count: number) => `No longer acknowledged: ${alerts(count)}`,
    close: (count: number) => `Closed ${alerts(count)}`,
  } satisfies Record<IncidentChange["action"], (count: number) => string>,
  changing: (done: number, count: number) =>
    count === 0
      ? "Changing alerts…"
      : `Changing alerts: ${wholeText(done)} of ${wholeText(count)} done`,
  failed(count: number, changed: number, reason: string): string {
    const done = changed === 0 ? "" : `${alerts(changed)} changed. `
    return `${done}${alerts(count)} could not be changed: ${reason}`
  },
  keys: { acknowledge: "Acknowledge", close: "Close alert" },
}
