import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { ServiceError } from "../../src/base/errors.ts"
import { formPart } from "../../src/http/shared/multipart.ts"

test("a part is found among others, whatever bytes it holds", () => {
  const part = fc.record({
    name: fc.stringMatching(/^[a-z]{1,6}$/),
    content: fc.uint8Array({ maxLength: 60 }),
  })
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 4 }),
      part,
      fc.boolean(),
      (others, wanted, isQuoted) => {
        const parts = [...others.filter(({ name }) => name !== wanted.name), wanted]
        const bytes = parts.map(({ name, content }) => {
          const head = `--limit\r\nContent-Disposition: form-data; name="${name}"\r\nX: y\r\n\r\n`
          return Buffer.concat([Buffer.from(head), content, Buffer.from("\r\n")])
        })
        const body = Buffer.concat([...bytes, Buffer.from("--limit--\r\n")])
        const type = `Multipart/Form-Data; charset=x; boundary=${isQuoted ? '"limit"' : "limit"}`
        assert.deepEqual(
          Buffer.from(formPart(body, type, wanted.name)),
          Buffer.from(wanted.content),
        )
      },
    ),
  )
})

test("any bytes fail only with a message that says what was expected", () => {
  const type = "multipart/form-data; boundary=b"
  const pieces = fc.constantFrom("--b", "\r\n", "--", "name=file", ": ", ";", '"', "x", "\r\n\r\n")
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (words) => {
      try {
        formPart(Buffer.from(words.join("")), type, "file")
      } catch (error) {
        assert.ok(error instanceof ServiceError && error.code === "invalid", String(error))
      }
    }),
  )
})

test("the number of parts is limited", () => {
  const one = '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n\r\n'
  const body = Buffer.from(`${one.repeat(1_000)}--b--\r\n`)
  assert.throws(() => formPart(body, "multipart/form-data; boundary=b", "file"), /first 100/)
})
