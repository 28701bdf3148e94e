/** Queries that take minutes: expressions that take 40 ms for each name. */

import { seededRandom } from "../run/seeded-random.ts"

import type { Client } from "./client.ts"

const names = 400
const nameCharacters = 480
const expressions = 64

/** Posts names on which expressions are slow, with a sample of `timestamp` each. */
export async function postSlowNames(client: Client, timestamp = Date.now()): Promise<void> {
  // Letters without order: what an expression remembers of one name helps with no other.
  const random = seededRandom(1)
  const samples = Array.from({ length: names }, (_, val) => {
    const metricId = Buffer.from(random.bytes(nameCharacters / 2)).toString("hex")
    return { metricId, timestamp, val }
  })
  const reply = await client.ingest([{ id: "slow", type: "SERVER", samples }])
  if (reply.status !== 202) throw new Error(reply.text)
}

/** The body of a search by expressions that pass nothing and cannot be decided early. */
export function slowSearch(): object {
  const items = Array.from({ length: expressions }, (_, i) => ({
    item: `(.?[a-f].{0,30}[0-9]?.{0,25}e.{0,${18 + (i >> 3)}}a.{0,${18 + (i % 8)}}f.*){1,2}[Q-Z_]$`,
    queryType: "REGEX",
  }))
  return { metricFqns: { and: false, items } }
}
