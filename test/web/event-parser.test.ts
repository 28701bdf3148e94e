/** Server-sent events from pieces: however they are cut, the messages are the same. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { EventParser } from "../../src/web/api/event-parser.ts"

const message = fc.record({
  id: fc.option(fc.integer({ min: 1 }).map(String)),
  event: fc.constantFrom("incident", "time", "reset"),
  data: fc.jsonValue(),
})

test("messages do not depend on where their text is cut", () => {
  fc.assert(
    fc.property(fc.array(message), fc.array(fc.nat(40)), (messages, cuts) => {
      const text = messages
        .map(({ id, event, data }) => {
          const idLine = id === null ? "" : `id: ${id}\n`
          return `${idLine}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
        })
        .join("")
      const parser = new EventParser()
      const found = []
      let rest = `retry: 1000\n\n${text}`
      for (const cut of cuts) {
        found.push(...parser.push(rest.slice(0, cut)))
        rest = rest.slice(cut)
      }
      found.push(...parser.push(rest))
      const want = messages.map((one) => ({ ...one, data: JSON.parse(JSON.stringify(one.data)) }))
      assert.deepEqual(found, want)
    }),
  )
})

test("what is no message is left out, and does not keep others from being read", () => {
  const parser = new EventParser()
  assert.deepEqual(parser.push(": comment\n\nevent: time\ndata: {broken\n\ndata: {}\n\n"), [])
  assert.equal(parser.push("event: time\ndata: {}\n\n").length, 1)
})
