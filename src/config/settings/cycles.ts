/** Settings: the clock, and what a closing does. */

import { missedCyclesMax } from "../../base/limits.ts"
import { parseSimulatedTime, type SimulatedTime } from "../../base/clock.ts"
import { durationForm, durationMs, wholeNumberOf } from "../setting-forms.ts"
import { setting } from "../setting.ts"

export const cycleSettings = {
  clock: setting<SimulatedTime | null>({
    name: "clock",
    fallback: "",
    fallbackNote: "the machine's",
    form:
      "an ISO 8601 instant, a speed, and an instant at which the clock stops if there is one, " +
      "such as 2026-01-05T00:00:00Z,x60",
    meaning: "A simulated clock, for trials: start and speed. It waits for cycles that close late.",
    parse: parseSimulatedTime,
  }),
  missedCyclesMax: setting({
    name: "missed-cycles",
    fallback: "72",
    form: `a whole number from 1 to ${missedCyclesMax}`,
    meaning: "Five-minute cycles of an outage that are closed afterwards; earlier ones stay open.",
    parse: (text) => wholeNumberOf(text, 1, missedCyclesMax),
  }),
  inactiveAfterMs: setting({
    name: "inactive-after",
    fallback: "PT7H",
    form: durationForm("PT5M", "P60D"),
    meaning: "How long a silent element is still filled sparsely and computed.",
    parse: (text) => durationMs(text, "PT5M", "P60D"),
  }),
}
