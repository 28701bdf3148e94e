/** `npm run docs`: writes the generated parts of the handbook. */

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { handbookFolder, handbookPages, readPage, regenerate } from "./handbook.ts"

for (const name of handbookPages) {
  writeFileSync(join(handbookFolder, name), await regenerate(readPage(name)))
}
