import assert from "node:assert/strict"
import { test } from "node:test"
import { compileEncoder } from "../../src/build/encoder-compiler.ts"
import { encoderCode } from "../../src/codec/encoder-code.ts"
import { rootFolder } from "../support/project-paths.ts"

test("the encoder's code is what its sources compile to", async () => {
  const text = await compileEncoder(rootFolder)
  const lines = [...text.matchAll(/^ {2}"(.+)",$/gm)].map(([, line]) => line)
  assert.equal(lines.join(""), encoderCode, "After a change of src/codec/assembly: npm run encoder")
})
