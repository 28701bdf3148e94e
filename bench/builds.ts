/**
 * Two builds on the same Node, in turn: what a change costs or earns. Or one build with and without
 * tunings (src/config/tunings.ts): what these earn on a version of Node.
 *
 *   npm run bench:builds -- --base ../before/dist/main.js [--rounds 5] [--size small] [--only a,b]
 *   npm run bench:builds -- --off heap-growth,v8-threads [--node node26/bin/node] [--only agent]
 *
 * The base is another checkout with its packages installed and built. The last column is this build
 * divided by the base.
 */

import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { tuningsVariable } from "../src/config/tunings.ts"
import { compareVariants, sectionNames, type Variant } from "./rounds.ts"

const { values } = parseArgs({
  options: {
    base: { type: "string" },
    off: { type: "string" },
    node: { type: "string", default: process.execPath },
    rounds: { type: "string", default: "5" },
    size: { type: "string", default: "canonical" },
    only: { type: "string", default: "agent,mixed,bulk,series,statistics" },
  },
})

const node = resolve(values.node)
const thisBuild: Variant = { name: "this build", node, entry: resolve("dist/main.js") }

function baseOf({ base, off }: typeof values): Variant {
  if (base !== undefined) return { name: "base", node, entry: resolve(base) }
  if (off === undefined) throw new Error("Expected --base, the main.js of another build, or --off")
  return { ...thisBuild, name: `without ${off}`, environment: { [tuningsVariable]: off } }
}

await compareVariants({
  variants: [baseOf(values), thisBuild],
  rounds: Number(values.rounds),
  size: values.size === "small" ? "small" : "canonical",
  only: sectionNames(values.only),
})
