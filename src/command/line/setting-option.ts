/** A setting of the server as an option of a command. */

import {
  inputFallback,
  inputForm,
  inputMeaning,
  settingVariable,
  type SettingInput,
} from "../../config/setting.ts"
import type { OptionSpec } from "./spec.ts"

export function settingOption(input: SettingInput): OptionSpec {
  const { setting, name, isFile } = input
  return {
    name,
    ...(setting.isSwitch ? {} : { value: "VALUE" }),
    meaning: inputMeaning(input),
    form: inputForm(input),
    variable: settingVariable(input),
    fallback: inputFallback(input),
    ...(setting.secret && !isFile ? { isSecret: true } : {}),
    ...(isFile || setting.isCredentialPath ? { completes: "file" } : {}),
    ...(name === "data" ? { completes: "folder" } : {}),
  }
}
