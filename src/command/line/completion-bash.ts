/** Completion in bash (4 or newer), without the package bash-completion. */

import {
  commandsOf,
  firstWords,
  lastWord,
  type ArgumentSpec,
  type CommandSpec,
  type CommandTable,
  type OptionSpec,
} from "./spec.ts"

const head = `# Completion of tidegauge for bash: source it or put it into bash-completion.
_tidegauge() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  local words=() word i skip= IFS=$'\\n'
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ -n $skip ]]; then skip=; continue; fi
    case $word in
`

/** A value of several words is quoted as it is put on the line. */
const tail = `}
_tidegauge_offer() {
  local found
  while read -r found; do
    [[ -n $found ]] && COMPREPLY+=("$(printf '%q' "$found")")
  done < <(compgen -W "$1" -- "$cur")
}
_tidegauge_paths() {
  local found
  while read -r found; do
    [[ -n $found ]] && COMPREPLY+=("$found")
  done < <(compgen "$1" -- "$cur")
  compopt -o filenames 2>/dev/null
}
complete -F _tidegauge tidegauge
`

export function bashCompletion(table: CommandTable): string {
  return (
    head +
    `      ${valueOptions(table).join("|")}) skip=1 ;;\n` +
    '      -*) ;;\n      *) words+=("$word") ;;\n    esac\n  done\n' +
    `  local command="\${words[0]-}" count=\${#words[@]}\n` +
    `  case $command in\n    ${table.groups.map(({ name }) => name).join("|")})\n` +
    `      if ((count > 1)); then command="$command \${words[1]}"; ((count--)); fi ;;\n  esac\n` +
    "  ((count--))\n" +
    `  case "$command" in\n` +
    [startCase(table), ...table.groups.map(groupCase(table)), ...table.commands.map(commandCase)]
      .map((lines) => lines.map((line) => `    ${line}\n`).join(""))
      .join("") +
    "  esac\n" +
    tail
  )
}

function valueOptions(table: CommandTable): string[] {
  const options = table.commands.flatMap((command) => command.options ?? [])
  const names = options.filter(({ value }) => value !== undefined).map(({ name }) => `--${name}`)
  return [...new Set(names)]
}

/** No command yet: the commands, or the options of the one that needs no name. */
function startCase(table: CommandTable): string[] {
  const usual = table.commands.find(({ name }) => name === table.defaultName)
  return [
    '"")',
    ...valueCases(usual?.options ?? []),
    `  if [[ $cur == -* ]]; then ${offer([...optionNames(usual), "--version"])}`,
    `  else ${offer(firstWords(table))}; fi ;;`,
  ]
}

const groupCase =
  (table: CommandTable) =>
  ({ name }: { readonly name: string }): string[] => [
    `"${name}") ${offer(commandsOf(table, name).map(lastWord))} ;;`,
  ]

function commandCase(command: CommandSpec): string[] {
  return [
    `"${command.name}")`,
    ...valueCases(command.options ?? []),
    `  if [[ $cur == -* ]]; then ${offer(optionNames(command))}; return; fi`,
    ...(command.arguments ?? []).flatMap(argumentLines),
    "  ;;",
  ]
}

/** Completion of the value of an option. */
function valueCases(options: readonly OptionSpec[]): string[] {
  const lines = options
    .filter(({ value }) => value !== undefined)
    .map((option) => `    --${option.name}) ${offerValue(option)}return ;;`)
  return lines.length === 0 ? [] : ["  case $prev in", ...lines, "  esac"]
}

function argumentLines(argument: ArgumentSpec, index: number): string[] {
  const offered = offerValue(argument)
  const holds = argument.isMany ? `count >= ${index}` : `count == ${index}`
  return offered === "" ? [] : [`  if ((${holds})); then ${offered}fi`]
}

function offerValue({ choices, completes }: Pick<OptionSpec, "choices" | "completes">): string {
  if (choices !== undefined) return `${offer(choices)}; `
  if (completes === undefined) return ""
  return `_tidegauge_paths ${completes === "file" ? "-f" : "-d"}; `
}

function optionNames(command: CommandSpec | undefined): string[] {
  return [...(command?.options ?? []).map(({ name }) => `--${name}`), "--help"]
}

/** One name a line, since IFS is a line feed. */
function offer(names: readonly string[]): string {
  return `_tidegauge_offer $'${names.map((name) => name.replaceAll("'", "\\'")).join("\\n")}'`
}
