/**
 * `run-tests.ts FILE OUTCOMES`: tests of a file that is no part of test/, whose outcomes are
 * written as test/run.ts writes them. A reporter in TypeScript is none for `node --test`.
 */

import { createWriteStream } from "node:fs"
import { resolve } from "node:path"
import { run } from "node:test"
import { spec } from "node:test/reporters"
import outcomes from "../../test/support/run/outcome-reporter.ts"

const [file, outcomesFile] = process.argv.slice(2)
const events = run({ files: [resolve(file!)] })
events.on("test:fail", () => (process.exitCode = 1))
events.compose(new spec()).pipe(process.stdout)
events.compose(outcomes).pipe(createWriteStream(outcomesFile!))
