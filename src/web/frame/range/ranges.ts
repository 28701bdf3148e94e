/**
 * The range of the page: from the URL, in the zone of the URL or of the profile, by the server's
 * clock. A relative range is resolved when it is chosen and when the page is refetched, so that all
 * parts of a page show the same one.
 */

import { computed, signal, untracked, type ReadonlySignal } from "@preact/signals"
import { isZone, Zone } from "../../format/zone.ts"
import type { TimeStyle } from "../../format/times.ts"
import type { Navigation } from "../../platform/history.ts"
import { keep, readKept } from "../../platform/storage.ts"
import { parseAddress } from "../../url/address.ts"
import { addressWithShared, sharedParameters } from "../../url/shared-parameters.ts"
import {
  absoluteRange,
  isRelative,
  resolveRange,
  type RangeText,
  type TimeRange,
} from "../../url/time-range.ts"
import type { Preferences } from "../preferences.ts"
import type { ServerClock } from "../server-clock.ts"

/** Shown if a link's range cannot be read. */
const defaultRange: RangeText = {
  from: sharedParameters.from.fallback,
  to: sharedParameters.to.fallback,
}

/** Ranges before the present one that a key brings back; more are reached by the history. */
const formerMax = 50
/** Ranges that were typed and are offered again. */
const recentMax = 5

export interface PageRange {
  readonly text: RangeText
  readonly range: TimeRange
  readonly style: TimeStyle
  /** When the range was resolved, by the server's clock. */
  readonly nowMs: number
  /** The range of the URL could not be read, so the default is shown. */
  readonly isBroken: boolean
  /** Counts the refetches: part of the key of what a page loads. */
  readonly round: number
}

export interface RangeDeps {
  readonly navigation: Navigation
  readonly preferences: Pick<Preferences, "timeStyle">
  readonly clock: Pick<ServerClock, "nowMs">
}

export class Ranges {
  readonly current: ReadonlySignal<PageRange>
  /** Whether the page loads its data again by itself; null for a range of fixed times. */
  readonly live: ReadonlySignal<boolean | null>
  private readonly navigation: Navigation
  private readonly round = signal(0)
  private readonly former: RangeText[] = []

  constructor({ navigation, preferences, clock }: RangeDeps) {
    this.navigation = navigation
    // A text of its own each: typing another part of the address resolves no range again.
    const part = (name: keyof typeof sharedParameters) =>
      computed(() => parseAddress(navigation.address.value).query.get(name))
    const [from, to, zone] = [part("from"), part("to"), part("tz")]
    const style = computed(() => zonedStyle(preferences.timeStyle.value, zone.value))
    const live = part("live")
    this.live = computed(() =>
      isRelative(to.value ?? defaultRange.to) ? live.value !== "0" : null,
    )
    this.current = computed(() => {
      const round = this.round.value
      const nowMs = untracked(() => clock.nowMs())
      const given = { from: from.value ?? defaultRange.from, to: to.value ?? defaultRange.to }
      return { ...resolved(given, style.value, nowMs), style: style.value, nowMs, round }
    })
  }

  /** Begins or ceases to load again by itself. */
  switchLive(): void {
    const live = this.live.peek() === false ? "1" : "0"
    this.navigation.push(addressWithShared(this.navigation.address.peek(), { live }))
  }

  /** Resolves the range again, which loads the page's data again. */
  refetch(): void {
    this.round.value++
  }

  /** Shows a range as an entry of the history. */
  show(text: RangeText): void {
    this.former.push(this.current.peek().text)
    if (this.former.length > formerMax) this.former.shift()
    this.go(text)
  }

  /** Shows fixed times. */
  showRange(range: TimeRange): void {
    this.show(absoluteRange(range))
  }

  /** Shows the range before the present one again; nothing if there is none. */
  showFormer(): void {
    const text = this.former.pop()
    if (text !== undefined) this.go(text)
  }

  /** Shows times in a zone; empty for that of the profile. */
  showZone(tz: string): void {
    this.navigation.push(addressWithShared(this.navigation.address.peek(), { tz }))
  }

  /** Ranges that were typed last, the newest first, as "from to" each. */
  get recent(): readonly string[] {
    const kept = readKept("ranges")?.split("\n") ?? []
    return kept.filter((line) => readRangeLine(line) !== null).slice(0, recentMax)
  }

  remember(text: RangeText): void {
    const line = rangeLine(text)
    keep("ranges", [line, ...this.recent.filter((one) => one !== line)].join("\n"))
  }

  private go({ from, to }: RangeText): void {
    this.navigation.push(addressWithShared(this.navigation.address.peek(), { from, to }))
  }
}

function resolved(given: RangeText, { zone }: TimeStyle, nowMs: number) {
  const range = resolveRange(given, { nowMs, zone })
  if (range !== undefined) return { text: given, range, isBroken: false }
  const fallback = resolveRange(defaultRange, { nowMs, zone })
  if (fallback === undefined) throw new Error("Expected the default range to be one")
  return { text: defaultRange, range: fallback, isBroken: true }
}

function zonedStyle(style: TimeStyle, zone: string | null): TimeStyle {
  return zone === null || !isZone(zone) ? style : { ...style, zone: new Zone(zone) }
}

const rangeWord = " to "

/** A range as one line, to copy, paste and keep. */
export function rangeLine({ from, to }: RangeText): string {
  return `${from}${rangeWord}${to}`
}

/** The parts of such a line; null for another text. They need not be times. */
export function readRangeLine(line: string): RangeText | null {
  const [from, to, ...others] = line.trim().split(rangeWord)
  if (from === undefined || to === undefined || others.length > 0) return null
  return { from: from.trim(), to: to.trim() }
}
