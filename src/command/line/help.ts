/** Help texts, made of the table of commands. Every line has at most 100 columns. */

import { wrapped } from "./wrap.ts"
import {
  commandsOf,
  firstWords,
  lastWord,
  meaningOf,
  type ArgumentSpec,
  type CommandSpec,
  type CommandTable,
  type GroupSpec,
  type OptionSpec,
} from "./spec.ts"

const programName = "tidegauge"

/** All commands, a line each. */
export function overview(table: CommandTable): string {
  const names = firstWords(table)
  const width = names.reduce((most, name) => Math.max(most, name.length), 0) + 2
  const lines = names.flatMap((name) => {
    const isGroup = table.groups.some((one) => one.name === name)
    const verbs = isGroup ? ` (${verbList(table, name)})` : ""
    return wrapped(`  ${name.padEnd(width)}`, meaningOf(table, name).replace(/\.$/, "") + verbs)
  })
  return text([
    "Tidegauge: a monitoring server in one process.",
    "",
    `  ${programName} [COMMAND] [ARGUMENTS] [OPTIONS]`,
    "",
    "Commands:",
    "",
    ...lines,
    "",
    `  ${programName} COMMAND --help    what it takes (also: ${programName} help COMMAND)`,
    `  ${programName} --version         the version`,
    "",
    `Without a command it serves; ${programName} serve --help lists the settings.`,
    "A running server has its handbook and API reference at /docs.",
  ])
}

/** The commands of one group. */
export function groupHelp(table: CommandTable, group: GroupSpec): string {
  const entries = commandsOf(table, group.name).flatMap((command) => [
    ...wrapped("  ", usage(command)),
    ...wrapped("      ", command.meaning),
  ])
  return text([
    `${programName} ${group.name}: ${group.meaning}`,
    "",
    ...entries,
    "",
    ...paragraphs(group.details),
    `${programName} ${group.name} COMMAND --help describes one of them.`,
  ])
}

/** Everything about one command. */
export function commandHelp(command: CommandSpec): string {
  const { arguments: words = [], options = [], examples = [] } = command
  return text([
    ...wrapped("", `${programName} ${command.name}: ${command.meaning}`),
    "",
    `  ${programName} ${shortUsage(command)}`,
    "",
    ...paragraphs(command.details),
    ...words.flatMap(argumentLines),
    ...options.flatMap(optionLines),
    "  --help",
    "      This text.",
    ...(examples.length === 0 ? [] : ["", "Examples:", ""]),
    ...examples.map((example) => `  ${programName} ${example}`),
  ])
}

/** The command with its arguments and options. */
function usage(command: CommandSpec): string {
  const options = (command.options ?? []).map((option) => {
    const typed = typedOption(option)
    return option.isRequired ? typed : `[${typed}]`
  })
  return [command.name, ...(command.arguments ?? []).map(typedArgument), ...options].join(" ")
}

function shortUsage(command: CommandSpec): string {
  const required = (command.options ?? []).filter(({ isRequired }) => isRequired)
  const words = [...(command.arguments ?? []).map(typedArgument), ...required.map(typedOption)]
  return [command.name, ...words, "[OPTIONS]"].join(" ")
}

/** As a usage line shows it: FILE, [FOLDER], [COMMAND…]. */
export function typedArgument({ name, isOptional, isMany }: ArgumentSpec): string {
  const typed = isMany ? `${name}…` : name
  return isOptional ? `[${typed}]` : typed
}

function typedOption({ name, value }: OptionSpec): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`
}

function argumentLines({ name, meaning, choices }: ArgumentSpec): string[] {
  const lines = [`  ${name}`, ...wrapped("      ", meaning)]
  return choices === undefined ? lines : [...lines, ...oneOf(choices)]
}

function optionLines(option: OptionSpec): string[] {
  const { meaning, form, choices, variable, fallback, isRequired } = option
  const detail = (name: string, of: string | undefined) =>
    of === undefined ? [] : wrapped("      ", `${name}: ${of}.`)
  return [
    `  ${typedOption(option)}${variable === undefined ? "" : `  ${variable}`}`,
    ...wrapped("      ", meaning),
    ...(choices === undefined ? detail("Form", form) : oneOf(choices)),
    ...detail("Default", fallback),
    ...(isRequired ? ["      Required."] : []),
  ]
}

function oneOf(choices: readonly string[]): string[] {
  return wrapped("      ", `One of ${choices.join(", ")}.`)
}

function verbList(table: CommandTable, group: string): string {
  return commandsOf(table, group).map(lastWord).join(", ")
}

function paragraphs(details: string | undefined): string[] {
  return details === undefined ? [] : [...details.trim().split("\n"), ""]
}

function text(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`
}
