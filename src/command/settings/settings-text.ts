/** `tidegauge config`: the settings in force, each with its source. */

import { largestOf } from "../../base/iterables.ts"
import type { Config, ReadSettings, SettingReading } from "../../config/config.ts"
import { plannedKeys } from "../../config/memory-plan.ts"
import { settingFallback } from "../../config/setting.ts"
import { sizeText } from "../../config/setting-forms.ts"
import type { SettingKey } from "../../config/settings.ts"

/**
 * A table of name, value and source, the memory plan, and the notes about values that were adapted.
 */
export function settingsText({ config, readings }: ReadSettings): string {
  const rows = Object.entries(readings).map(([key, reading]) => {
    const computed = computedText(key as SettingKey, config)
    const isPlanned = computed !== undefined && !config.memory.isFull
    const source = reading.given?.source ?? (isPlanned ? "memory" : "default")
    return [reading.setting.name, shownText(reading, computed), source]
  })
  const all = [["setting", "value", "from"], ...rows]
  const widths = [0, 1].map((column) => largestOf(all.map((row) => row[column]!.length)))
  const lines = all.map(
    ([name, value, from]) => `${name!.padEnd(widths[0]!)}  ${value!.padEnd(widths[1]!)}  ${from}`,
  )
  const below = [planText(config), ...config.notes]
  return [...lines, ...below.map((note) => `\n${note}`)].join("\n")
}

/** Parts of the memory limit. */
function planText({ memory: { limit, reserveBytes, parts } }: Config): string {
  const rows = [["page cache, kernel", reserveBytes] as const, ...Object.entries(parts)]
  const list = rows.map(([name, bytes]) => `  ${name.padEnd(20)}${mibText(bytes).padStart(10)}`)
  return [`Memory: ${mibText(limit.bytes)}, ${limit.source}. At most:`, ...list].join("\n")
}

function mibText(bytes: number): string {
  return sizeText(Math.round(bytes / 1024 ** 2) * 1024 ** 2)
}

/** A setting's value as users write it, masked if it is secret. */
export function shownText(
  { setting, given }: Pick<SettingReading, "setting" | "given">,
  computed?: string,
): string {
  if (given !== null) return setting.secret ? "(secret)" : given.text
  return computed ?? (setting.fallback === "" ? `(${settingFallback(setting)})` : setting.fallback)
}

/** Defaults that depend on the machine, as users would write them. */
function computedText(key: SettingKey, config: Config): string | undefined {
  if (!isPlannedKey(key)) return undefined
  const isSize = key === "queueBytesMax" || key === "answerBytesMax"
  return isSize ? sizeText(config[key]) : String(config[key])
}

function isPlannedKey(key: SettingKey): key is (typeof plannedKeys)[number] {
  return (plannedKeys as readonly SettingKey[]).includes(key)
}
