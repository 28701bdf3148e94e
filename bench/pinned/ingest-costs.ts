/** CPU per sample of agents and of bulk, on new servers in turn. */

import { join } from "node:path"
import { mkdtempSync, rmSync } from "node:fs"
import { type FigureName, figureKinds } from "../load/figures.ts"
import { agentPlan, bulkConnectionsMax, bulkPlan, measureIngest } from "../load/ingest.ts"
import { connectionsDefault } from "../load/section.ts"
import { pinClient } from "../load/server.ts"
import { contextOf } from "../rounds.ts"
import { inTurn, subjectOf, type Measuring } from "./builds.ts"

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
        const scratch = mkdtempSync(join(measuring.scratch, `${build}-`))
        const alone = contextOf(subjectOf(measuring, build), measuring.size, scratch)
        const context = { ...alone, connections, say: measuring.say }
        // The server has the other one.
        if (context.cores > 1) pinClient("1")
        const figures = await measureIngest(context, plan(context))
        rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
        for (const { name, value } of figures.filter((one) => measured.has(one.name))) {
          const { title } = figureKinds[name]
          measuring.costs.add({ name: title, unit: "ns a sample" }, build, nsPerSecond / value)
        }
      }
    }
  }
}
