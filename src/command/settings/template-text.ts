/** `tidegauge config --template`: a configuration file with every setting, commented out. */

import { configLine } from "../../config/config-file.ts"
import { isReloadable } from "../../config/reloadable.ts"
import {
  inputFallback,
  inputForm,
  inputMeaning,
  settingFlag,
  settingVariable,
  type SettingInput,
} from "../../config/setting.ts"
import { inputList } from "../../config/settings.ts"
import { wrapped } from "../line/wrap.ts"

const head = `
# Settings of Tidegauge: name = value. A line that begins with # is a comment.
# Flags (--port) and variables (TIDEGAUGE_PORT) win over this file. Quotes keep blanks and a #.
# Each setting is shown with its default, or without a value if it has none: remove the # before it.
#
# tidegauge config --config FILE shows what is in force and why. Settings marked "reload" change
# with SIGHUP or systemctl reload, the others with a restart.
`

export function templateText(): string {
  return [head.trim(), ...inputList.map(entryText)].join("\n\n")
}

function entryText(input: SettingInput): string {
  const { setting, name, isFile } = input
  const reload = isReloadable(setting) ? " (reload)" : ""
  const hasText = !isFile && setting.fallback !== ""
  const fallback = hasText ? "" : ` Default: ${inputFallback(input)}.`
  return [
    ...comment(inputMeaning(input) + reload),
    ...comment(`Expects ${inputForm(input)}.${fallback}`),
    ...comment(`${settingFlag(input)}, ${settingVariable(input)}`),
    hasText ? `#${configLine(name, setting.fallback)}` : `#${name} =`,
  ].join("\n")
}

function comment(text: string): string[] {
  return wrapped("", text).map((line) => `# ${line}`)
}
