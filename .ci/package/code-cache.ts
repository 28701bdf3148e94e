/**
 * V8's compiled code of the scripts, made when the executable is built. Run by the runtime of the
 * executable itself:
 *
 *   node code-cache.ts flags                            hash of V8's flags
 *   node code-cache.ts FOLDER                           FOLDER/plan.json ─► FOLDER/NAME.cache
 *
 * The scripts are not run, since what a run calls depends on its times. V8 compiles a function when
 * it is first called; here the debugger's search for places of breakpoints makes it compile all
 * functions in the lines of a plan.
 */

import { readFileSync, writeFileSync } from "node:fs"
import { Session, type Debugger, type InspectorNotification } from "node:inspector"
import { join } from "node:path"
import { Script } from "node:vm"

/** What to compile in one script. */
export interface ScriptPlan {
  readonly name: string
  /** Hash of the flags with which V8 runs when the executable loads the script: the defaults. */
  readonly flags: number
  /** First line and the line after the last one, from 0. */
  readonly ranges: readonly (readonly [number, number])[]
}

/** V8 refuses code that was compiled with other flags; place of their hash in cached data. */
const flagsAt = 12

function readFlags(): number {
  return new Script("0").createCachedData().readUInt32LE(flagsAt)
}

function compile(folder: string, { name, flags, ranges }: ScriptPlan): void {
  const filename = `tidegauge/${name}`
  const session = new Session()
  session.connect()
  let scriptId = ""
  session.on(
    "Debugger.scriptParsed",
    ({ params }: InspectorNotification<Debugger.ScriptParsedEventDataType>) => {
      if (params.url === filename) scriptId = params.scriptId
    },
  )
  session.post("Debugger.enable")
  const script = new Script(readFileSync(join(folder, name), "latin1"), { filename })
  script.runInThisContext()
  for (const [from, to] of ranges) {
    const start = { scriptId, lineNumber: from }
    const end = { scriptId, lineNumber: to }
    session.post("Debugger.getPossibleBreakpoints", { start, end }, (error) => {
      if (error !== null) throw new Error(`Could not compile ${name}`, { cause: error })
    })
  }
  session.post("Debugger.disable")
  session.disconnect()
  const data = script.createCachedData()
  data.writeUInt32LE(flags, flagsAt)
  writeFileSync(join(folder, `${name}.cache`), data)
}

const [argument = ""] = process.argv.slice(2)
if (argument === "flags") process.stdout.write(String(readFlags()))
else {
  compile(argument, JSON.parse(readFileSync(join(argument, "plan.json"), "utf8")) as ScriptPlan)
}
