/** Words of the page of an incident, in English. */

import { counted, wholeText } from "../../format/words.ts"
import { levelWords } from "../../parts/level-words.ts"

const comparisonWords: Readonly<Record<string, string>> = {
  ">": "above",
  ">=": "at or above",
  "<": "below",
  "<=": "at or below",
  "==": "equal to",
  "!=": "different from",
}

interface ComparedThreshold {
  readonly violating: boolean
  readonly operator: string
  readonly ofMetric: string | null
  readonly limit: string
}

interface ComparedBand {
  readonly violating: boolean
  readonly operator: string
  readonly band: string
  readonly bounds: readonly [string, string]
}

function side(operator: string, violating: boolean): string {
  if (operator === ">") return violating ? "above" : "not above"
  if (operator === "<") return violating ? "below" : "not below"
  return (operator === "defined") === violating ? "outside of" : "inside of"
}

/** Sentences of what a condition found, in the form of the recorded ones. */
const found = {
  noValue: (metric: string) => `The metric ${metric} has no value in this cycle.`,
  noChange: (metric: string) => `The value of ${metric} shows no sudden change.`,
  opening: (metric: string, value: string, change: string | null) =>
    `The current value of ${metric} is ${value}` +
    (change === null ? "" : `, a sudden change of ${change}`),
  noThreshold: (opening: string, metric: string) =>
    `${opening}; this is not compared: ${metric} has no value.`,
  threshold: (opening: string, { violating, operator, ofMetric, limit }: ComparedThreshold) => {
    const word = `${violating ? "" : "not "}${comparisonWords[operator] ?? operator}`
    const of = ofMetric === null ? "the static threshold of" : `the threshold of ${ofMetric},`
    return `${opening}; this is ${word} ${of} ${limit}.`
  },
  noBand: (opening: string, band: string) => `${opening}; it has no ${band} band yet.`,
  band: (opening: string, { violating, operator, band, bounds: [lower, upper] }: ComparedBand) =>
    `${opening}; this is ${side(operator, violating)} the ${band} band from ${lower} to ${upper}.`,
}

export const text = {
  found,
  alert: "Alert",
  loading: "Loading the alert",
  loadFailed: "This part could not be loaded",
  retry: "Retry",
  refetch: "Fetch again",
  missing: "There is no alert with this address. Closed ones are kept for a while after they end.",
  toAlerts: "Go to the alerts",
  levels: levelWords,
  unnamedPolicy: "Policy",
  title: (policy: string, element: string) => `${policy} of ${element}`,
  on: "on",
  open: (duration: string) => `open for ${duration}`,
  closed: (time: string, how: string | null, duration: string) =>
    `closed ${time}${how === null ? "" : ` (${how})`}, it lasted ${duration}`,
  fired: (first: string, last: string) => `first fired ${first}, last ${last}`,
  heldSince: (isOpen: boolean, isBefore: boolean, time: string) =>
    `${isOpen ? "holds" : "held"} since ${isBefore ? "before " : ""}${time}`,
  reopened: (first: string, closed: string, how: string | null) =>
    `reopened: an earlier alert of ${first} was closed ${closed}${how === null ? "" : ` (${how})`}`,
  acked: (by: string, time: string) => `acknowledged by ${by} ${time}`,
  note: "Note",
  muted: (until: string) => `its policy is muted until ${until}`,
  policyDeleted: "The policy has been deleted since.",
  elementDeleted: "The element has been deleted since: its values are not shown any more.",
  acknowledge: "Acknowledge…",
  takeBack: "Undo the acknowledgement",
  close: "Close…",
  mute: "Mute policy",
  muteFor: {
    hour: "For an hour",
    four: "For 4 hours",
    day: "For a day",
    week: "For a week",
  },
  unmute: "Unmute",
  mutedNow: "The policy is muted",
  unmutedNow: "The policy sends again",
  keys: { acknowledge: "Acknowledge", close: "Close alert" },

  why: "Why",
  whyAll: "all of:",
  whyAny: "any of:",
  inARow: (cycles: number, duration: string) =>
    cycles === 1 ? "In one cycle, " : `For ${wholeText(cycles)} cycles in a row (${duration}), `,
  byEvent: "Its policy reacts to events that were posted:",
  byCheck: "Its policy reacts to a check that was not posted in time:",
  asOf: (time: string) => `Values of the cycle of ${time}, the last one in which it fired.`,
  noEvent: "What the policy found is no longer kept.",
  holds: "holds",
  not: "does not hold",
  explore: "Explore",

  cycles: "Cycle by cycle",
  cyclesTable: "Values of each cycle",
  cyclesPart: "Part of the alert that is shown",
  parts: { start: "Its beginning", end: "Its end" },
  cycle: "Cycle",
  fires: "The policy fires",
  yes: "fires",
  no: "does not fire",
  was: (value: string) => `was ${value}`,
  firedThen: "it fired then",
  silentThen: "it did not fire then",
  states: { holds: "holds", not: "no", noValue: "no value", noBand: "without band" },
  changed:
    "Marked cycles differ from what was recorded: values have arrived late since, the policy was " +
    "changed, or the element was in maintenance.",
  unchanged: "These are the values of now; they say the same as what was recorded.",

  charts: "Charts of its metrics",
  chartNote:
    "Shaded: the condition holds. The bar above: cycles in which the policy fires. At the foot: " +
    "events, and firings of other policies.",
  chartRange: "around the alert",
  noValues: "No value in this time.",
  bracket: (cycles: number) => `${counted(cycles, "cycle", "cycles")} needed`,
  threshold: (value: string) => `threshold ${value}`,

  before: "Before it",
  noBefore: "No other event in the two hours before its conditions held.",
  moreBefore: (count: number) => `and ${wholeText(count)} more`,
  timesSince: (count: number, time: string) => `${wholeText(count)} times since ${time}`,
  everything: "everything",
  allEvents: "All events of that time",
  same: "Same policy",
  times: (count: number) =>
    count === 1
      ? "Only this alert in 7 days."
      : `${wholeText(count)} alerts in 7 days, this one among them.`,
  sameList: "Show them",

  deliveries: "Notifications",
  noDeliveries: "No message was sent: the policy has no notification, or it was muted.",
  removed: (id: number) => `removed notification ${id}`,
  steps: { fired: "fired", repeated: "repeated", cleared: "ended" },
  deliveryStates: { delivered: "delivered", waiting: "waiting", failed: "not delivered" },
  deliverySigns: { delivered: "✔", waiting: "…", failed: "✖" },
  nextAttempt: (time: string) => `next attempt ${time}`,
}
