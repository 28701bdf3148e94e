/** Replays of policies (spec/policies §10): what is asked, and the answer's JSON. */

import * as v from "valibot"
import { replayElementsNamedMax } from "../../base/limits/queries.ts"
import {
  described,
  flag,
  listOf,
  number,
  numberOrNull,
  optional,
  record,
  text,
  uuid,
  wholeNumber,
  type Written,
} from "../answer.ts"
import { objectValue, readWith, textValue } from "../body.ts"
import { Problems } from "../problems.ts"
import { refuseUnknownNames } from "../unknown-names.ts"
import { shortText } from "./fields.ts"
import { policyBody } from "./policy-body.ts"

const details = ["summary", "cycles"] as const
export type ReplayDetail = (typeof details)[number]

const optionalText = v.nullish(textValue, null)

export const policyReplayBody = objectValue({
  policy: v.nullish(policyBody),
  policyId: v.nullish(shortText, null),
  startTime: optionalText,
  endTime: optionalText,
  duration: optionalText,
  elements: v.nullish(
    v.pipe(
      v.array(shortText, "an array of ids or FQNs of elements"),
      v.maxLength(replayElementsNamedMax, `at most ${replayElementsNamedMax} elements`),
    ),
    null,
  ),
  detail: v.nullish(v.picklist(details, `one of ${details.join(", ")}`), "summary"),
})

/** A body without its policy, which only the caller can look up. */
export interface PolicyReplayRequest {
  readonly policyId: string | null
  /** The body of a policy that need not be stored; undefined if `policyId` is given. */
  readonly policy: unknown
  readonly startTime: string | null
  readonly endTime: string | null
  readonly duration: string | null
  /** Ids or FQNs; null for all elements in scope. */
  readonly elements: readonly string[] | null
  readonly detail: ReplayDetail
}

/** Reads the body of a replay. Throws `invalid` with all problems but those of the policy. */
export function readPolicyReplay(body: unknown): PolicyReplayRequest {
  const problems = new Problems()
  refuseUnknownNames(policyReplayBody, body, { path: "", problems })
  const read = readWith(policyReplayBody, body, { path: "", problems })
  if (read !== null && (read.policyId === null) === (read.policy == null)) {
    problems.add("policyId: expected either it or policy")
  }
  if (read?.detail === "cycles" && read.elements?.length !== 1) {
    problems.add("elements: expected one element with detail cycles")
  }
  problems.throwIfAny()
  const { policy, ...rest } = read!
  return { ...rest, policy: policy == null ? undefined : (body as { policy: unknown }).policy }
}

const times = (meaning: string) => described(wholeNumber, `${meaning}, epoch milliseconds`)
const perCycle = <Value extends v.GenericSchema>(value: Value, meaning: string) =>
  described(listOf(value), meaning)

const summaryEntries = {
  matchedElements: described(wholeNumber, "Elements in the scope"),
  evaluatedElements: described(wholeNumber, "Those that were replayed"),
  isSampled: described(flag, "Only an even sample of the elements was replayed"),
  cycles: described(wholeNumber, "Closed cycles of the window"),
  incidents: wholeNumber,
  violatingMinutes: described(wholeNumber, "Of all elements, in cycles in which the policy fires"),
  firingAtEnd: described(wholeNumber, "Incidents that the window does not close"),
  withoutBand: described(
    number,
    "Share of the values compared with a band that had none; 0 without such a condition",
  ),
  leftOut: described(
    listOf(text),
    "Conditions of the policy that are not replayed: eventConditions, checkCondition",
  ),
  notifications: described(
    record({ first: wholeNumber, repeated: wholeNumber, cleared: wholeNumber }),
    "Messages of the enabled notifications, if the policy is not muted",
  ),
  perDay: described(
    listOf(record({ date: text, incidents: wholeNumber })),
    "Incidents by the UTC day of their start",
  ),
  elements: described(
    listOf(
      record({
        elementId: uuid,
        elementFqn: text,
        name: text,
        incidents: wholeNumber,
        minutes: wholeNumber,
        first: times("Start of its first incident"),
        last: times("End of its last violating cycle"),
      }),
    ),
    "Elements with incidents, most first, at most 50",
  ),
  incidentList: described(
    listOf(
      record({
        elementId: uuid,
        start: times("Start of the first cycle in which the policy fires"),
        end: times("End of the last one"),
        cycles: wholeNumber,
        isOpen: flag,
        metrics: listOf(text),
      }),
    ),
    "In order of the elements, at most 500; one that fires as the window begins starts with it",
  ),
}

const cyclesRecord = record({
  timestamps: perCycle(wholeNumber, "Starts of the cycles, epoch milliseconds"),
  conditions: described(
    listOf(
      record({
        id: described(text, "Index of the condition in the policy"),
        metricFqn: text,
        values: perCycle(numberOrNull, "Values; of a sudden deviation its percent"),
        thresholds: optional(perCycle(numberOrNull, "What values are compared with")),
        lower: optional(perCycle(numberOrNull, "Lower end of the band")),
        upper: optional(perCycle(numberOrNull, "Upper end of the band")),
        holds: perCycle(flag, "Whether the condition holds for this metric"),
      }),
    ),
    "An entry for each metric of a condition, at most 20",
  ),
  fires: perCycle(flag, "Whether the policy fires"),
})

export const policyReplayAnswer = record({
  ...summaryEntries,
  cycleDetail: described(optional(cyclesRecord), "With detail cycles"),
})

export type PolicyReplayAnswer = Written<typeof policyReplayAnswer>
export type CycleDetail = Written<typeof cyclesRecord>
