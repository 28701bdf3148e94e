/** One element: facts, metrics, what happened to it, relations (spec/queries §7, spec/events §7). */

import * as v from "valibot"
import { knownUnit } from "../format/units.ts"
import type { ApiClient } from "./client.ts"
import { relationsSchema, type Relations } from "./element-relations.ts"
import { joinedTags, type ElementTag } from "./element-words.ts"
import { tagFields } from "./elements.ts"
import {
  elementIncident,
  firingSchema,
  policiesSchema,
  type ElementIncident,
  type ElementPolicy,
  type FiringIncident,
} from "./incident/watching.ts"

const elementSchema = v.object({
  id: v.string(),
  fqn: v.string(),
  name: v.string(),
  type: v.string(),
  location: v.nullable(v.string()),
  ...tagFields,
  attributes: v.array(v.object({ name: v.string(), value: v.string() })),
  metrics: v.array(v.object({ fqn: v.string(), unit: v.pipe(v.string(), v.transform(knownUnit)) })),
})

export interface Element {
  readonly id: string
  readonly fqn: string
  readonly name: string
  readonly type: string
  readonly location: string | null
  readonly tags: readonly ElementTag[]
  readonly attributes: readonly { readonly name: string; readonly value: string }[]
  /** Units by the FQN of the metric. */
  readonly units: ReadonlyMap<string, string>
}

/** `idOrFqn`: of the element. Throws `ApiError` 404 if there is none. */
export async function readElement(
  api: ApiClient,
  idOrFqn: string,
  signal: AbortSignal,
): Promise<Element> {
  const schema = v.object({ element: elementSchema })
  const { element } = await api.call({ path: ["elements", idOrFqn], schema, signal })
  const units = new Map(element.metrics.map(({ fqn, unit }) => [fqn, unit]))
  return { ...element, tags: joinedTags(element), units }
}

const metricSchema = v.object({
  fqn: v.string(),
  state: v.object({
    baselined: v.boolean(),
    correlated: v.boolean(),
    created: v.string(),
    updated: v.nullable(v.string()),
    lastActual: v.nullable(v.number()),
    historicalMin: v.nullable(v.number()),
    historicalMax: v.nullable(v.number()),
  }),
  configuration: v.object({
    validmin: v.nullable(v.number()),
    validmax: v.nullable(v.number()),
    sparsedatastrategy: v.string(),
  }),
})
export type ElementMetric = v.InferOutput<typeof metricSchema>

/** All metrics of an element, or the one that is named. */
export async function readMetrics(
  api: ApiClient,
  idOrFqn: string,
  signal: AbortSignal,
  metricFqn?: string,
): Promise<readonly ElementMetric[]> {
  const schema = v.object({ metricMeta: v.array(metricSchema) })
  const path = ["elements", idOrFqn, "metrics"]
  const query = metricFqn === undefined ? {} : { metricFqn }
  return (await api.call({ path, query, schema, signal })).metricMeta
}

/** Alerts of the list. */
const incidentsMax = 1_000

const fieldsOf = ({ entries }: { readonly entries: object }): string =>
  Object.keys(entries).join(",")

/** Incidents that fired since a time, newest first. */
export async function readIncidents(
  api: ApiClient,
  { fqn, fromMs }: { readonly fqn: string; readonly fromMs: number },
  signal: AbortSignal,
): Promise<readonly ElementIncident[]> {
  const schema = v.object({ incidents: v.array(elementIncident) })
  const part = { order: "desc", limit: incidentsMax, fields: fieldsOf(elementIncident) }
  const query = { elementId: fqn, startDate: Math.round(fromMs), ...part }
  return (await api.call({ path: ["incidents"], query, schema, signal })).incidents
}

/** Policies that watch an element. */
export async function readPolicies(
  api: ApiClient,
  idOrFqn: string,
  signal: AbortSignal,
): Promise<readonly ElementPolicy[]> {
  const path = ["elements", idOrFqn, "policies"]
  return (await api.call({ path, schema: policiesSchema, signal })).policies
}

/** The open incident of each policy that fires now, by the policy's id. */
export async function readFiring(
  api: ApiClient,
  elementFqn: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FiringIncident>> {
  const fields = fieldsOf(firingSchema)
  const query = { elementId: elementFqn, isClosed: false, limit: incidentsMax, fields }
  const schema = v.object({ incidents: v.array(firingSchema) })
  const { incidents } = await api.call({ path: ["incidents"], query, schema, signal })
  return new Map(incidents.map((one) => [one.policyId, one]))
}

const checksSchema = v.object({
  checks: v.array(v.object({ id: v.string(), name: v.string(), expires: v.string() })),
})
export type ElementCheck = v.InferOutput<typeof checksSchema>["checks"][number]

/** The checks of an element (spec/events §4). */
export async function readChecks(
  api: ApiClient,
  elementFqn: string,
  signal: AbortSignal,
): Promise<readonly ElementCheck[]> {
  const query = { elementFqn }
  return (await api.call({ path: ["checks"], query, schema: checksSchema, signal })).checks
}

/** The elements around one, up to `steps` relations away in both directions. */
export async function readRelations(
  api: ApiClient,
  { idOrFqn, steps }: { readonly idOrFqn: string; readonly steps: number },
  signal: AbortSignal,
): Promise<Relations> {
  const path = ["elements", idOrFqn, "relationships"]
  const query = { levels: steps }
  const { relationships } = await api.call({ path, query, schema: relationsSchema, signal })
  const { nodes, edges } = relationships
  return {
    elements: nodes.map(({ id, label: name, type, metadata: { fqn } }) => ({
      id,
      fqn,
      name,
      type,
    })),
    memberships: edges.map(({ source: member, target: container }) => ({ member, container })),
  }
}
