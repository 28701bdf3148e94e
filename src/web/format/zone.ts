/** Wall-clock times of a zone, by Intl alone: fields of an instant, and the instant of fields. */

export interface WallTime {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

/** Making a formatter takes 50 µs, using it 1: one for each zone that a page uses. */
export class Zone {
  /** IANA name. */
  readonly name: string
  private readonly fields: Intl.DateTimeFormat

  /** Throws a RangeError for a name that the browser does not know. */
  constructor(name: string) {
    this.name = name
    this.fields = new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    })
  }

  wallTime(ms: number): WallTime {
    const parts = new Map<string, number>()
    for (const { type, value } of this.fields.formatToParts(ms)) parts.set(type, Number(value))
    const field = (name: string): number => parts.get(name) ?? 0
    return {
      year: field("year"),
      month: field("month"),
      day: field("day"),
      hour: field("hour"),
      minute: field("minute"),
      second: field("second"),
    }
  }

  /** Milliseconds by which the zone is ahead of UTC at an instant. */
  offsetMs(ms: number): number {
    const seconds = Math.floor(ms / 1000) * 1000
    return utcOf(this.wallTime(seconds)) - seconds
  }

  /**
   * The instant at which the zone's clocks show `time`, whose fields may overflow (day 32). Of two
   * instants, when clocks go back, the first; a time that clocks leave out is as much later.
   */
  instantOf(time: WallTime): number {
    const asUtc = utcOf(time)
    const before = asUtc - this.offsetMs(asUtc - dayMs)
    if (this.offsetMs(before) === this.offsetMs(asUtc - dayMs)) return before
    const after = asUtc - this.offsetMs(asUtc + dayMs)
    return this.offsetMs(after) === asUtc - after ? after : before
  }

  /** `+01:00`, or `+00:00` for UTC. */
  offsetText(ms: number): string {
    const minutes = Math.round(this.offsetMs(ms) / 60_000)
    const sign = minutes < 0 ? "-" : "+"
    const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
    return `${sign}${twoDigits(hours)}:${twoDigits(rest)}`
  }
}

const dayMs = 86_400_000

function utcOf({ year, month, day, hour, minute, second }: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

export function twoDigits(value: number): string {
  return String(value).padStart(2, "0")
}

export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone !== ""
  } catch {
    return false
  }
}
