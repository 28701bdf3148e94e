/** Compiles the encoder, from AssemblyScript to WebAssembly. */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import asc from "assemblyscript/asc"

/** Characters of a line; a multiple of four. */
const lineCharacters = 92

/** The text of src/codec/encoder-code.ts. Throws what the compiler says. */
export async function compileEncoder(rootFolder: string): Promise<string> {
  let code = new Uint8Array(0)
  const words = "-O3 --runtime stub --noAssert --importMemory --enable simd --outFile encoder.wasm"
  const { error, stderr } = await asc.main(["encode.ts", ...words.split(" ")], {
    readFile: (name) => textOf(join(rootFolder, "src/codec/assembly", name)),
    writeFile: (_name, contents) => {
      code = Buffer.from(contents)
    },
    listFiles: () => [],
  })
  if (error !== null) throw new Error(stderr.toString(), { cause: error })
  return moduleText(Buffer.from(code).toString("base64"))
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return null
  }
}

function moduleText(base64: string): string {
  const lines: string[] = []
  for (let at = 0; at < base64.length; at += lineCharacters) {
    lines.push(`  "${base64.slice(at, at + lineCharacters)}",\n`)
  }
  const title = "/** The compiled src/codec/assembly/, written by `npm run encoder`. */\n\n"
  return `${title}export const encoderCode = [\n${lines.join("")}].join("")\n`
}
