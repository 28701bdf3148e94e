/**
 * Reads policies (spec/policies §1): every missing field has a default, every given one is judged.
 */

import * as v from "valibot"
import { eventLevels, levelNumbers, parseEventLevel } from "../../model/records/event-level.ts"
import {
  analytics,
  operators,
  type Policy,
  type PolicyCondition,
} from "../../model/records/policy.ts"
import { booleanValue, objectValue, readWith, textValue, wholeNumberIn } from "../body.ts"
import { Problems } from "../problems.ts"
import { refuseUnknownNames } from "../unknown-names.ts"
import { shortText } from "./fields.ts"
import { patternText } from "./pattern-text.ts"
import { scopeBody, scopeOf } from "./policy-scope-body.ts"

/** Conditions, event conditions or actions of one policy, each. */
const partsPerPolicyMax = 100
/** Policies are evaluated per cycle; a day is four times the maximum of the original service. */
const cycleSeconds = 300
const durationSecondsMax = 86_400
/** Clients send the largest 32-bit integer for "never again". */
const neverMinutes = 2 ** 31 - 1

const optionalText = v.nullish(shortText, null)
const optionalPattern = v.nullish(patternText, null)

const numberValue = v.pipe(
  v.union(
    [v.number(), v.pipe(v.string(), v.nonEmpty(), v.transform(Number), v.number())],
    "a finite number",
  ),
  v.finite("a finite number"),
)
/** An empty text in a field of another type counts as absent. */
const blank = v.pipe(
  v.literal(""),
  v.transform(() => null),
)
const optionalNumber = v.nullish(v.union([blank, numberValue], "a finite number"), null)
const analyticWord = v.picklist(analytics, `one of ${analytics.join(", ")}`)

const everyOperator = [...new Set(Object.values(operators).flat())]

const conditionBody = v.pipe(
  objectValue({
    metric: optionalText,
    wildcard: optionalPattern,
    metricScopeTags: v.nullish(v.record(v.string(), v.nullish(shortText, "")), {}),
    analytic: analyticWord,
    operator: v.picklist(everyOperator, `one of ${everyOperator.join(", ")}`),
    level: optionalNumber,
    level2: optionalNumber,
    metricThresholdLevel: optionalText,
    metricThresholdAnalytic: v.nullish(
      v.union([blank, analyticWord], `one of ${analytics.join(", ")}`),
      null,
    ),
  }),
  v.check(({ metric, wildcard }) => !metric !== !wildcard, "either metric or wildcard"),
)

const levelWord = v.pipe(
  textValue,
  v.check((text) => parseEventLevel(text) !== undefined, `one of ${eventLevels.join(", ")}`),
  v.transform((text) => parseEventLevel(text)!),
)

const eventConditionBody = objectValue({
  messageRegex: optionalPattern,
  titleRegex: optionalPattern,
  sourceRegex: optionalPattern,
  level: v.nullish(levelWord, null),
})

const categories = `one of ${levelNumbers.join(", ")}`

const actionBody = v.variant(
  "type",
  [
    v.object({
      type: v.literal("event"),
      category: v.pipe(numberValue, v.picklist(levelNumbers, categories)),
    }),
    v.object({
      type: v.literal("notification"),
      id: wholeNumberIn(0, Number.MAX_SAFE_INTEGER),
      enabled: v.nullish(booleanValue, true),
      notifyFrequencyMin: v.nullish(wholeNumberIn(0, neverMinutes), neverMinutes),
      sendOnClear: v.nullish(booleanValue, false),
    }),
  ],
  "an action of the type event or notification",
)

function listOf<Item extends v.GenericSchema>(item: Item, what: string) {
  return v.pipe(
    v.array(item, `an array of ${what}`),
    v.maxLength(partsPerPolicyMax, `at most ${partsPerPolicyMax} ${what}`),
  )
}

/** The fields of a policy that users set; the server sets ids and times. */
const policyEntries = {
  name: v.nullish(v.pipe(shortText, v.minLength(1, "a text that is not empty"))),
  description: optionalText,
  scope: v.nullish(scopeBody),
  duration: v.nullish(wholeNumberIn(0, durationSecondsMax)),
  anyCondition: v.nullish(booleanValue, false),
  conditions: v.nullish(listOf(conditionBody, "conditions"), []),
  eventConditions: v.nullish(listOf(eventConditionBody, "event conditions"), []),
  checkCondition: v.nullish(
    objectValue({ checkName: v.pipe(shortText, v.minLength(1, "the name of a check")) }),
    null,
  ),
  actions: v.nullish(listOf(actionBody, "actions"), []),
  enabled: v.nullish(booleanValue, true),
  deleted: v.nullish(booleanValue, false),
}

