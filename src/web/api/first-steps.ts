/** Calls of the first steps: what the server reads, a new key, one's own name, what came first. */

import * as v from "valibot"
import { isAdded } from "../format/metric-name.ts"
import type { ApiClient } from "./client.ts"
import { ownType } from "./element-words.ts"
import { userAnswer, type User } from "./users.ts"

const statusSchema = v.object({
  baseUrl: v.nullable(v.string()),
  protocols: v.array(v.string()),
  ingest: v.object({ lastSample: v.nullable(v.string()) }),
  server: v.optional(
    v.object({
      lastRefused: v.nullable(
        v.object({ time: v.string(), status: v.number(), reason: v.string() }),
      ),
    }),
  ),
})
export type FirstStepsStatus = v.InferOutput<typeof statusSchema>

export function firstStepsStatus(api: ApiClient, signal: AbortSignal): Promise<FirstStepsStatus> {
  return api.call({ path: ["status"], schema: statusSchema, signal })
}

const countSchema = v.object({
  counts: v.object({
    types: v.array(v.object({ type: v.string(), total: v.number() })),
  }),
})

/** Elements of the account without the server itself. */
export async function countElements(api: ApiClient, signal?: AbortSignal): Promise<number> {
  const path = ["elements", "search", "elementStatus"]
  const body = { countsOnly: true }
  const call = {
    method: "POST",
    path,
    body,
    schema: countSchema,
    ...(signal && { signal }),
  } as const
  const { counts } = await api.call(call)
  const others = counts.types.filter(({ type }) => type !== ownType)
  return others.reduce((sum, { total }) => sum + total, 0)
}

const instant = v.pipe(v.string(), v.transform(Date.parse))
const keySchema = v.object({
  id: v.string(),
  name: v.nullable(v.string()),
  enabled: v.boolean(),
  created: instant,
  /** Null if it was never used. */
  lastUsed: v.nullable(instant),
})
export type ApiKey = v.InferOutput<typeof keySchema>

/** The API keys of the account without the keys themselves, the oldest first. */
export async function listKeys(api: ApiClient, signal: AbortSignal): Promise<readonly ApiKey[]> {
  const schema = v.object({ keys: v.array(keySchema) })
  return (await api.call({ path: ["keys"], schema, signal })).keys
}

const madeKey = v.object({ key: keySchema, apiKey: v.string() })
export type MadeKey = v.InferOutput<typeof madeKey>

/** Makes an API key, which no later answer has. */
export function makeKey(api: ApiClient, name: string): Promise<MadeKey> {
  return api.call({ method: "POST", path: ["keys"], body: { key: { name } }, schema: madeKey })
}

/** From now on the key is refused. */
export function revokeKey(api: ApiClient, id: string): Promise<void> {
  return api.call({ method: "DELETE", path: ["keys", id], schema: null })
}

/** Changes one's own e-mail and password, after which one signs in with them. */
export async function renameUser(
  api: ApiClient,
  id: number,
  user: { readonly email: string; readonly password: string },
): Promise<User> {
  const call = { method: "PUT", path: ["users", id], body: { user } } as const
  return (await api.call({ ...call, schema: userAnswer })).user
}

const elementSchema = v.object({
  element: v.object({
    id: v.string(),
    fqn: v.string(),
    name: v.string(),
    metrics: v.array(v.object({ id: v.string(), fqn: v.string(), unit: v.string() })),
  }),
})
export type ArrivedElement = v.InferOutput<typeof elementSchema>["element"]

/** An element with the metrics that it sent. */
export async function arrivedElement(
  api: ApiClient,
  id: string,
  signal: AbortSignal,
): Promise<ArrivedElement> {
  const call = { path: ["elements", id], schema: elementSchema, signal }
  const { element } = await api.call(call)
  return { ...element, metrics: element.metrics.filter(({ fqn }) => !isAdded(fqn)) }
}
