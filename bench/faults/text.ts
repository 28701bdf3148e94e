/**
 * Text beyond bounds: `node --import tsx bench/faults/text.ts [elements] [heap in MB]`. Floods of
 * tags against a server with a small heap, which must not end the shard's thread.
 */

import { textRun } from "../../test/process/text-run.ts"

const [elementsText = "168", heapText = "256"] = process.argv.slice(2)

const tell = (line: string): void => console.log(line)
await textRun({ elements: Number(elementsText), heapMb: Number(heapText), tell })
