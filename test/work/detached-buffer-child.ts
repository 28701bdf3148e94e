/** Fills the store in the folder that it is given; detaches a buffer instead if it gets none. */

import { writing } from "../support/store/lmdb-folder.ts"
import { fillSteps } from "./filled-store.ts"

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  const buffer = new ArrayBuffer(8)
  structuredClone(buffer, { transfer: [buffer] })
} else {
  await writing(folder, (writer) => {
    for (const { work } of fillSteps) work(writer)
  })
}
