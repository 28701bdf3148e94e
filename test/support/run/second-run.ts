/**
 * Which files of tests run a second time. With the same seed a test that only computes fails again
 * or has a fault, so it gets none. One that starts a process, a server or a browser depends on what
 * the machine does besides.
 */

import type { Metafile } from "esbuild"

type Inputs = Metafile["inputs"]

/** Modules that start what runs outside of the test, or wait for it. */
const foreign = /^(?:node:(?:net|https?|http2|tls|dgram|child_process)|playwright-core)$/

/** It builds the bundles of tests by a process. */
const builder = "test/support/project-paths.ts"

/**
 * The tests to run again when those of some places failed, or none if one of them only computes. A
 * place is where a test is written: a file of tests, or a module that defines laws for several.
 */
export function testsToRunAgain(
  places: readonly string[],
  tests: readonly string[],
  inputs: Inputs,
): readonly string[] {
  const reached = new Map(tests.map((file) => [file, reachedFrom(file, inputs)]))
  const isKnown = places.every((place) => tests.some((file) => reached.get(file)!.has(place)))
  const again = tests.filter((file) => places.some((place) => reached.get(file)!.has(place)))
  const isForeign = (file: string) => [...reached.get(file)!].some((path) => foreign.test(path))
  return isKnown && again.every(isForeign) ? again : []
}

/** A file, the modules of tests and benches that it imports, and what these import of others. */
function reachedFrom(file: string, inputs: Inputs): ReadonlySet<string> {
  const reached = new Set<string>()
  const visit = (path: string): void => {
    if (reached.has(path) || path === builder) return
    reached.add(path)
    for (const one of inputs[path]?.imports ?? []) {
      if (one.external === true) reached.add(one.path)
      else if (/^(?:test|bench)\//.test(one.path)) visit(one.path)
    }
  }
  visit(file)
  return reached
}
