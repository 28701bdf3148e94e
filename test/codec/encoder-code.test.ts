import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { compileEncoder } from "../../src/build/encoder-compiler.ts"
import { rootFolder } from "../support/project-paths.ts"

test("the encoder's code is what its sources compile to", async () => {
  const kept = readFileSync(join(rootFolder, "src/codec/encoder-code.ts"), "utf8")
  const compiled = await compileEncoder(rootFolder)
  assert.equal(kept, compiled, "After a change of src/codec/assembly: npm run encoder")
})
