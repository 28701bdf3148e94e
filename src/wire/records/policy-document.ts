/** Records of policies as clients read them (spec/policies §1). */

import { formatInstantSeconds } from "../../base/iso8601.ts"
import { eventLevels, levelNumbers } from "../../model/records/event-level.ts"
import { analytics, operators, type Policy } from "../../model/records/policy.ts"
import { constant, either, flag, instant, listOf, number, oneOf, optional } from "../answer.ts"
import {
  orNull,
  record,
  text,
  textMap,
  described,
  uuid,
  wholeNumber,
  type Written,
} from "../answer.ts"

export const nameValueRecord = record({ name: text, value: text })
const nameValues = listOf(nameValueRecord)

const policyScopeRecord = record({
  elementName: orNull(text),
  elementNameRegex: flag,
  elementNameExclude: orNull(text),
  elementNameExcludeRegex: flag,
  fqnIncludes: listOf(text),
  fqnExcludes: listOf(text),
  elementType: orNull(text),
  elementTypes: listOf(text),
  elementTags: nameValues,
  elementTagsAll: flag,
  excludedElementTags: nameValues,
  elementAttributes: nameValues,
  elementAttributesAll: flag,
  excludedElementAttributes: nameValues,
})

const policyConditionRecord = record({
  metric: orNull(text),
  wildcard: orNull(text),
  metricScopeTags: textMap,
  analytic: oneOf(analytics),
  operator: oneOf([...new Set(Object.values(operators).flat())]),
  level: orNull(number),
  level2: orNull(number),
  metricThresholdLevel: orNull(text),
  metricThresholdAnalytic: orNull(oneOf(analytics)),
})

const policyActionRecord = either([
  record({ type: constant("event"), category: oneOf(levelNumbers) }),
  record({
    type: constant("notification"),
    id: wholeNumber,
    enabled: flag,
    notifyFrequencyMin: described(wholeNumber, "2147483647 for never again"),
    sendOnClear: flag,
  }),
])

export const policyRecord = record({
  id: uuid,
  name: text,
  description: orNull(text),
  scope: policyScopeRecord,
  duration: described(wholeNumber, "Seconds: whole cycles of 300"),
  anyCondition: flag,
  conditions: listOf(policyConditionRecord),
  eventConditions: listOf(
    record({
      messageRegex: orNull(text),
      titleRegex: orNull(text),
      sourceRegex: orNull(text),
      level: orNull(oneOf(eventLevels)),
    }),
  ),
  checkCondition: orNull(record({ checkName: text })),
  actions: listOf(policyActionRecord),
  enabled: flag,
  deleted: flag,
  creatorEmail: orNull(text),
  lastUpdated: described(optional(instant), "Absent in the policy of an event"),
})

/** `updatedMs` is absent if the policy is part of an event. */
export function policyDocument(
  policy: Policy & { readonly id: string },
  updatedMs?: number,
): Written<typeof policyRecord> {
  return {
    id: policy.id,
    name: policy.name,
    description: policy.description,
    scope: policy.scope,
    duration: policy.duration,
    anyCondition: policy.anyCondition,
    conditions: policy.conditions,
    eventConditions: policy.eventConditions,
    checkCondition: policy.checkCondition,
    actions: policy.actions,
    enabled: policy.enabled,
    deleted: policy.deleted,
    creatorEmail: policy.creatorEmail,
    ...(updatedMs !== undefined && { lastUpdated: formatInstantSeconds(updatedMs) }),
  }
}
