/**
 * Compiles src/codec/assembly/ into src/codec/encoder-code.ts: `npm run encoder`, after a change
 * there. The result is kept in the tree, so that a build needs no compiler.
 */

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { compileEncoder } from "./encoder-compiler.ts"

const rootFolder = fileURLToPath(new URL("../..", import.meta.url))
writeFileSync(join(rootFolder, "src/codec/encoder-code.ts"), await compileEncoder(rootFolder))
