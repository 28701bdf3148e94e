import assert from "node:assert/strict"
import { test } from "node:test"
import { collectIfGrown } from "../../src/runtime/gc.ts"
import { IdleGarbageCollector } from "../../src/runtime/idle-gc.ts"

/** A process of some threads, and seconds that pass by hand. */
class Fixture {
  readonly collected: string[] = []
  readonly tidying: IdleGarbageCollector
  onCollect: (thread: string) => void = () => undefined
  private cpuMs = 1000
  private look: () => void = () => undefined

  constructor(...threads: string[]) {
    this.tidying = new IdleGarbageCollector({
      cpuMs: () => this.cpuMs,
      threads: threads.map((thread) => () => this.collect(thread)),
      repeat: (callback) => {
        this.look = callback
        return () => (this.look = () => undefined)
      },
    })
    this.tidying.start()
  }

  /** Advances the clock by `seconds`, in each of which the process uses `cpuMs` of CPU. */
  async pass(seconds: number, cpuMs = 5): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      this.cpuMs += cpuMs
      this.look()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  private async collect(thread: string): Promise<void> {
    this.onCollect(thread)
    this.collected.push(thread)
  }
}

test("after ten quiet seconds every thread collects, one after the other, and once", async () => {
  const fixture = new Fixture("shard", "queries", "main")
  await fixture.pass(9)
  assert.deepEqual(fixture.collected, [])
  await fixture.pass(1)
  assert.deepEqual(fixture.collected, ["shard", "queries", "main"])
  await fixture.pass(60)
  assert.equal(fixture.collected.length, 3)
})

test("after work, the ten quiet seconds begin again", async () => {
  const fixture = new Fixture("shard")
  await fixture.pass(1)
  await fixture.pass(1, 600)
  await fixture.pass(9)
  assert.deepEqual(fixture.collected, [])
  await fixture.pass(1)
  assert.deepEqual(fixture.collected, ["shard"])
  await fixture.pass(1, 600)
  await fixture.pass(10)
  assert.deepEqual(fixture.collected, ["shard", "shard"])
})

test("a request now and then defers the collections, however little CPU it uses", async () => {
  const fixture = new Fixture("shard")
  for (let post = 0; post < 5; post++) {
    await fixture.pass(9)
    fixture.tidying.noteActivity()
  }
  assert.deepEqual(fixture.collected, [])
})

test("threads that have not been collected yet are left out when a request comes", async () => {
  const fixture = new Fixture("shard", "queries", "main")
  fixture.onCollect = () => fixture.tidying.noteActivity()
  await fixture.pass(10)
  assert.deepEqual(fixture.collected, ["shard"])
})

test("a thread that cannot collect keeps no other one from it", async () => {
  const fixture = new Fixture("shard", "main")
  fixture.onCollect = (thread) => assert.equal(thread, "main")
  await fixture.pass(10)
  assert.deepEqual(fixture.collected, ["main"])
})

test("a stopped one collects nothing", async () => {
  const fixture = new Fixture("shard")
  await fixture.pass(9)
  fixture.tidying.stop()
  await fixture.pass(20)
  assert.deepEqual(fixture.collected, [])
})

test("collectIfGrown() frees unreferenced buffers, and works on this version of Node", async () => {
  await collectIfGrown()
  const bytes = 64 * 1024 ** 2
  const before = process.memoryUsage().arrayBuffers
  assert.equal(new Uint8Array(bytes).length, bytes)
  await new Promise((resolve) => setImmediate(resolve))
  await collectIfGrown()
  assert.ok(process.memoryUsage().arrayBuffers < before + bytes / 2)
})
