/**
 * Starts that cannot succeed: `node --import tsx bench/faults/failed-starts.ts [count]`. As the
 * test of the suite, for any number of starts.
 */

import { failedStartsRun } from "../../test/process/failed-starts-run.ts"

const [countText = "200"] = process.argv.slice(2)
await failedStartsRun({ count: Number(countText), tell: (line) => console.log(line) })
