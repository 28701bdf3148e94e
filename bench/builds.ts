/**
 * Two builds on the same Node, in turn: what a change costs or earns.
 *
 *   npm run bench:builds -- --base ../before/dist/main.js [--rounds 5] [--size small] [--only a,b]
 *
 * The base is another checkout with its packages installed and built. The last column is this build
 * divided by the base.
 */

import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { compareVariants, sectionNames } from "./rounds.ts"

const { values } = parseArgs({
  options: {
    base: { type: "string" },
    rounds: { type: "string", default: "5" },
    size: { type: "string", default: "canonical" },
    only: { type: "string", default: "agent,mixed,bulk,series,statistics" },
  },
})
if (values.base === undefined) throw new Error("Expected --base, the main.js of another build")

const node = process.execPath
await compareVariants({
  variants: [
    { name: "base", node, entry: resolve(values.base) },
    { name: "this build", node, entry: resolve("dist/main.js") },
  ],
  rounds: Number(values.rounds),
  size: values.size === "small" ? "small" : "canonical",
  only: sectionNames(values.only),
})
