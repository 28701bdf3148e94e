/** The settings of a configuration file: its lines by the names that there are. */

import { pushAll } from "../base/iterables.ts"
import { nearest } from "../wire/nearest.ts"
import { parseConfigLines } from "./config-file.ts"
import { inputList } from "./settings.ts"

/** A text that was given for a setting, and its source as messages name it. */
export interface GivenText {
  readonly text: string
  /** `--port`, `TIDEGAUGE_PORT`, `/etc/tidegauge.conf:3`, `credential api-key`. */
  readonly source: string
  /** The subject of a message about the text: its source, in a file with the name of the line. */
  readonly subject: string
}

export interface FileTexts {
  /** By name of the input. */
  readonly texts: ReadonlyMap<string, GivenText>
  /** One sentence each with file and line, never with a value. */
  readonly problems: readonly string[]
}

/** The texts of a configuration file; with `isOpenToAll` it must have no secrets. */
export function fileTexts(
  path: string,
  { text: content, isOpenToAll }: { readonly text: string; readonly isOpenToAll: boolean },
): FileTexts {
  const texts = new Map<string, GivenText>()
  const problems: string[] = []
  const parsed = parseConfigLines(content)
  for (const { line, problem } of parsed.problems) problems.push(`${path}:${line}: ${problem}`)
  for (const { name, text, line } of parsed.lines) {
    const source = `${path}:${line}`
    const problem = lineProblem(name, text, texts)
    if (problem !== null) problems.push(`${source}: ${problem}`)
    else texts.set(name, { text, source, subject: `${source}: ${name}` })
  }
  if (isOpenToAll) pushAll(problems, openSecrets(path, texts))
  return { texts, problems }
}

function lineProblem(
  name: string,
  text: string,
  before: ReadonlyMap<string, GivenText>,
): string | null {
  const input = inputList.find((one) => one.name === name)
  if (input === undefined) return unknownName(name)
  if (before.has(name)) return `${name} is set already at ${before.get(name)!.source}`
  return text === "" ? `${name} needs a value` : null
}

function unknownName(name: string): string {
  // Half of a secret that lost its name could be before the equals sign.
  const isName = /^[a-z][a-z0-9-]{1,40}$/i.test(name.replace(/^--/, ""))
  const names = inputList.map((input) => input.name)
  const meant = isName ? nearest(name.replace(/^--/, ""), names) : null
  const hint = meant === null ? ": " : `, did you mean ${meant}? `
  return `unknown name${isName ? ` ${name}` : ""}${hint}\`tidegauge config --template\` lists all`
}

/** The problem of secrets in a file that every user may read. */
function openSecrets(path: string, texts: ReadonlyMap<string, GivenText>): string[] {
  return inputList
    .filter(({ setting, isFile, name }) => setting.secret && !isFile && texts.has(name))
    .map(({ name }) => {
      const { source } = texts.get(name)!
      return (
        `${source}: ${name} is secret, and every user may read the file: ` +
        `chmod o-r ${path}, or name a file with ${name}-file`
      )
    })
}
