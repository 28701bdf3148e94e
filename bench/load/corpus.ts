/** Whole requests of a workload for one server, made before the clock starts. */

import { bodies } from "./bodies.ts"
import { postRequest } from "./connection.ts"
import type { Server } from "./server.ts"
import { type Cut, cutWorkload, samplesOfCut, type Workload } from "./workload.ts"

export interface Corpus {
  readonly requests: readonly Buffer[]
  /** Samples in each request. */
  readonly samples: (index: number) => number
}

export interface RequestSize {
  readonly elements: number
  readonly minutes: number
}

export function createCorpus(workload: Workload, size: RequestSize, server: Server): Corpus {
  return corpusOf(workload, cutWorkload(workload, size), server)
}

/** A request a cut. */
export function corpusOf(workload: Workload, cuts: readonly Cut[], server: Server): Corpus {
  const print = bodies[server.subject.format]
  const { target } = server.launch
  return {
    requests: cuts.map((cut) => postRequest(target, print(workload, cut))),
    samples: (index) => samplesOfCut(workload, cuts[index]!),
  }
}

/** The part of a corpus in the half-open range of requests. */
export function sliceCorpus({ requests, samples }: Corpus, from: number, to: number): Corpus {
  return { requests: requests.slice(from, to), samples: (index) => samples(from + index) }
}
