/** The load: sections that each start servers of their own, one after the other, and answer with figures. */

import { measureCurve } from "./curve.ts"
import { measureDay } from "./day.ts"
import { type Figure } from "./figures.ts"
import { measureAgent, measureBulk, measureTls } from "./ingest.ts"
import { measureMixed } from "./mixed.ts"
import type { Section, SectionContext } from "./section.ts"
import { measureSeries } from "./series.ts"
import { pinClient } from "./server.ts"
import { measureStatistics } from "./statistics.ts"
import { measureTogether } from "./together.ts"

export const sections = {
  agent: measureAgent,
  tls: measureTls,
  mixed: measureMixed,
  bulk: measureBulk,
  series: measureSeries,
  curve: measureCurve,
  statistics: measureStatistics,
  together: measureTogether,
  day: measureDay,
} as const satisfies Record<string, Section>

export type SectionName = keyof typeof sections

/** Runs the named sections; one that fails is reported through `onFailure`, and the next begins. */
export async function measureLoad(
  names: readonly SectionName[],
  context: SectionContext,
  onFailure: (name: SectionName, error: unknown) => void,
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const name of names) {
    // Queries may use every core, as in use; ingest is measured by the CPU second, on one of them.
    if (context.cores > 1) pinClient(name === "statistics" ? "0,1" : "1")
    try {
      figures.push(...(await sections[name](context)))
    } catch (error) {
      onFailure(name, error)
    }
  }
  return figures
}
