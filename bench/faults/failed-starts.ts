/**
 * Starts that cannot succeed: `node --import tsx bench/faults/failed-starts.ts [count]`. As the
 * test of the suite, for as many starts as one likes.
 */

import { failedStartsRun } from "../../test/process/failed-starts-run.ts"

const [countText = "200"] = process.argv.slice(2)
await failedStartsRun({ count: Number(countText), tell: (line) => console.log(line) })
