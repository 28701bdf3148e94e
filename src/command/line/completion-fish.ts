/** Completion in fish. */

import {
  commandsOf,
  firstWords,
  lastWord,
  meaningOf,
  type ArgumentSpec,
  type CommandSpec,
  type CommandTable,
  type OptionSpec,
} from "./spec.ts"

export function fishCompletion(table: CommandTable): string {
  const first = firstWords(table)
  const none = `not __fish_seen_subcommand_from ${first.join(" ")}`
  return [
    "# Completion of tidegauge for fish: put it as tidegauge.fish into ~/.config/fish/completions.",
    "complete -c tidegauge -f",
    complete({ when: none, long: "version", meaning: "The version" }),
    complete({ long: "help", meaning: "What there is to type" }),
    ...first.map((name) =>
      complete({ when: none, words: [name], meaning: meaningOf(table, name) }),
    ),
    ...table.groups.flatMap(({ name }) => groupLines(table, name)),
    ...table.commands.flatMap((command) => commandLines(command, seen(command))),
    ...(table.commands.find(({ name }) => name === table.defaultName)?.options ?? []).map(
      (option) => optionLine(option, none),
    ),
    "",
  ].join("\n")
}

function groupLines(table: CommandTable, group: string): string[] {
  const commands = commandsOf(table, group)
  const verbs = commands.map(lastWord).join(" ")
  const seenGroup = `__fish_seen_subcommand_from ${group}`
  const when = `${seenGroup}; and not __fish_seen_subcommand_from ${verbs}`
  return commands.map((command) =>
    complete({ when, words: [lastWord(command)], meaning: command.meaning }),
  )
}

function seen({ name }: CommandSpec): string {
  return name
    .split(" ")
    .map((word) => `__fish_seen_subcommand_from ${word}`)
    .join("; and ")
}

function commandLines({ options = [], arguments: words = [] }: CommandSpec, when: string) {
  return [
    ...options.map((option) => optionLine(option, when)),
    ...words.flatMap((word) => argumentLine(word, when)),
  ]
}

function optionLine({ name, value, meaning, choices, completes }: OptionSpec, when: string) {
  const words = choices ?? []
  const takes = value === undefined ? "none" : (completes ?? "value")
  return complete({ when, long: name, meaning, words, takes })
}

function argumentLine({ choices, completes, meaning }: ArgumentSpec, when: string): string[] {
  if (choices !== undefined) return [complete({ when, words: choices, meaning })]
  return completes === undefined ? [] : [complete({ when, meaning, takes: completes })]
}

interface Completion {
  /** A condition of fish. */
  readonly when?: string
  readonly long?: string
  readonly words?: readonly string[]
  readonly meaning: string
  readonly takes?: "none" | "value" | "file" | "folder"
}

function complete({ when, long, words = [], meaning, takes = "none" }: Completion): string {
  const listed = words.map((word) => (word.includes(" ") ? `"${word}"` : word)).join(" ")
  const folders = takes === "folder" ? "(__fish_complete_directories)" : ""
  const offered = listed === "" ? folders : listed
  return [
    "complete -c tidegauge",
    when === undefined ? "" : `-n ${quoted(when)}`,
    long === undefined ? "" : `-l ${long}`,
    // Without it fish would offer files, too.
    takes === "none" || takes === "file" || long === undefined ? "" : "-x",
    takes === "file" && long !== undefined ? "-r" : "",
    takes === "file" ? "-F" : "",
    offered === "" ? "" : `-a ${quoted(offered)}`,
    `-d ${quoted(meaning.replace(/\.$/, ""))}`,
  ]
    .filter((part) => part !== "")
    .join(" ")
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
}
