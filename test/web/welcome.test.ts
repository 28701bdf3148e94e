/** The sentence about arrivals on the page of the first steps. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { text } from "../../src/web/pages/welcome/text.ts"

test("counts are said to be of all elements, not of the newest one", () => {
  const said = text.inAll({ samples: 5, requests: 5, keyName: "first steps", elements: 2 })
  assert.equal(
    said,
    "All together: 5 samples in 5 requests since the start of the server, " +
      "the last one with the key “first steps”; 2 elements by now.",
  )
  const first = text.inAll({ samples: 1, requests: 1, keyName: null, elements: 1 })
  assert.equal(
    first,
    "All together: 1 sample in 1 request since the start of the server; 1 element by now.",
  )
})