/** Fields of a record, which clients send back, and of records of older versions of the service. */
const alsoSent = ["id", "creatorEmail", "lastUpdated", "originTenantId", "originPolicyId"]

/** A policy as clients write it. */
export const policyBody = objectValue(policyEntries, alsoSent)

/** The body of a request that creates or changes a policy. */
export const policyWrapper = objectValue({ policy: policyBody })

export interface PolicyReading {
  /** The policy to replace: fields that are absent from the body keep its values. */
  readonly former: Policy | null
  readonly creatorEmail: string | null
  /** Archives may contain unknown fields, and policies without conditions, to be added later. */
  readonly isFromArchive?: boolean
}

/**
 * The policy of a body; a field that is `null` gets its default. Throws `invalid` with all
 * problems: unknown fields and the absence of any condition too, unless it is from an archive.
 */
export function readPolicy(body: unknown, reading: PolicyReading): Policy {
  const { former, creatorEmail, isFromArchive = false } = reading
  const problems = new Problems()
  if (!isFromArchive) refuseUnknownNames(policyWrapper, body, { path: "", problems })
  const merged = former === null ? body : mergedBody(body, former)
  const read = readWith(policyWrapper, merged, { path: "", problems })?.policy
  if (read !== undefined) validate(read, problems)
  if (read !== undefined && !isFromArchive && !hasCondition(read)) {
    problems.add(
      "policy.conditions: expected a condition here, in eventConditions or in checkCondition, " +
        "got none",
    )
  }
  problems.throwIfAny()
  const { scope, name, duration, ...rest } = read!
  return {
    ...rest,
    conditions: rest.conditions as PolicyCondition[],
    name: name!,
    scope: scopeOf(scope ?? null),
    duration: duration ?? cycleSeconds,
    creatorEmail,
  }
}

/** The policy of a replay, which needs no name. Throws as `readPolicy` does. */
export function readPolicyDraft(policy: unknown): Policy {
  const isObject = typeof policy === "object" && policy !== null && !Array.isArray(policy)
  const named = isObject
    ? { ...policy, name: (policy as { name?: unknown }).name || "draft" }
    : policy
  return readPolicy({ policy: named }, { former: null, creatorEmail: null })
}

type ReadPolicy = v.InferOutput<typeof policyWrapper>["policy"]

function hasCondition({ conditions, eventConditions, checkCondition }: ReadPolicy): boolean {
  return conditions.length > 0 || eventConditions.length > 0 || checkCondition !== null
}

/** Checks rules that span several fields. */
function validate({ name, duration, conditions }: ReadPolicy, problems: Problems): void {
  if (!name) problems.add("policy.name: expected a text, got none")
  const seconds = duration ?? cycleSeconds
  if (seconds % cycleSeconds !== 0 || (seconds === 0 && conditions.length > 0)) {
    problems.add(
      `policy.duration: expected whole cycles of ${cycleSeconds} seconds, at least one if ` +
        `there are conditions, got ${seconds}`,
    )
  }
  for (const [index, condition] of conditions.entries()) {
    validateCondition(condition, { path: `policy.conditions[${index}]`, problems })
  }
}

function validateCondition(
  condition: ReadPolicy["conditions"][number],
  { path, problems }: { path: string; problems: Problems },
): void {
  const { analytic, operator, level, metricThresholdLevel } = condition
  const accepted: readonly string[] = operators[analytic]
  if (!accepted.includes(operator)) {
    problems.add(
      `${path}.operator: expected one of ${accepted.join(", ")} with ${analytic}, ` +
        `got "${operator}"`,
    )
  }
  const needsLevel = analytic === "actual" || analytic === "suddenDeviation"
  if (needsLevel && level === null && !metricThresholdLevel) {
    problems.add(`${path}.level: expected a number with ${analytic}, got none`)
  }
}

/** The body with the former value of every field that it does not name. */
function mergedBody(body: unknown, former: Policy): unknown {
  const policy = (body as { policy?: unknown } | null)?.policy
  if (typeof policy !== "object" || policy === null || Array.isArray(policy)) return body
  return { policy: { ...former, ...policy } }
}
