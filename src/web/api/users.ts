/** Users and their login sessions (spec/accounts §5). */

import * as v from "valibot"
import type { ApiClient } from "./client.ts"

export const roles = ["Administrator", "Power User", "Read Only"] as const
export type Role = (typeof roles)[number]

const userSchema = v.object({
  id: v.number(),
  email: v.string(),
  active: v.boolean(),
  roles: v.pipe(v.array(v.picklist(roles)), v.nonEmpty()),
  properties: v.record(v.string(), v.nullable(v.string())),
  tenantProperties: v.object({ name: v.string() }),
})
export type User = v.InferOutput<typeof userSchema>

export const userAnswer = v.object({ user: userSchema })

const sessionSchema = v.object({
  id: v.string(),
  created: v.number(),
  lastUsed: v.number(),
  idleExpires: v.number(),
  expires: v.number(),
  userAgent: v.string(),
  address: v.string(),
  isCurrent: v.boolean(),
})
export type LoginSession = v.InferOutput<typeof sessionSchema>

const sessionAnswer = v.object({ user: userSchema, session: sessionSchema })
const sessionsAnswer = v.object({ sessions: v.array(sessionSchema) })

export type Credentials =
  | { readonly email: string; readonly password: string; readonly remember: boolean }
  | { readonly link: string }

const currentAnswer = v.object({
  user: v.nullable(userSchema),
  session: v.nullable(sessionSchema),
  serverTime: v.number(),
})
export type CurrentSession = v.InferOutput<typeof currentAnswer>

/** The signed-in user; null without a session. */
export function currentSession(api: ApiClient, signal: AbortSignal): Promise<CurrentSession> {
  return api.call({ path: ["sessions", "current"], schema: currentAnswer, signal })
}

export type OpenedSession = v.InferOutput<typeof sessionAnswer>

/** Signs in and sets the cookie. Throws `ApiError` 401 for wrong credentials. */
export function signIn(api: ApiClient, credentials: Credentials): Promise<OpenedSession> {
  const call = { method: "POST", path: ["sessions"], body: credentials } as const
  return api.call({ ...call, schema: sessionAnswer })
}

export function signOut(api: ApiClient): Promise<void> {
  return api.call({ method: "DELETE", path: ["sessions", "current"], schema: null })
}

export async function listSessions(api: ApiClient): Promise<LoginSession[]> {
  return (await api.call({ path: ["sessions"], schema: sessionsAnswer })).sessions
}

export function endSession(api: ApiClient, id: string): Promise<void> {
  return api.call({ method: "DELETE", path: ["sessions", id], schema: null })
}

/** Ends all sessions of the user but the current one. */
export function endOtherSessions(api: ApiClient): Promise<void> {
  return api.call({ method: "DELETE", path: ["sessions"], schema: null })
}

/** Merges properties of the signed-in user; null removes one. */
export async function saveProperties(
  api: ApiClient,
  properties: Readonly<Record<string, string | null>>,
): Promise<User> {
  const path = ["users", "current", "properties"]
  return (await api.call({ method: "PUT", path, body: { properties }, schema: userAnswer })).user
}

export async function changePassword(
  api: ApiClient,
  id: number,
  change: { readonly oldPassword: string; readonly newPassword: string },
): Promise<void> {
  const path = ["users", id, "password"]
  await api.call({ method: "POST", path, body: change, schema: userAnswer })
}
