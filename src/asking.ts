/**
 * Asking: the way of a question through the threads.
 *
 *   publish ─► shard                where names came that readers do not see yet
 *   ask ─► query thread             finds the series, and how they can be read in parts; answers
 *                                   where the next lines have nothing to add
 *   open samples ─► shard           where there are any
 *   answer ─► query thread ◄──┐     reads, prints
 *   help ─► helping threads ──┘     so do those that are idle, for a question in parts
 */

import { fromOutcome, type Outcome } from "./engine/outcome.ts"
import type { ThreadPool } from "./engine/pool.ts"
import type { ShardClient } from "./engine/shard-client.ts"
import { giveBack, mayHaveOpen, shareOut } from "./query/query.ts"
import type { Asked, AskRequest, QueryPlan } from "./query/query.ts"
import type { HelperSide } from "./query/query.ts"
import type { QueryTask } from "./query-worker.ts"
import type { OpenSamples } from "./store/store.ts"

/**
 * How much work is left to another thread at a time, of several milliseconds: handing over a part
 * and its answer takes about a tenth of one.
 */
export const partMs = 3

export interface AskingParts {
  readonly queryPool: ThreadPool
  /** Null where nobody helps. */
  readonly helperPool: ThreadPool | null
  readonly shard: Pick<ShardClient, "openSampleCount" | "openSamples" | "isUnpublished" | "publish">
  /** Whether samples wait to be taken in: then a question takes no second core from them. */
  readonly isIngesting: () => boolean
}

export class Asking {
  private readonly parts: AskingParts

  constructor(parts: AskingParts) {
    this.parts = parts
  }

  /** The finished answer, UTF-8. Rejects with a ServiceError as `Query.plan` and `answer` throw. */
  async ask(request: AskRequest): Promise<Uint8Array> {
    const { queryPool, shard } = this.parts
    if (shard.isUnpublished) await shard.publish()
    const others = { areOpen: shard.openSampleCount > 0, mayShare: this.idleHelpers() > 0 }
    const task: QueryTask = { kind: "ask", request, others }
    const { bytes, plan } = fromOutcome(await queryPool.run<Outcome<Asked>>(task))
    if (plan === undefined) return bytes
    const isOpen = shard.openSampleCount > 0 && mayHaveOpen(plan)
    const open = isOpen
      ? await shard.openSamples(plan.series, plan.span, plan.onlyFirst ?? false)
      : null
    return fromOutcome(await this.answer(plan, open))
  }

  private answer(plan: QueryPlan, open: OpenSamples | null): Promise<Outcome<Uint8Array>> {
    const { queryPool } = this.parts
    const { spread, ...lean } = plan
    const parts = spread?.parts ?? []
    const helpers = Math.min(this.idleHelpers(), parts.length - 1)
    if (helpers <= 0) {
      const task: QueryTask = { kind: "answer", plan: lean, open, sharing: null }
      return queryPool.run(task)
    }
    const { sharing, sides } = shareOut(parts.length, helpers)
    const task: QueryTask = { kind: "answer", plan, open, sharing }
    const answered = queryPool.run<Outcome<Uint8Array>>(task, sharing.ports)
    for (const side of sides) void this.help({ kind: "help", plan, open, side })
    return answered
  }

  /** What a helper meets the asker meets, too; only that its thread ended the asker cannot know. */
  private async help(task: QueryTask & { readonly side: HelperSide }): Promise<void> {
    const { side } = task
    try {
      await this.parts.helperPool!.run(task, [side.port])
    } catch {
      giveBack(side.state, side.thread)
    }
  }

  /** With whom no more threads work than there are helpers and one who asks. */
  private idleHelpers(): number {
    const { queryPool, helperPool, isIngesting } = this.parts
    if (helperPool === null || isIngesting()) return 0
    return (
      helperPool.threads - helperPool.taskCount - Math.min(queryPool.taskCount, queryPool.threads)
    )
  }
}
