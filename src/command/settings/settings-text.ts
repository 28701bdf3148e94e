/** `tidegauge config`: the settings in force, each with its source. */

import { largestOf } from "../../base/iterables.ts"
import type { Config, ReadSettings, SettingReading } from "../../config/config.ts"
import { settingFallback } from "../../config/setting.ts"
import type { SettingKey } from "../../config/settings.ts"

/** A table of name, value and source; below it the notes about values that were adapted. */
export function settingsText({ config, readings }: ReadSettings): string {
  const rows = Object.entries(readings).map(([key, reading]) => {
    const value = shownText(reading, computedText(key as SettingKey, config))
    return [reading.setting.name, value, reading.given?.source ?? "default"]
  })
  const all = [["setting", "value", "from"], ...rows]
  const widths = [0, 1].map((column) => largestOf(all.map((row) => row[column]!.length)))
  const lines = all.map(
    ([name, value, from]) => `${name!.padEnd(widths[0]!)}  ${value!.padEnd(widths[1]!)}  ${from}`,
  )
  return [...lines, ...config.notes.map((note) => `\n${note}`)].join("\n")
}

/** A setting's value as users write it, masked if it is secret. */
export function shownText(
  { setting, given }: Pick<SettingReading, "setting" | "given">,
  computed?: string,
): string {
  if (given !== null) return setting.secret ? "(secret)" : given.text
  return computed ?? (setting.fallback === "" ? `(${settingFallback(setting)})` : setting.fallback)
}

/** Defaults that depend on the machine. */
function computedText(key: SettingKey, config: Config): string | undefined {
  return key === "workerCount" || key === "scanWorkerCount" ? String(config[key]) : undefined
}
