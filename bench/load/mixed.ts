/** Mixed ingest: a fleet whose agents have little in common, an element and minute a request. */

import { postRequest } from "./connection.ts"
import type { Corpus } from "./corpus.ts"
import type { Figure } from "./figures.ts"
import { measureIngest } from "./ingest.ts"
import { mixedBody, mixedOpenTsdbBody } from "./mixed-bodies.ts"
import { createMixedWorkload, type MixedWorkload, samplesOf } from "./mixed-workload.ts"
import { dayMs, mixedSizes, type SectionContext } from "./section.ts"
import type { Server } from "./server.ts"

export function measureMixed(context: SectionContext): Promise<Figure[]> {
  const { elements, minutes, driveSeconds, settleSeconds } = mixedSizes[context.size]
  const startMs = context.midnightMs - dayMs
  const workload = createMixedWorkload({ elements, minutes, startMs })
  // Line protocol would be a third writing of the same samples; the bulk has it.
  const peers = context.peers.filter((peer) => peer.format !== "line")
  return measureIngest(
    { ...context, peers },
    {
      title: "mixed",
      names: { acknowledged: "mixedAcknowledged", settled: "mixedSettled", rss: "mixedRss" },
      corpus: (server) => createMixedCorpus(workload, server),
      warmRequests: 2 * elements,
      driveSeconds,
      settleSeconds,
    },
  )
}

/** In order of arrival: time first, then elements. */
function createMixedCorpus(workload: MixedWorkload, { launch, subject }: Server): Corpus {
  const print = subject.format === "opentsdb" ? mixedOpenTsdbBody : mixedBody
  const count = workload.elements.length
  const requests = Array.from({ length: count * workload.minutes }, (_, i) => {
    return postRequest(launch.target, print(workload, i % count, Math.floor(i / count)))
  })
  return { requests, samples: (index) => samplesOf(workload, index % count) }
}
