/** Requests of one user, with any method, for tests of the records that people create. */

import type { Client, Reply } from "./client.ts"

export interface TestCaller {
  get(path: string): Promise<Reply>
  post(path: string, body?: unknown): Promise<Reply>
  put(path: string, body?: unknown): Promise<Reply>
  delete(path: string): Promise<Reply>
}

/** Calls with these credentials; the administrator's by default, none for null. */
export function callerOf(
  client: Client,
  authorization: string | null = client.authorization,
): TestCaller {
  const headers = authorization === null ? {} : { authorization }
  const call = (method: string) => (path: string, body?: unknown) =>
    client.send(path, {
      method,
      headers: { ...headers, "content-type": "application/json" },
      ...(body === undefined ? {} : { body }),
    })
  return { get: call("GET"), post: call("POST"), put: call("PUT"), delete: call("DELETE") }
}

/**
 * Makes a user of the client's account, with an e-mail address next to the administrator's, and
 * calls as that one.
 */
export async function newUser(client: Client, name: string, role: string): Promise<TestCaller> {
  const password = "a password of its own"
  const email = client.user.replace(/^[^@]*/, name)
  const body = { user: { email, password, roles: [role] } }
  const made = await callerOf(client).post("/users", body)
  if (made.status >= 300) throw new Error(`No user was made: ${made.text}`)
  return callerOf(client, `Basic ${Buffer.from(`${email}:${password}`).toString("base64")}`)
}
