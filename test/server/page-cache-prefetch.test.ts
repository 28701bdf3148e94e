import assert from "node:assert/strict"
import { test } from "node:test"
import { prefetchBytesMax, prefetchShareDivisor } from "../../src/base/limits.ts"
import { prefetchBytes, PageCachePrefetch } from "../../src/server/page-cache-prefetch.ts"

/** A file of some pieces, and pauses that end by hand. */
class Fixture {
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
      bytesMax: prefetchBytesMax,
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
  const fixture = new Fixture(5)
  await fixture.readingAhead().start()
  assert.equal(fixture.read, 5)
  assert.equal(fixture.endRest, null)
})

test("where samples wait, a piece is followed by a rest", async () => {
  const fixture = new Fixture(2)
  fixture.isIngesting = true
  const reading = fixture.readingAhead().start()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(fixture.read, 1)
  fixture.isIngesting = false
  fixture.endRest?.()
  await reading
  assert.equal(fixture.read, 2)
})

test("a stopped one reads nothing more, and lets go of the file", async () => {
  const fixture = new Fixture(5)
  const reading = fixture.readingAhead()
  fixture.onPiece = () => reading.stop()
  await reading.start()
  assert.equal(fixture.read, 1)
  assert.ok(fixture.isClosed)
})

test("a file that cannot be read stops nothing", async () => {
  const fixture = new Fixture(5)
  fixture.onPiece = () => {
    throw new Error("EIO")
  }
  await fixture.readingAhead().start()
  assert.equal(fixture.read, 1)
})

test("bytesOf() leaves most of the free memory, and has a bound", () => {
  assert.equal(prefetchBytes(0, 4000), 0)
  assert.equal(prefetchBytes(1000, 4000), 1000 / prefetchShareDivisor)
  assert.equal(prefetchBytes(2 ** 50, prefetchBytesMax), prefetchBytesMax)
})
