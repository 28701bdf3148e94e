/**
 * Parses a command line by the table of commands. `node:util.parseArgs` splits it into tokens;
 * options may precede or follow words. No message repeats a value, nor a word after the first: it
 * may be a password, or half of one that was not quoted.
 */

import { parseArgs } from "node:util"
import { nearest } from "../../wire/nearest.ts"
import { commandHelp, groupHelp, overview } from "./help.ts"
import {
  commandsOf,
  firstWords,
  lastWord,
  type ArgumentSpec,
  type CommandLine,
  type CommandSpec,
  type CommandTable,
  type OptionSpec,
} from "./spec.ts"

export type ReadLine =
  | { readonly line: CommandLine }
  | { readonly help: string }
  | { readonly version: true }
  /** One sentence each. */
  | { readonly problems: readonly string[] }

/** An option of the line. `index` counts the line's arguments from 0. */
interface OptionToken {
  readonly name: string
  /** As typed, without a value. */
  readonly rawName: string
  readonly value: string | undefined
  readonly isInline: boolean
  readonly index: number
}

/** A word that belongs to no option. */
interface Word {
  readonly text: string
  readonly index: number
}

interface Tokens {
  readonly words: readonly Word[]
  readonly options: readonly OptionToken[]
  readonly wantsHelp: boolean
  readonly wantsVersion: boolean
}

/** Parses the arguments after the program's name. */
export function readLine(table: CommandTable, argv: readonly string[]): ReadLine {
  const tokens = tokensOf(table, argv)
  const { words, wantsHelp, wantsVersion } = tokens
  const first = words[0]
  if (first === undefined) {
    if (wantsHelp) return { help: overview(table) }
    if (wantsVersion) return { version: true }
  }
  if (first?.text === "help") return helpOn(table, words.slice(1))
  const found = findCommand(table, words)
  if ("problems" in found || "help" in found) return found
  if (wantsHelp) return { help: commandHelp(found.command) }
  if (wantsVersion) return { version: true }
  return readCommand(table, found, tokens.options)
}

/** The result of `help WORD…`. */
function helpOn(table: CommandTable, words: readonly Word[]): ReadLine {
  if (words.length === 0) return { help: overview(table) }
  const found = findCommand(table, words)
  return "command" in found ? { help: commandHelp(found.command) } : found
}

