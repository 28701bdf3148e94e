/** Completion in zsh. */

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

export function zshCompletion(table: CommandTable): string {
  return [
    "#compdef tidegauge",
    "# Completion of tidegauge for zsh: to be sourced, or put into $fpath as _tidegauge.",
    "_tidegauge() {",
    "  local curcontext=$curcontext state line",
    "  typeset -A opt_args",
    "  _arguments -C '--help[what there is]' '--version[the version]' '1: :->first' '*:: :->rest'",
    "  case $state in",
    "    first)",
    ...described(
      "      ",
      "command",
      firstWords(table).map((name) => [name, meaningOf(table, name)]),
    ),
    "      ;;",
    "    rest)",
    "      case $line[1] in",
    ...firstWords(table).flatMap((name) => firstCase(table, name)),
    "      esac ;;",
    "  esac",
    "}",
    ...table.groups.flatMap((group) => groupFunction(table, group.name)),
    'if [ "$funcstack[1]" = _tidegauge ]; then _tidegauge "$@"',
    "else compdef _tidegauge tidegauge; fi",
    "",
  ].join("\n")
}

function firstCase(table: CommandTable, name: string): string[] {
  const command = table.commands.find((one) => one.name === name)
  if (command === undefined) return [`        ${name}) _tidegauge_${name} ;;`]
  return [`        ${name})`, ...argumentsCall("          ", command), "          ;;"]
}

function groupFunction(table: CommandTable, group: string): string[] {
  const commands = commandsOf(table, group)
  return [
    `_tidegauge_${group}() {`,
    "  local curcontext=$curcontext state line",
    "  typeset -A opt_args",
    "  _arguments -C '--help[what there is]' '1: :->verb' '*:: :->rest'",
    "  case $state in",
    "    verb)",
    ...described(
      "      ",
      "command",
      commands.map((command) => [lastWord(command), command.meaning]),
    ),
    "      ;;",
    "    rest)",
    "      case $line[1] in",
    ...commands.flatMap((command) => [
      `        ${lastWord(command)})`,
      ...argumentsCall("          ", command),
      "          ;;",
    ]),
    "      esac ;;",
    "  esac",
    "}",
  ]
}

function described(indent: string, tag: string, names: readonly (readonly string[])[]): string[] {
  const entries = names.map(([name, meaning]) => quoted(`${name}:${meaning!.replace(/\.$/, "")}`))
  return [
    `${indent}local -a names=(`,
    ...entries.map((entry) => `${indent}  ${entry}`),
    `${indent})`,
    `${indent}_describe -t ${tag}s ${tag} names`,
  ]
}

function argumentsCall(indent: string, command: CommandSpec): string[] {
  const specs = [
    ...(command.options ?? []).map(optionSpec),
    quoted("--help[what it takes]"),
    ...(command.arguments ?? []).map(argumentSpec),
  ]
  return [
    `${indent}_arguments \\`,
    ...specs.map((spec, i) => `${indent}  ${spec}${i === specs.length - 1 ? "" : " \\"}`),
  ]
}

function optionSpec({ name, value, meaning, ...rest }: OptionSpec): string {
  const told = `[${escaped(meaning.replace(/\.$/, ""))}]`
  if (value === undefined) return quoted(`--${name}${told}`)
  return quoted(`--${name}=${told}:${escaped(value)}:${action(rest)}`)
}

function argumentSpec({ name, isOptional, isMany, ...rest }: ArgumentSpec, index: number): string {
  const position = isMany ? "*" : String(index + 1)
  return quoted(`${position}:${isOptional && !isMany ? ":" : ""}${name}:${action(rest)}`)
}

function action({ choices, completes }: Pick<OptionSpec, "choices" | "completes">): string {
  if (choices !== undefined) {
    return `(${choices.map((choice) => choice.replaceAll(" ", "\\ ")).join(" ")})`
  }
  if (completes === "file") return "_files"
  return completes === "folder" ? "_files -/" : " "
}

function escaped(text: string): string {
  return text.replace(/[[\]:\\]/g, "\\$&")
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
