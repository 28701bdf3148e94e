/** Words of a policy: how its conditions are combined, and each of them. */

import type { ElementPolicy } from "../../../api/incident/watching.ts"
import { alarmLevels, type AlarmLevel } from "../../../api/severity.ts"
import { conditionText } from "../../../format/condition-text.ts"
import type { NumberStyle } from "../../../format/numbers.ts"
import { durationText } from "../../../format/times.ts"
import { text } from "../text.ts"

const cycleMs = 300_000

/** The level of its alerts: of a policy without an action of type event, a warning. */
export function levelOfPolicy({ actions }: Pick<ElementPolicy, "actions">): AlarmLevel {
  const numbers = actions.flatMap(({ category }) => (category === undefined ? [] : [category]))
  if (numbers.length === 0) return "warning"
  return alarmLevels.find((_, i) => numbers.includes(alarmLevels.length - i)) ?? "warning"
}

export interface PolicyWords {
  readonly opening: string
  readonly conditions: readonly string[]
}

/** `units`: of metrics by FQN. Conditions on events or a check need no cycles. */
export function policyWords(
  { conditions, eventConditions, checkCondition, anyCondition, duration }: ElementPolicy,
  units: ReadonlyMap<string, string>,
  style: NumberStyle,
): PolicyWords {
  const { watched } = text
  const others = [
    ...eventConditions.map((condition) => watched.event(condition)),
    ...(checkCondition === null ? [] : [watched.check(checkCondition.checkName)]),
  ]
  const own = conditions.map((condition) => conditionText(condition, units, style))
  const cycles = Math.max(1, Math.round((duration * 1_000) / cycleMs))
  const span = own.length === 0 ? null : watched.inARow(cycles, durationText(cycles * cycleMs))
  const how = own.length < 2 ? null : anyCondition ? watched.any : watched.all
  return {
    opening: [span, how].filter((part) => part !== null).join(", "),
    conditions: [...own, ...others],
  }
}
