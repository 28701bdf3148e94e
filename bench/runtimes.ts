/**
 * The same build on several lines of Node, in turn: `npm run bench:runtimes [-- --rounds 3]`. It
 * decides which runtime the single executable carries. The binaries come from `.ci/runtimes`.
 */

import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { compareVariants, sectionNames } from "./rounds.ts"

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    size: { type: "string", default: "canonical" },
    only: { type: "string", default: "agent,mixed,bulk,statistics" },
  },
})

await compareVariants({
  variants: ["20", "24", "26"].map((line) => ({
    name: `Node ${line}`,
    node: resolve(`.ci/runtimes/node_modules/node${line}/bin/node`),
    entry: resolve("dist/main.js"),
  })),
  rounds: Number(values.rounds),
  size: values.size === "small" ? "small" : "canonical",
  only: sectionNames(values.only),
})
