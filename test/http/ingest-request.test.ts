import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { codingOf, ingestTarget } from "../../src/http/ingest/ingest-request.ts"

test("ingestTarget() finds the key in every documented and real path", () => {
  const f = (url: string, want: string | null) =>
    assert.equal(ingestTarget(url)?.apiKey ?? null, want, url)

  f("/ingest/KEY", "KEY")
  f("/ingest/KEY/", "KEY")
  f("/ingest/KEY?x=/a/b", "KEY")
  f("/ingest/KEY/?", "KEY")
  f("/ingest/java/KEY", "KEY")
  f("/ingest/java/KEY/", "KEY")
  f("/ingest/ja%20va/KEY?y", "KEY")
  f("/ingest/%4bEY", "KEY")
  f("/ingest/%zz", "%zz")
  f("/ingest", null)
  f("/ingest/", null)
  f("/ingest/?KEY", null)
  f("/ingest//KEY", null)
  f("/ingest/KEY//", null)
  f("/ingest/events", null)
  f("/ingest/events/KEY", null)
  f("/ingest/events/java/KEY", null)
  f("/ingest/webhook/KEY", null)
  f("/ingest/a/b/KEY", null)
  f("/other/KEY", null)
  f("/Ingest/KEY", null)
})

test("ingestTarget() never throws, and never finds a key with a slash in its path", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary-ascii" }), (rest) => {
      const url = `/ingest/${rest}`
      const target = ingestTarget(url)
      if (target !== null && !rest.includes("%")) assert.ok(!target.apiKey.includes("/"))
    }),
  )
})

test("codingOf() reads one coding in any case, also with identity, and refuses others", () => {
  const f = (text: string | undefined, want: string | null) => assert.equal(codingOf(text), want)
  f(undefined, null)
  f("", null)
  f("identity", null)
  f(" GZIP ", "gzip")
  f("x-gzip", "gzip")
  f("Deflate", "deflate")
  f("br", "br")
  f("identity, br", "br")
  for (const bad of ["zstd", "gzip, gzip", "__proto__", "toString"]) {
    assert.throws(() => codingOf(bad), /expected gzip, deflate, br or identity/)
  }
})
