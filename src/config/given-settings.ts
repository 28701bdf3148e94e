/**
 * Where the values of settings come from: flag over variable over configuration file over
 * credential of systemd. At each of them a secret may also be given by the path of a file with it.
 */

import { join } from "node:path"
import { pushAll } from "../base/iterables.ts"
import type { SmallFile } from "./small-file.ts"
import { configVariable, readEnvironment, type Environment } from "./environment.ts"
import { fileTexts, type GivenText } from "./file-texts.ts"
import { settingFlag, settingInputs, settingVariable, type Setting } from "./setting.ts"
import { inputList } from "./settings.ts"

export interface SettingSources {
  /** Values of the command line, by name of the input. */
  readonly options: ReadonlyMap<string, string>
  readonly env: Environment
  readonly readFile: (path: string) => SmallFile
  /** Leaves out all secrets, whose files the user of a command need not be able to read. */
  readonly withoutSecrets?: true
  /** Names of secrets that are read nevertheless. */
  readonly neededSecrets?: readonly string[]
}

export interface GivenSettings {
  /** Texts by name of the setting. */
  readonly texts: ReadonlyMap<string, GivenText>
  /** Path of the configuration file; null without one. */
  readonly configPath: string | null
  /** Sentences for the log. */
  readonly notes: readonly string[]
  /** One sentence each, never with the value of a secret. */
  readonly problems: readonly string[]
}

/** The variable by which systemd names the folder of a service's credentials. */
const credentialsVariable = "CREDENTIALS_DIRECTORY"

/** One level of the order, with the texts that it gives by name of the input. */
interface Level {
  readonly texts: ReadonlyMap<string, GivenText>
}

/** Collects what is given; the texts are not parsed yet. */
export function readGivenSettings(sources: SettingSources): GivenSettings {
  const { options, env } = sources
  const environment = readEnvironment(env)
  const problems = [...environment.problems]
  const configPath = options.get("config") ?? (env[configVariable] || null)
  const levels: Level[] = [
    { texts: named(switchedOn(options), (name) => settingFlag({ name })) },
    { texts: named(environment.given, (name) => settingVariable({ name })) },
    { texts: configPath === null ? new Map() : readConfigFile(configPath, sources, problems) },
  ]
  const texts = new Map<string, GivenText>()
  for (const { setting } of inputList.filter(({ isFile }) => !isFile)) {
    if (isLeftOut(setting, sources)) continue
    const found = firstOf(levels, setting, problems)
    const text = found === undefined ? credentialOf(setting, sources) : resolved(found, sources)
    if (text === undefined) continue
    if ("problem" in text) problems.push(text.problem)
    else texts.set(setting.name, text)
  }
  return { texts, configPath, notes: environment.notes, problems }
}

function isLeftOut(
  { secret, name }: Setting<unknown>,
  { withoutSecrets, neededSecrets = [] }: SettingSources,
): boolean {
  return secret === true && withoutSecrets === true && !neededSecrets.includes(name)
}

/** Values of the command line, with that of each flag without a value. */
function switchedOn(options: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...options].map(([name, text]) => [name, text === "" ? "yes" : text]))
}

function named(
  values: ReadonlyMap<string, string>,
  sourceOf: (name: string) => string,
): Map<string, GivenText> {
  const source = (name: string) => ({ source: sourceOf(name), subject: sourceOf(name) })
  return new Map([...values].map(([name, text]) => [name, { text, ...source(name) }]))
}

function readConfigFile(
  path: string,
  { readFile, withoutSecrets }: SettingSources,
  problems: string[],
): ReadonlyMap<string, GivenText> {
  const file = readFile(path)
  if ("problem" in file) {
    problems.push(`--config: "${path}" ${file.problem}`)
    return new Map()
  }
  const { isOpenToAll } = file
  const read = fileTexts(path, { ...file, isOpenToAll: isOpenToAll && !withoutSecrets })
  pushAll(problems, read.problems)
  return read.texts
}

/** The text of the first level that gives the setting, as a value or by a file. */
function firstOf(
  levels: readonly Level[],
  setting: Setting<unknown>,
  problems: string[],
): (GivenText & { readonly isFile: boolean }) | undefined {
  for (const { texts } of levels) {
    const found = settingInputs(setting).flatMap(({ name, isFile }) => {
      const text = texts.get(name)
      return text === undefined ? [] : [{ ...text, isFile }]
    })
    if (found.length === 2) {
      problems.push(`${found[0]!.subject} and ${found[1]!.subject}: give one of them`)
    }
    if (found.length > 0) return found[0]
  }
  return undefined
}

type Resolved = GivenText | { readonly problem: string }

/** The secret in the file that an input names; any other text as it is. */
function resolved(
  { isFile, ...given }: GivenText & { readonly isFile: boolean },
  { readFile }: SettingSources,
): Resolved {
  if (!isFile) return given
  const secret = secretOf(readFile(given.text))
  if ("problem" in secret) return { problem: `${given.subject}: "${given.text}" ${secret.problem}` }
  const source = `${given.text} (${given.source})`
  return { text: secret.text, source, subject: `${given.subject}: "${given.text}"` }
}

/** The content of a secret's file without one line feed at its end. */
function secretOf(file: SmallFile): { readonly text: string } | { readonly problem: string } {
  if ("problem" in file) return file
  if (file.isOpenToAll) return { problem: "can be read by every user: chmod o-r it" }
  const text = file.text.replace(/\r?\n$/, "")
  return text === "" ? { problem: "is empty" } : { text }
}

/** The credential of systemd with the name of a setting, if the unit loads one. */
function credentialOf(
  setting: Setting<unknown>,
  { env, readFile }: SettingSources,
): Resolved | undefined {
  const folder = env[credentialsVariable] ?? ""
  if (folder === "" || !(setting.secret || setting.isCredentialPath)) return undefined
  const path = join(folder, setting.name)
  const file = readFile(path)
  if ("problem" in file && file.isMissing) return undefined
  const source = `credential ${setting.name}`
  const given = { source, subject: `${source} ("${path}")` }
  if (!setting.secret) return { text: path, ...given }
  // systemd closes the folder to other users.
  const secret = secretOf("problem" in file ? file : { ...file, isOpenToAll: false })
  if ("problem" in secret) return { problem: `${given.subject} ${secret.problem}` }
  return { text: secret.text, ...given }
}
