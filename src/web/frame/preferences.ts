/**
 * What a person chose for themselves: look, zone, clock, numbers, keys. Kept with the user on the
 * server, so it is there tomorrow in another browser too; the look is also kept in this browser,
 * for the first paint.
 */

import { computed, signal, type ReadonlySignal } from "@preact/signals"
import * as v from "valibot"
import type { ApiClient } from "../api/client.ts"
import { saveProperties, type User } from "../api/users.ts"
import type { NumberStyle } from "../format/numbers.ts"
import type { HourClock, TimeStyle } from "../format/times.ts"
import { isZone, Zone } from "../format/zone.ts"
import { browserLocale, browserZone } from "../platform/locale.ts"
import { setLook, type Density, type Theme } from "../platform/page.ts"
import { keep } from "../platform/storage.ts"

export interface Choices {
  readonly theme: Theme
  readonly density: Density
  /** IANA name, or "browser". */
  readonly zone: string
  readonly clock: HourClock
  /** BCP 47 tag of number signs, or "browser". */
  readonly numbers: string
  /** Address below /app/ that opens first; empty for Home. */
  readonly landingPage: string
  readonly singleKeys: "on" | "off"
  /** "fitting": with names where there is room. */
  readonly rail: "fitting" | "narrow" | "wide"
  readonly favourites: readonly string[]
  /** Ranges of one's own: "from to" each. */
  readonly quickRanges: readonly string[]
}

const texts = v.pipe(
  v.string(),
  v.transform((text): unknown => JSON.parse(text)),
  v.array(v.string()),
)

const fields = {
  theme: v.picklist(["system", "light", "dark"]),
  density: v.picklist(["compact", "normal", "spacious"]),
  zone: v.pipe(
    v.string(),
    v.check((name) => name === "browser" || isZone(name)),
  ),
  clock: v.picklist(["24", "12"]),
  numbers: v.picklist(["browser", "en-US", "de-CH", "de-DE", "fr-FR", "en-IN"]),
  landingPage: v.string(),
  singleKeys: v.picklist(["on", "off"]),
  rail: v.picklist(["fitting", "narrow", "wide"]),
  favourites: texts,
  quickRanges: texts,
} satisfies Record<keyof Choices, v.GenericSchema<string, unknown>>

const defaultChoices: Choices = {
  theme: "system",
  density: "normal",
  zone: "browser",
  clock: "24",
  numbers: "browser",
  landingPage: "",
  singleKeys: "on",
  rail: "fitting",
  favourites: [],
  quickRanges: [],
}

/** The choices in a user's properties; what is missing or not understood is the default. */
function readChoices(properties: User["properties"]): Choices {
  const entries = Object.entries(fields).map(([name, schema]) => {
    const text = properties[name]
    const value = typeof text === "string" ? parsed(schema, text) : undefined
    return [name, value ?? defaultChoices[name as keyof Choices]]
  })
  return Object.fromEntries(entries) as unknown as Choices
}

function parsed(schema: v.GenericSchema<string, unknown>, text: string): unknown {
  try {
    const result = v.safeParse(schema, text)
    return result.success ? result.output : undefined
  } catch {
    // The text of a list is no JSON.
    return undefined
  }
}

/** A choice as the text of a property. */
function printChoice(value: Choices[keyof Choices]): string {
  return typeof value === "string" ? value : JSON.stringify(value)
}

export class Preferences {
  private readonly chosen = signal<Choices>(defaultChoices)
  readonly timeStyle: ReadonlySignal<TimeStyle>
  readonly numberStyle: ReadonlySignal<NumberStyle>

  constructor() {
    const zone = computed(() => {
      const { zone: name } = this.chosen.value
      return new Zone(name === "browser" ? browserZone() : name)
    })
    this.timeStyle = computed(() => ({ zone: zone.value, clock: this.chosen.value.clock }))
    this.numberStyle = computed(() => {
      const { numbers } = this.chosen.value
      return { locale: numbers === "browser" ? browserLocale : numbers }
    })
  }

  get choices(): ReadonlySignal<Choices> {
    return this.chosen
  }

  /** Takes over what the user's properties say. */
  adopt(user: User): void {
    this.apply(readChoices(user.properties))
  }

  /** Applies changes immediately, and saves them. Throws as the API client does. */
  async change(api: ApiClient, changes: Partial<Choices>): Promise<void> {
    this.apply({ ...this.chosen.value, ...changes })
    const texts = Object.entries(changes).map(([name, value]) => [name, printChoice(value)])
    await saveProperties(api, Object.fromEntries(texts) as Record<string, string>)
  }

  private apply(choices: Choices): void {
    this.chosen.value = choices
    const { theme, density } = choices
    setLook(theme, density)
    keep("look", JSON.stringify({ theme, density }))
  }
}
