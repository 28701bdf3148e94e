/**
 * Which files of tests may run a second time. With the same seed a test that only computes fails
 * again or has a fault, so it gets none. One that starts a process, a server or a browser depends
 * on what the machine does besides.
 */

import type { Metafile } from "esbuild"

/** Of node and of packages: what runs outside of the test, or waits for it. */
const outside = new Set(["net", "http", "http2", "https", "tls", "dgram", "child_process"])
const foreign = new Set([...[...outside].map((name) => `node:${name}`), "playwright-core"])

/** It builds the bundles of tests by a process. */
const builder = "test/support/project-paths.ts"

/** Whether a file reaches something foreign by modules of tests and benches. */
export function mayRunAgain(file: string, { inputs }: Pick<Metafile, "inputs">): boolean {
  const seen = new Set<string>()
  const reaches = (path: string): boolean => {
    if (seen.has(path) || path === builder) return false
    seen.add(path)
    const imports = inputs[path]?.imports ?? []
    return imports.some((one) => {
      if (one.external === true) return foreign.has(one.path)
      return /^(?:test|bench)\//.test(one.path) && reaches(one.path)
    })
  }
  return reaches(file)
}
