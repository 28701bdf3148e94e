/**
 * One setting, and the names that flags, variables and the configuration file have for it. The
 * setting `accept-past` is the flag `--accept-past`, the variable `TIDEGAUGE_ACCEPT_PAST` and the
 * line `accept-past = P14D`. A secret has a second name, with `-file`: the path of a file with it.
 */

export interface Setting<T> {
  /** Lower case with hyphens, as in the flag. */
  readonly name: string
  /** The default as a user would write it; empty if there is none, and the value is then `null`. */
  readonly fallback: string
  /** Describes the default in documents if `fallback` is empty. */
  readonly fallbackNote?: string
  /** The accepted form with its unit; completes the sentence "expected …". */
  readonly form: string
  /** Its effect, in one or two short sentences. */
  readonly meaning: string
  /** Messages never contain its value. */
  readonly secret?: true
  /** Yes or no; the flag takes no value and says yes. */
  readonly isSwitch?: true
  /** A path; a credential of systemd with the name of the setting is such a file. */
  readonly isCredentialPath?: true
  /** `undefined` for a text that is not of the accepted form. */
  parse(text: string): T | undefined
}

/** The setting itself; its type is that of its values. */
export function setting<T>(of: Setting<T>): Setting<T> {
  return of
}

/** A name under which a setting can be given: its own, or that of a file with its value. */
export interface SettingInput {
  readonly setting: Setting<unknown>
  readonly name: string
  readonly isFile: boolean
}

/** The names of a setting; of a secret there are two. */
export function settingInputs(setting: Setting<unknown>): SettingInput[] {
  const own = { setting, name: setting.name, isFile: false }
  return setting.secret ? [own, { setting, name: `${setting.name}-file`, isFile: true }] : [own]
}

/** Words for the value of an input, after "expected". */
export function inputForm({ setting, isFile }: SettingInput): string {
  return isFile ? "a path" : setting.form
}

/** The effect of an input, in one or two short sentences. */
export function inputMeaning({ setting, isFile }: SettingInput): string {
  if (!isFile) return setting.meaning
  return `File with the value of ${settingFlag(setting)}, closed to other users.`
}

export function settingFlag({ name }: Pick<SettingInput, "name">): string {
  return `--${name}`
}

export function settingVariable({ name }: Pick<SettingInput, "name">): string {
  return `TIDEGAUGE_${name.toUpperCase().replaceAll("-", "_")}`
}

/** The default as documents show it. */
export function settingFallback(of: Setting<unknown>): string {
  return of.fallback === "" ? (of.fallbackNote ?? "none") : of.fallback
}

/** The default of an input as documents show it. */
export function inputFallback({ setting, isFile }: SettingInput): string {
  return isFile ? "none" : settingFallback(setting)
}
