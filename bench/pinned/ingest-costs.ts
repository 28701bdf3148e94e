/** CPU per sample of agents and of bulk, on new servers in turn. */

import { availableParallelism } from "node:os"
import { join } from "node:path"
import { mkdirSync, rmSync } from "node:fs"
import { type FigureName, figureKinds } from "../load/figures.ts"
import { agentPlan, bulkConnectionsMax, bulkPlan, measureIngest } from "../load/ingest.ts"
import { connectionsDefault, dayMs, type SectionContext } from "../load/section.ts"
import { allIsRolledUp } from "../rounds.ts"
import { inTurn, subjectOf, type Measuring } from "./builds.ts"
import type { BuildName } from "./costs.ts"

const loads = [
  { plan: agentPlan, connections: connectionsDefault },
  { plan: bulkPlan, connections: bulkConnectionsMax },
] as const
const rounds = 4
const nsPerSecond = 1e9
/** Of the figures of a plan; memory is none of CPU. */
const measured: ReadonlySet<FigureName> = new Set([
  "agentAcknowledged",
  "agentSettled",
  "bulkAcknowledged",
  "bulkSettled",
])

export async function measureIngestCosts(measuring: Measuring): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const { plan, connections } of loads) {
      for (const build of inTurn(round)) {
        const context = contextOf(measuring, build, connections)
        mkdirSync(context.scratch, { recursive: true })
        const figures = await measureIngest(context, plan(context))
        rmSync(context.scratch, { recursive: true, force: true, maxRetries: 5 })
        for (const { name, value } of figures.filter((one) => measured.has(one.name))) {
          const { title } = figureKinds[name]
          measuring.costs.add({ name: title, unit: "ns a sample" }, build, nsPerSecond / value)
        }
      }
    }
  }
}

function contextOf(measuring: Measuring, build: BuildName, connections: number): SectionContext {
  return {
    size: measuring.size,
    subject: { ...subjectOf(measuring, build), check: allIsRolledUp },
    peers: [],
    scratch: join(measuring.scratch, build),
    midnightMs: Math.floor(Date.now() / dayMs) * dayMs,
    nowMs: Date.now,
    cores: availableParallelism(),
    connections,
    say: measuring.say,
  }
}
