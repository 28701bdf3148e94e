/** Two keys at a shard that can do so much and no more. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { requestOverheadBytes } from "../../src/engine/ingest-queue.ts"
import type { IngestAnswer, IngestTask } from "../../src/engine/shard-protocol.ts"
import { accept, goodKey, startFixture, Wire } from "../http/ingest-fixture.ts"
import { eventually } from "../support/time/eventually.ts"

const noisyKey = "f".repeat(32)
const bodyBytes = 20_000
const queueBytes = 2_000_000
const rounds = 15
/** Work of the shard in a round; the quiet key sends a fifth of it, the noisy one five times it. */
const bodiesPerRound = 20
const quietPerRound = 4

/** Holds each task until the test lets it work. */
class HeldShard {
  private readonly held: { task: IngestTask; done: () => void }[] = []

  readonly run = async (task: IngestTask): Promise<IngestAnswer> => {
    await new Promise<void>((done) => this.held.push({ task, done }))
    return accept(task)
  }

  /** Does the oldest task; returns its number of bodies, 0 if there is none. */
  work(): number {
    const oldest = this.held.shift()
    oldest?.done()
    return (oldest?.task.bytes.length ?? 0) / bodyBytes
  }
}

/** Connections of one key, each of which sends when it has its answer. */
class Senders {
  private readonly wires: Wire[]
  private readonly post: string
  private readonly asked = new Map<Wire, number>()
  sent = 0

  constructor(port: number, key: string, connections: number) {
    this.wires = Array.from({ length: connections }, () => new Wire(port))
    const head = `POST /ingest/${key} HTTP/1.1\r\nHost: a\r\nContent-Length: ${bodyBytes}\r\n\r\n`
    this.post = `${head}[${" ".repeat(bodyBytes - 2)}]`
  }

  /** Sends on as many connections as are free, `most` at most. */
  send(most: number): void {
    const free = this.wires.filter((wire) => wire.socket.writable && this.isAnswered(wire))
    for (const wire of free.slice(0, most)) {
      this.asked.set(wire, (this.asked.get(wire) ?? 0) + 1)
      this.sent++
      wire.write(this.post)
    }
  }

  get statuses(): number[] {
    return this.wires.flatMap((wire) => wire.statuses)
  }

  private isAnswered(wire: Wire): boolean {
    return wire.statuses.length === (this.asked.get(wire) ?? 0)
  }
}

test("one noisy key leaves another 90 % of what it sends, and is refused itself", async (t) => {
  const shard = new HeldShard()
  const fixture = await startFixture(t, {
    keys: [noisyKey],
    intakeLimits: { queueBytesMax: queueBytes, lingerBytesMax: 0, batchBytesMax: 4 * bodyBytes },
    run: shard.run,
  })
  const noisy = new Senders(fixture.port, noisyKey, 100)
  const quiet = new Senders(fixture.port, goodKey, 20)
  const waiting = (): number =>
    noisy.sent + quiet.sent - noisy.statuses.length - quiet.statuses.length
  /** Until what was sent is answered, or held in the queue. */
  const arrived = () =>
    eventually(() => fixture.intake.queueBytes === waiting() * (bodyBytes + requestOverheadBytes))
  for (let round = 0; round < rounds; round++) {
    noisy.send(Infinity)
    quiet.send(quietPerRound)
    await arrived()
    for (let done = 0; done < bodiesPerRound;) {
      done += shard.work()
      await arrived()
    }
  }
  while (waiting() > 0) {
    shard.work()
    await arrived()
  }
  const noise = noisy.statuses
  const isTaken = (status: number) => status === 202
  const [taken, noiseTaken] = [quiet.statuses, noise].map((all) => all.filter(isTaken).length)
  t.diagnostic(`quiet ${taken} of ${quiet.sent}; noisy ${noiseTaken} of ${noise.length}`)
  assert.equal(quiet.sent, rounds * quietPerRound)
  assert.ok(taken! >= 0.9 * quiet.sent)
  assert.ok(noise.length > 3 * noiseTaken!, "Expected the noisy key to be over capacity")
  assert.ok(noise.every((status) => [202, 429, 503].includes(status)))
  assert.ok(noise.includes(429))
})
