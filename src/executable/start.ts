/**
 * Entry of the single executable, and of each of its worker threads. Runs the script of the thread
 * from the executable's assets, with the code that V8 compiled when the executable was built.
 *
 *   main thread     main.js          the program
 *   worker thread   worker-host.js   Piscina's side of a thread, which asks for a task's module:
 *                   NAME.js          a module of src/worker
 *
 * Nothing is read from a disk: a script can load modules of Node and those that are handed to it.
 */

import { getRawAsset } from "node:sea"
import { pathToFileURL } from "node:url"
import { debuglog } from "node:util"
import { Script } from "node:vm"
import { isMainThread } from "node:worker_threads"

type Load = (name: string) => unknown

/** A script's code as .ci/package wraps it: a function of what a CommonJS module has. */
type ScriptBody = (
  exports: object,
  require: Load,
  module: { exports: object },
  filename: string,
  dirname: string,
  url: string,
) => void

const debug = debuglog("tidegauge")

/** Runs the script `name` and returns what it exports; `load` loads what is no module of Node. */
function runScript(name: string, load: Load): unknown {
  // ASCII, which the build checks: V8 takes one byte a character.
  const source = Buffer.from(assetBytes(name)).toString("latin1")
  const cachedData = compiledCode(name)
  const script = new Script(source, {
    filename: `tidegauge/${name}`,
    ...(cachedData === null ? {} : { cachedData }),
  })
  // NODE_DEBUG=tidegauge: a start is slower if V8 refuses the code, as with other flags of V8.
  debug("%s: compiled code %s", name, script.cachedDataRejected === false ? "taken" : "not taken")
  const module = { exports: {} }
  const body = script.runInThisContext() as ScriptBody
  const require: Load = (id) => process.getBuiltinModule(id) ?? load(id)
  const { execPath } = process
  body(module.exports, require, module, execPath, "/", pathToFileURL(execPath).href)
  return module.exports
}

/** Null in an executable that was built on another architecture. */
function compiledCode(name: string): Buffer | null {
  try {
    return Buffer.from(assetBytes(`${name}.cache`))
  } catch {
    return null
  }
}

function assetBytes(name: string): ArrayBuffer {
  return getRawAsset(name) as ArrayBuffer
}

/** Throws what `require` throws of a module that is not installed; packages try optional ones. */
function refuse(name: string): never {
  throw Object.assign(new Error(`Cannot find module "${name}"`), { code: "MODULE_NOT_FOUND" })
}

/** Piscina hides why a task's module fails to load; thrown here, the error ends the thread. */
function loadTaskModule(name: string, load: Load): unknown {
  try {
    return runScript(`${name}.js`, load)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
    return { default: () => undefined }
  }
}

function startWorker(): void {
  const host = runScript("worker-host.js", (id) =>
    id.endsWith("-worker") ? loadTaskModule(id, loadForTask) : refuse(id),
  ) as { readonly piscina: unknown }
  const loadForTask: Load = (id) => (id === "piscina" ? host.piscina : refuse(id))
}

if (isMainThread) runScript("main.js", refuse)
else startWorker()
