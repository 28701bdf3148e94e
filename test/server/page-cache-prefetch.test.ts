import assert from "node:assert/strict"
import { test } from "node:test"
import { prefetchBytesMax, prefetchShareDivisor } from "../../src/base/limits.ts"
import { prefetchBytes, PageCachePrefetch } from "../../src/server/page-cache-prefetch.ts"

/** A file of some pieces, and pauses that end by hand. */
class Rig {
  read = 0
  isIngesting = false
  isClosed = false
  onPiece: () => void = () => undefined
  endRest: (() => void) | null = null
  private readonly count: number

  constructor(count: number) {
    this.count = count
  }

  readingAhead(): PageCachePrefetch {
    return new PageCachePrefetch({
      pieces: () => this.pieces(),
      isIngesting: () => this.isIngesting,
      delay: (callback) => {
        this.endRest = callback
        return () => undefined
      },
    })
  }

  private async *pieces(): AsyncGenerator<number> {
    try {
      for (let piece = 0; piece < this.count; piece++) {
        this.read++
        this.onPiece()
        yield 1
      }
    } finally {
      this.isClosed = true
    }
  }
}

test("without requests all pieces are read, one after the other", async () => {
  const rig = new Rig(5)
  await rig.readingAhead().start()
  assert.equal(rig.read, 5)
  assert.equal(rig.endRest, null)
})

test("where samples wait, a piece is followed by a rest", async () => {
  const rig = new Rig(2)
  rig.isIngesting = true
  const reading = rig.readingAhead().start()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(rig.read, 1)
  rig.isIngesting = false
  rig.endRest?.()
  await reading
  assert.equal(rig.read, 2)
})

test("a stopped one reads nothing more, and lets go of the file", async () => {
  const rig = new Rig(5)
  const reading = rig.readingAhead()
  rig.onPiece = () => reading.stop()
  await reading.start()
  assert.equal(rig.read, 1)
  assert.ok(rig.isClosed)
})

test("a file that cannot be read stops nothing", async () => {
  const rig = new Rig(5)
  rig.onPiece = () => {
    throw new Error("EIO")
  }
  await rig.readingAhead().start()
  assert.equal(rig.read, 1)
})

test("bytesOf() leaves most of the free memory, and has a bound", () => {
  assert.equal(prefetchBytes(0), 0)
  assert.equal(prefetchBytes(1000), 1000 / prefetchShareDivisor)
  assert.equal(prefetchBytes(2 ** 50), prefetchBytesMax)
})
