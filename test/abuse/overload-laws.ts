/** Results of an overload run, and the sentences of the laws it broke. */

import type { Answered } from "./overload-client.ts"

/** The answers of a period. */
export interface Flow {
  /** Requests a second. */
  readonly accepted: number
  readonly refused: number
  readonly refusedMsP50: number
  readonly refusedMsP99: number
  readonly ms: number
  /** CPU of the server in milliseconds, for each request that was accepted. */
  readonly acceptedCpuMs: number
}

export interface OverloadResult {
  /** At 16 connections. */
  readonly calm: Flow
  readonly storm: Flow
  /** Requests a second. */
  readonly offered: number
  /** Neither taken nor refused: the connection ended. */
  readonly broken: number
  readonly unsent: number
  readonly eventLoopMsP99: number
  readonly rssAtCapacity: number
  readonly rssMax: number
  /** The most that the law of memory allows, without its 10 %. */
  readonly rssBound: number
  /** Of a key that sends a fifth of the capacity, next to one that sends ten times it. */
  readonly besideNoise: { readonly due: number; readonly accepted: number }
}

export const factor = 10
/** Requests of a calm period that measure a capacity: each is one of 16,000 samples. */
export const requestsMin = 20

export function isRefused({ status }: Answered): boolean {
  return status === 429 || status === 503
}

/** `cpuMs`: of the server, in the same time. */
export function flowOf(answers: readonly Answered[], ms: number, cpuMs: number): Flow {
  const refused = answers.filter(isRefused)
  const sorted = refused.map(({ sentMs, atMs }) => atMs - sentMs).sort((a, b) => a - b)
  const accepted = answers.filter(({ status }) => status === 202).length
  const seconds = ms / 1000
  return {
    accepted: accepted / seconds,
    refused: refused.length / seconds,
    refusedMsP50: sorted[sorted.length >> 1] ?? 0,
    refusedMsP99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    ms,
    acceptedCpuMs: cpuMs / accepted,
  }
}

/** Why a run says nothing, or null: ten times the capacity of a busy machine may be no load. */
export function tooSlowToMeasure({ calm }: Pick<OverloadResult, "calm">): string | null {
  const accepted = Math.round((calm.accepted * calm.ms) / 1000)
  if (accepted >= requestsMin) return null
  return `Too slow to judge: ${accepted} requests in ${calm.ms} ms, expected ${requestsMin}`
}

/**
 * Laws that hold whatever else the machine does: bounds, and an answer to everything. One sentence
 * for each that is broken.
 */
export function brokenLaws({ storm, ...result }: OverloadResult): string[] {
  return unkept([
    ["some is accepted and some refused", storm.accepted > 0 && storm.refused > 0],
    ["memory stays within its bound and 10 %", result.rssMax <= 1.1 * result.rssBound],
    ["every request is answered", result.broken === 0],
  ])
}

/**
 * Promises in addition to the laws, on a machine without other load; likewise. Times are those that
 * a body takes at capacity, 15 ms on two cores: the machine may be slow, as long as it stays so.
 */
export function brokenPromises(result: OverloadResult): string[] {
  const { calm, storm, offered, eventLoopMsP99, besideNoise } = result
  const capacity = calm.accepted
  const bodyMs = 1000 / capacity
  const promises = unkept([
    [`at least ${factor / 2} times the capacity is answered`, offered >= 5 * capacity],
    // On two cores the client takes one for its own, and the share varies from 73 to 119 %.
    ["half of the capacity is accepted", storm.accepted >= 0.5 * capacity],
    [
      "an accepted request takes at most twice its CPU at capacity",
      storm.acceptedCpuMs <= 2 * calm.acceptedCpuMs,
    ],
    ["99 % of the refused are told in the time of 5 bodies", storm.refusedMsP99 <= 5 * bodyMs],
    ["the event loop's p99 delay is at most that of 8 bodies", eventLoopMsP99 <= 8 * bodyMs],
    [
      "a noisy key leaves another 90 % of what it sends",
      besideNoise.accepted >= 0.9 * besideNoise.due,
    ],
  ])
  return [...brokenLaws(result), ...promises]
}

function unkept(promises: readonly [promise: string, isKept: boolean][]): string[] {
  return promises.filter(([, isKept]) => !isKept).map(([promise]) => `Broken: ${promise}`)
}

export function overloadText(result: OverloadResult): string {
  const { calm, storm, besideNoise } = result
  const { due, accepted } = besideNoise
  const [calmMs, stormMs] = [calm, storm].map(({ acceptedCpuMs }) => acceptedCpuMs.toFixed(1))
  return [
    flowText(calm, storm),
    `answered ${result.offered.toFixed(0)}/s; ${result.broken} broken, ${result.unsent} unsent`,
    `CPU of an accepted request ${calmMs} ms at capacity, ${stormMs} in the storm`,
    `event loop p99 ${result.eventLoopMsP99.toFixed(0)} ms`,
    `memory ${mib(result.rssAtCapacity)} at capacity, ${mib(result.rssMax)} at most`,
    `beside a noisy key: ${accepted} of ${due} accepted`,
  ].join("\n")
}

function flowText(calm: Flow, storm: Flow): string {
  const share = ((storm.accepted / calm.accepted) * 100).toFixed(0)
  return [
    `capacity ${calm.accepted.toFixed(0)}/s`,
    `accepted ${storm.accepted.toFixed(0)}/s (${share} %), refused ${storm.refused.toFixed(0)}/s`,
    `in ${storm.refusedMsP50.toFixed(1)} ms p50, ${storm.refusedMsP99.toFixed(1)} p99`,
    `of ${(calm.ms / 1000).toFixed(1)} and ${(storm.ms / 1000).toFixed(1)} s`,
  ].join(", ")
}

function mib(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MiB`
}
