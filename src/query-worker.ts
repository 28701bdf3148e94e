/**
 * One query thread: opens the store for reading, answers questions and works out closings. Or one
 * that helps: it does parts of their questions, without a catalogue.
 */

import { assert, unreachable } from "./base/assert.ts"
import { CycleCloser } from "./cycle/closer.ts"
import type { PartQuestion } from "./cycle/task.ts"
import { TenantDirectory, type DirectoryMemory } from "./accounts/tenant-directory.ts"
import { toOutcome } from "./engine/outcome.ts"
import { poolWorkerData, turnOfLoop } from "./engine/pool.ts"
import type { OpenSamples } from "./engine/task.ts"
import { tidied, type TidyTask } from "./garbage.ts"
import type { AskRequest } from "./query/ask.ts"
import { Helper } from "./query/helper.ts"
import { Query, type HelperSide, type Others, type QueryPlan, type Sharing } from "./query/query.ts"
import { openReadStore, openSeriesReader } from "./store/open.ts"
import type { LegacyNames } from "./wire/legacy-names.ts"
import { yieldToOthers } from "./thread-priority.ts"

export interface QueryWorkerData {
  readonly folder: string
  /** Shared with the main thread, which adds tenants while the server runs. */
  readonly tenants: DirectoryMemory
  /** Whether it helps only. */
  readonly helps: boolean
  /** Work of about so many milliseconds is left to another thread; Infinity: none helps. */
  readonly partMs: number
  readonly legacyNames: LegacyNames
}

export type QueryTask =
  | { readonly kind: "ask"; readonly request: AskRequest; readonly others: Others }
  | {
      readonly kind: "answer"
      readonly plan: QueryPlan
      readonly open: OpenSamples | null
      readonly sharing: Sharing | null
    }
  | {
      readonly kind: "help"
      readonly plan: QueryPlan
      readonly open: OpenSamples | null
      readonly side: HelperSide
    }
  | { readonly kind: "rehearse"; readonly step: number; readonly nowMs: number }
  | { readonly kind: "closePart"; readonly question: PartQuestion }

type Doing = (task: QueryTask) => unknown

/** Gives what a thread does its tasks with. */
function openWorkshop(data: QueryWorkerData): Doing {
  yieldToOthers()
  return data.helps ? openHelper(data) : openAsker(data)
}

function openHelper(data: QueryWorkerData): Doing {
  const helper = new Helper(openSeriesReader(data))
  return (task) => {
    assert(task.kind === "help", `Expected no ${task.kind} on a thread that helps`)
    helper.help(task.plan, task.open, task.side)
  }
}

function openAsker(data: QueryWorkerData): Doing {
  const store = openReadStore(data)
  const tenants = new TenantDirectory(data.tenants)
  const elapsedMs = (): number => performance.now()
  const tenantUuid = (tenant: number): string => tenants.uuidOf(tenant)
  const query = new Query({
    store,
    tenantUuid,
    elapsedMs,
    partMs: data.partMs,
    legacyNames: data.legacyNames,
  })
  const closer = new CycleCloser({ store, tenantUuid })
  return (task) => {
    switch (task.kind) {
      case "ask":
        return query.ask(task.request, task.others)
      case "answer":
        return query.answer(task.plan, task.open, task.sharing)
      case "rehearse":
        return query.rehearse(task.step, task.nowMs)
      case "closePart":
        return closer.close(task.question)
      case "help":
        throw new Error("Expected this on a thread that helps")
      default:
        return unreachable(task)
    }
  }
}

/**
 * Opened while nobody waits: the first question of a thread would wait for the catalogue. Where it
 * cannot be opened the first task tries again, and what stands in the way is that task's answer.
 */
function openAhead(): Doing | null {
  try {
    return openWorkshop(poolWorkerData() as QueryWorkerData)
  } catch {
    return null
  }
}

let workshop = openAhead()

export default function runTask(task: QueryTask | TidyTask | null): Promise<unknown> {
  if (task === null) return turnOfLoop()
  if (task.kind === "tidy") return tidied()
  return toOutcome(() => {
    workshop ??= openWorkshop(poolWorkerData() as QueryWorkerData)
    return workshop(task)
  })
}
