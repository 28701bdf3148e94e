/** Answers about the policies that watch an element, and about its incidents. */

import * as v from "valibot"
import { severity } from "../severity.ts"
import { conditionSchema } from "./incident-answer.ts"
import { incidentSchema } from "./listed.ts"

const instant = v.pipe(v.string(), v.transform(Date.parse))

export const elementIncident = v.object({ ...incidentSchema.entries, tsLastFired: instant })
export type ElementIncident = v.InferOutput<typeof elementIncident>

/** The incident of a policy that fires now. */
export const firingSchema = v.object({
  incidentId: v.string(),
  policyId: v.string(),
  tsFirstFired: instant,
})
export type FiringIncident = v.InferOutput<typeof firingSchema>

const expression = v.nullable(v.string())
const eventConditionSchema = v.object({
  messageRegex: expression,
  titleRegex: expression,
  sourceRegex: expression,
  level: v.nullable(severity),
})
export type EventCondition = v.InferOutput<typeof eventConditionSchema>

export const policiesSchema = v.object({
  policies: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      enabled: v.boolean(),
      /** Seconds. */
      duration: v.number(),
      anyCondition: v.boolean(),
      conditions: v.array(conditionSchema),
      eventConditions: v.array(eventConditionSchema),
      checkCondition: v.nullable(v.object({ checkName: v.string() })),
      /** `category`: of an event, 1 to 3 from information to critical. */
      actions: v.array(v.object({ category: v.optional(v.number()) })),
    }),
  ),
})
export type ElementPolicy = v.InferOutput<typeof policiesSchema>["policies"][number]
