/** The value of the first condition that held in an event of a policy, and its limit. */

import type { ListedEvent } from "../../api/event/event-answer.ts"
import { resultsOf } from "../../api/incident/incident-answer.ts"
import { comparedText } from "../../format/compared-text.ts"
import type { NumberStyle } from "../../format/numbers.ts"

/** Null for other events, and for those without numbers. */
export function comparedValue(
  { policy, data }: Pick<ListedEvent, "policy" | "data">,
  style: NumberStyle,
): string | null {
  if (policy === null) return null
  const held = resultsOf(data["results"])?.conditions.find(({ violating }) => violating)
  const [first] = held?.compared ?? []
  return first === undefined ? null : comparedText(first, style)
}
