/** The command line of the bench. */

import { parseArgs } from "node:util"
import { sections, type SectionName } from "./load/load.ts"
import { connectionsDefault } from "./load/section.ts"
import type { BenchSize } from "./parts/populations.ts"

export const usage = `npm run bench -- [options]
  --size small|canonical   canonical (the default) is what figures are quoted from
  --only NAMES             of parts, ${Object.keys(sections).join(", ")}; with commas; default: all
  --server FILE            what node runs as the server (default: dist/main.js)
  --connections N          collectors that send at once (default: 64; bulk: 16 at most)
  --no-peers               only our server and the floor
  --scratch FOLDER         where servers keep their data meanwhile (default: the system's)
  --out FILE               writes the report there as well
  --check                  compares ratios with the committed ones; ends with 1 where one is worse
  --keep                   commits the ratios of this run instead, to bench/load/ratios.json
  --renew                  keeps the answers of the parts of this size as the expected ones`

export interface BenchOptions {
  readonly size: BenchSize
  readonly withParts: boolean
  readonly sections: readonly SectionName[]
  readonly server: string
  readonly connections: number
  readonly withPeers: boolean
  readonly scratch: string | undefined
  readonly out: string | undefined
  readonly renew: boolean
  readonly check: boolean
  readonly keep: boolean
}

const partsName = "parts"
/** Beyond, the client would be what is measured. */
const connectionsMax = 1024

/** Throws an Error with a sentence if the command line cannot be taken. */
export function parseOptions(argv: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      size: { type: "string", default: "canonical" },
      only: { type: "string", default: [partsName, ...Object.keys(sections)].join(",") },
      server: { type: "string", default: "dist/main.js" },
      connections: { type: "string", default: String(connectionsDefault) },
      "no-peers": { type: "boolean", default: false },
      scratch: { type: "string" },
      out: { type: "string" },
      renew: { type: "boolean", default: false },
      check: { type: "boolean", default: false },
      keep: { type: "boolean", default: false },
    },
  })
  const { size, only, server, scratch, out, renew, check, keep } = values
  if (size !== "small" && size !== "canonical") {
    throw new Error(`Cannot take --size ${size}: expected small or canonical`)
  }
  const names = only.split(",").map((name) => name.trim())
  const unknown = names.find((name) => name !== partsName && !isSection(name))
  if (unknown !== undefined) throw new Error(`Cannot take --only ${unknown}: no such part`)
  const connections = Number(values.connections)
  if (!(Number.isInteger(connections) && connections >= 1 && connections <= connectionsMax)) {
    throw new Error(
      `Cannot take --connections ${values.connections}: expected 1 to ${connectionsMax}`,
    )
  }
  return {
    size,
    connections,
    withParts: names.includes(partsName),
    sections: names.filter(isSection),
    server,
    withPeers: !values["no-peers"],
    scratch,
    out,
    renew,
    check,
    keep,
  }
}

function isSection(name: string): name is SectionName {
  return Object.hasOwn(sections, name)
}
