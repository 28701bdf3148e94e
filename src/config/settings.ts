/**
 * Every setting of the server, in one table: it drives parsing, `--help`, shell completion, the
 * template of the configuration file and the table of the handbook.
 */

import { settingInputs, type Setting, type SettingInput } from "./setting.ts"
import { accessSettings } from "./settings/access.ts"
import { backupSettings } from "./settings/backup.ts"
import { cycleSettings } from "./settings/cycles.ts"
import { interfaceSettings } from "./settings/interface.ts"
import { observationSettings } from "./settings/observation.ts"
import { outboundSettings } from "./settings/outbound.ts"
import { resourceSettings } from "./settings/resources.ts"
import { sampleSettings } from "./settings/samples.ts"
import { startSettings } from "./settings/start.ts"

/** In order of documentation. */
export const settings = {
  ...startSettings,
  ...accessSettings,
  ...sampleSettings,
  ...resourceSettings,
  ...cycleSettings,
  ...interfaceSettings,
  ...outboundSettings,
  ...backupSettings,
  ...observationSettings,
}

export type SettingKey = keyof typeof settings

/** The table in order of documentation. */
export const settingList: readonly Setting<unknown>[] = Object.values(settings)

/** All names under which settings can be given, in the same order. */
export const inputList: readonly SettingInput[] = settingList.flatMap(settingInputs)
