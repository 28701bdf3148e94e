/** The read side of the server: admission, dispatch to query threads, and their warm-up. */

import {
  Admission,
  type QueryClient,
  type QueryRequest,
  type ReservedAnswer,
} from "../query/query.ts"
import { delay } from "../runtime/timers.ts"
import type { Engine } from "./engine.ts"
import type { Infrastructure } from "./infrastructure.ts"
import { QueryDispatcher } from "./query-dispatcher.ts"
import { openStoreOn } from "./reader-pools.ts"
import type { QueryTrace } from "./watch/query-trace.ts"
import { SlowQueries } from "./watch/slow-queries.ts"
import { WarmUp } from "./warm-up.ts"

export interface Queries {
  readonly admission: Admission
  /** Begins when the server listens, which it must not delay. */
  readonly warmUp: WarmUp
  readonly slowQueries: SlowQueries
  /** Answers a client's query; it waits for admission. */
  readonly runQuery: (request: QueryRequest, asker: QueryClient) => Promise<ReservedAnswer>
  /** Answers a query of the server itself, which waits for no client's. */
  readonly runInternalQuery: (request: QueryRequest) => Promise<ReservedAnswer>
}

export function createQueries(
  infrastructure: Infrastructure,
  { isIngesting }: Pick<Engine, "isIngesting">,
): Queries {
  const { clock, queryPool, scanPool, closingPool, idleGc } = infrastructure
  const admission = createAdmission(infrastructure)
  const slowQueries = new SlowQueries(infrastructure.log, infrastructure.config.slowQueryMs)
  const onEnded = (trace: QueryTrace): void => slowQueries.note(trace)
  const dispatcher = new QueryDispatcher({ ...infrastructure, admission, isIngesting, onEnded })
  const nowMs = (): number => clock.nowMs()
  const warmUp = new WarmUp({ queryPool, scanPool, closingPool, nowMs, isIngesting, delay })
  return {
    admission,
    slowQueries,
    warmUp,
    runQuery: (request, asker) => {
      idleGc.noteActivity()
      return warmUp.yieldTo(() => dispatcher.dispatch(request, asker))
    },
    runInternalQuery: (request) => {
      idleGc.noteActivity()
      return dispatcher.dispatchInternal(request)
    },
  }
}

function createAdmission({ config, extraPool, metrics }: Infrastructure): Admission {
  return new Admission({
    threads: config.workerCount,
    timeoutMs: config.queryTimeoutMs,
    elapsedMs: () => performance.now(),
    delay,
    prepareExtra: () => openStoreOn(extraPool),
    onAnswered: (durationMs) => metrics.onQuery(durationMs),
  })
}