function tokensOf(table: CommandTable, argv: readonly string[]): Tokens {
  const specs = table.commands.flatMap(({ options = [] }) => options)
  const types = specs.map(({ name, value }) => [
    name,
    { type: value === undefined ? ("boolean" as const) : ("string" as const) },
  ])
  const { tokens } = parseArgs({
    args: [...argv],
    options: {
      ...Object.fromEntries(types),
      help: { type: "boolean", short: "h" },
      version: { type: "boolean" },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const words: Word[] = []
  const options: OptionToken[] = []
  const known = new Set([...specs.map(({ name }) => name), "help", "version"])
  let wants = { help: false, version: false }
  let isBehindUnknown = false
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue
    if (token.kind === "positional") {
      // A word after an unknown option is most likely its value.
      if (!isBehindUnknown) words.push({ text: token.value, index: token.index })
      isBehindUnknown = false
      continue
    }
    const { name, rawName, index, value, inlineValue } = token
    const typed = argv[index]!
    if (typed === "--help" || typed === "-h") wants = { ...wants, help: true }
    else if (typed === "--version") wants = { ...wants, version: true }
    else if (!isBehindUnknown || known.has(name)) {
      options.push({ name, rawName, value, index, isInline: inlineValue === true })
    }
    isBehindUnknown = !known.has(name) && inlineValue !== true
  }
  return { words, options, wantsHelp: wants.help, wantsVersion: wants.version }
}

interface Found {
  readonly command: CommandSpec
  readonly words: readonly Word[]
}

function findCommand(
  table: CommandTable,
  words: readonly Word[],
): Found | { readonly help: string } | { readonly problems: readonly string[] } {
  const [first, second] = words
  const name = first?.text ?? table.defaultName ?? ""
  const command = table.commands.find((one) => one.name === name)
  if (command !== undefined) return { command, words: words.slice(1) }
  const group = table.groups.find((one) => one.name === name)
  if (group === undefined) return { problems: [unknownCommand(table, first)] }
  if (second === undefined) return { help: groupHelp(table, group) }
  const verbs = commandsOf(table, group.name)
  const verb = verbs.find((one) => lastWord(one) === second.text)
  if (verb !== undefined) return { command: verb, words: words.slice(2) }
  const names = verbs.map(lastWord)
  const meant = nearest(second.text, names)
  const hint = meant === null ? "" : `did you mean ${name} ${meant}? `
  return { problems: [`Unknown command of ${name}: ${hint}expected one of ${names.join(", ")}`] }
}

function unknownCommand(table: CommandTable, word: Word | undefined): string {
  const text = word?.text ?? ""
  const names = firstWords(table)
  const meant = nearest(text, names)
  // After an option it may be part of a value that was not quoted; keys and new passwords have at
  // least 12 characters.
  const isWord = word?.index === 0 && /^[\w-]{1,11}$/.test(text)
  const shown = isWord ? `Unknown command "${text}"` : `Unknown command`
  const hint = meant === null ? "" : `, did you mean ${meant}?`
  const all = "`tidegauge --help` lists all"
  return `${shown}${hint === "" ? ": " : `${hint} `}${all}`
}

function readCommand(
  table: CommandTable,
  { command, words }: Found,
  tokens: readonly OptionToken[],
): ReadLine {
  const problems: string[] = []
  const options = new Map<string, string>()
  for (const token of tokens) {
    const spec = command.options?.find(({ name }) => name === token.name)
    const value = spec === undefined ? null : valueOf(spec, token)
    if (value === null) problems.push(unknownOption(table, command, token))
    else if (typeof value === "string") options.set(token.name, value)
    else problems.push(value.problem)
  }
  for (const { name, isRequired } of command.options ?? []) {
    if (isRequired && !options.has(name) && problems.length === 0) {
      problems.push(`${command.name} needs --${name}`)
    }
  }
  const all = [...problems, ...wordProblems(command, words)]
  if (all.length > 0) return { problems: all }
  return { line: { command, words: words.map(({ text }) => text), options } }
}

/** The value of an option; empty for one without a value. */
function valueOf(spec: OptionSpec, token: OptionToken): string | { readonly problem: string } {
  const { value, rawName, isInline } = token
  if (spec.value === undefined) {
    return value === undefined ? "" : { problem: `${rawName} takes no value` }
  }
  const form = spec.choices === undefined ? spec.form : `one of ${spec.choices.join(", ")}`
  const expected = form === undefined ? "" : `: expected ${form}`
  const isNextOption = !isInline && !spec.isSecret && value?.startsWith("--") === true
  if (value === undefined || value === "" || isNextOption) {
    return { problem: `${rawName} needs a value${expected}` }
  }
  if (spec.choices === undefined) return value
  const chosen = spec.choices.find((one) => one.toLowerCase() === value.toLowerCase())
  return chosen ?? { problem: `${rawName}${expected}` }
}

function unknownOption(table: CommandTable, command: CommandSpec, token: OptionToken): string {
  const names = [...(command.options ?? []).map(({ name }) => name), "help"]
  const isLong = token.rawName.startsWith("--")
  const shown = isLong ? `option ${token.rawName}` : `option at argument ${token.index + 1}`
  const owner = table.commands.find(({ options = [] }) =>
    options.some(({ name }) => name === token.name),
  )
  const meant = owner === undefined ? nearest(token.name, names) : null
  const hint = meant === null ? "" : `, did you mean --${meant}?`
  const all = `\`tidegauge ${command.name} --help\` lists all`
  return `Unknown ${shown} of ${command.name}${hint === "" ? ": " : `${hint} `}${all}`
}

function wordProblems(command: CommandSpec, words: readonly Word[]): string[] {
  const specs = command.arguments ?? []
  const missing = specs[words.length]
  if (missing !== undefined && !missing.isOptional) {
    return [`${command.name} needs ${missing.name}: ${missing.meaning}`]
  }
  const isOpen = specs.at(-1)?.isMany === true
  const surplus = isOpen ? undefined : words[specs.length]
  if (surplus !== undefined) {
    const takes = specs.length === 0 ? "no argument" : specs.map(({ name }) => name).join(" ")
    return [`Argument ${surplus.index + 1} is too much: ${command.name} takes ${takes}`]
  }
  return words.flatMap((word, i) => choiceProblems(command, specs[i] ?? specs.at(-1), word))
}

function choiceProblems(
  { name }: CommandSpec,
  spec: ArgumentSpec | undefined,
  word: Word,
): string[] {
  if (spec?.choices === undefined || spec.choices.includes(word.text)) return []
  return [`Argument ${word.index + 1} of ${name}: expected one of ${spec.choices.join(", ")}`]
}
