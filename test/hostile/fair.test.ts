/** Two keys at a shard that can do so much and no more. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout as wait } from "node:timers/promises"
import type { IngestAnswer, IngestTask } from "../../src/engine/task.ts"
import { accept, eventually, goodKey, startRig, Wire } from "../http/front-rig.ts"

const noisyKey = "f".repeat(32)
const bodyBytes = 20_000
const queueBytes = 2_000_000
/** 200 bodies a second. */
const capacityBytesPerMs = 4_000

/** Does one task after the other, each as long as its bytes take. */
function slowShard(): (task: IngestTask) => Promise<IngestAnswer> {
  let free = Promise.resolve()
  return (task) => {
    const answer = free.then(async () => {
      const ms = task.bytes.length / capacityBytesPerMs
      await wait(ms)
      return accept(task)
    })
    free = answer.then(() => {})
    return answer
  }
}

function post(key: string): string {
  const head = `POST /ingest/${key} HTTP/1.1\r\nHost: a\r\nContent-Length: ${bodyBytes}\r\n\r\n`
  return `${head}[${" ".repeat(bodyBytes - 2)}]`
}

function delay(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}

test("one noisy key leaves another 90 % of what it sends, and is told at once", async (t) => {
  const rig = await startRig(t, {
    keys: [noisyKey],
    intakeLimits: { queueBytesMax: queueBytes, gatherBytesMax: 0, batchBytesMax: 4 * bodyBytes },
    run: slowShard(),
    delay,
  })
  const noisy = Array.from({ length: 200 }, () => new Wire(rig.port))
  const quiet = Array.from({ length: 20 }, () => new Wire(rig.port))
  const asked = new Map<Wire, number>()
  const send = (wire: Wire, key: string) => {
    if (wire.statuses.length < (asked.get(wire) ?? 0) || !wire.socket.writable) return
    asked.set(wire, (asked.get(wire) ?? 0) + 1)
    wire.write(post(key))
  }
  // The quiet key sends 40 a second, a fifth of the capacity; the noisy one ten times all of it.
  const storm = setInterval(() => noisy.forEach((wire) => send(wire, noisyKey)), 100)
  let next = 0
  const calm = setInterval(() => send(quiet[next++ % quiet.length]!, goodKey), 25)
  await wait(2_500)
  clearInterval(storm)
  clearInterval(calm)
  await eventually(() => rig.intake.queueBytes === 0)
  const statusesOf = (wires: Wire[]) => wires.flatMap((wire) => wire.statuses)
  const taken = statusesOf(quiet).filter((status) => status === 202).length
  const sent = quiet.reduce((sum, wire) => sum + (asked.get(wire) ?? 0), 0)
  const noise = statusesOf(noisy)
  const noiseTaken = noise.filter((status) => status === 202).length
  t.diagnostic(`quiet ${taken} of ${sent}; noisy ${noiseTaken} of ${noise.length}`)
  assert.ok(sent > 50 && taken >= 0.9 * sent)
  assert.ok(noise.length > 3 * noiseTaken, "Expected the noisy key to be over capacity")
  assert.ok(noise.every((status) => [202, 429, 503].includes(status)))
  assert.ok(noise.includes(429))
})
