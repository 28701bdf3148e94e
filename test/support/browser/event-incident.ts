/** An open incident without waiting for a cycle: of a policy on events, and an event. */

import assert from "node:assert/strict"
import { callerOf } from "../server/caller.ts"
import type { Client } from "../server/client.ts"
import { eventually } from "../time/eventually.ts"

/** Name of the policy, and so the heading of the incident. */
export const eventPolicyName = "Disk is full"

/** Posts both for an element that has sent samples; resolves to the id of the incident. */
export async function openEventIncident(client: Client, elementFqn: string): Promise<string> {
  const policy = {
    name: eventPolicyName,
    scope: {},
    eventConditions: [{ messageRegex: "no space left" }],
    actions: [{ type: "event", category: 3 }],
  }
  const made = await callerOf(client).post("/policies", { policy })
  assert.equal(made.status, 200, made.text)
  const data = { elementId: elementFqn, level: "CRITICAL", message: "no space left" }
  const event = { type: "INFO", title: "Disk", source: "agent", timestamp: Date.now(), data }
  const path = `/ingest/events/${client.apiKey}`
  const posted = await client.send(path, { method: "POST", body: [event] })
  assert.ok(posted.status < 300, posted.text)
  return firstIncident(client)
}

/** The id of the newest incident, as soon as there is one. */
export async function firstIncident(client: Client): Promise<string> {
  let id: string | undefined
  await eventually(async () => {
    const { json } = await callerOf(client).get("/incidents?limit=1&order=desc")
    id = json<{ incidents: readonly { incidentId: string }[] }>().incidents[0]?.incidentId
    return id !== undefined
  })
  return id!
}
