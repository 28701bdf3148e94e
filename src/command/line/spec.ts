/**
 * The grammar of command lines as data. The parser, help texts, shell completions and the table in
 * the documentation all come from one table of commands.
 */

export interface OptionSpec {
  /** Without its hyphens. */
  readonly name: string
  /** Name of the value in help texts, such as PATH; absent if the option takes no value. */
  readonly value?: string
  readonly meaning: string
  /** The accepted form; completes the sentence "expected …". */
  readonly form?: string
  /** The only accepted values, in any case. */
  readonly choices?: readonly string[]
  /** The environment variable of the same setting; the option wins. */
  readonly variable?: string
  /** The default if neither is given. */
  readonly fallback?: string
  readonly isRequired?: true
  /** It may begin with hyphens, so that the next argument is its value in any case. */
  readonly isSecret?: true
  /** The kind of path with which a shell completes its value. */
  readonly completes?: "file" | "folder"
}

export interface ArgumentSpec {
  /** In capitals, as help texts show it. */
  readonly name: string
  readonly meaning: string
  readonly isOptional?: true
  /** Takes all remaining words. */
  readonly isMany?: true
  readonly choices?: readonly string[]
  readonly completes?: "file" | "folder"
}

export interface CommandSpec {
  /** One word, or a group and a verb: `verify`, `account create`. */
  readonly name: string
  /** One sentence in one line. */
  readonly meaning: string
  /** Paragraphs of its help, each line of at most 100 columns. */
  readonly details?: string
  readonly arguments?: readonly ArgumentSpec[]
  readonly options?: readonly OptionSpec[]
  /** Command lines without the program's name. */
  readonly examples?: readonly string[]
}

/** Commands with the same first word. */
export interface GroupSpec {
  readonly name: string
  readonly meaning: string
  readonly details?: string
}

export interface CommandTable {
  /** In the order in which help texts list them. */
  readonly commands: readonly CommandSpec[]
  readonly groups: readonly GroupSpec[]
  /** The command of a line that names none. */
  readonly defaultName?: string
}

/** A parsed line, valid by the table. */
export interface CommandLine {
  readonly command: CommandSpec
  readonly words: readonly string[]
  /** By name without hyphens; empty text for an option without a value. */
  readonly options: ReadonlyMap<string, string>
}

/** Commands of a group, in order. */
export function commandsOf(table: CommandTable, group: string): readonly CommandSpec[] {
  return table.commands.filter(({ name }) => name.startsWith(`${group} `))
}

/** The word after the group, or the one word of a command without a group. */
export function lastWord({ name }: CommandSpec): string {
  return name.slice(name.indexOf(" ") + 1)
}

/** First words of the table: groups, and commands without one, in order and once each. */
export function firstWords(table: CommandTable): readonly string[] {
  return [...new Set(table.commands.map(({ name }) => name.split(" ", 1)[0]!))]
}

/** The sentence about a first word: a group, or a command without one. */
export function meaningOf(table: CommandTable, word: string): string {
  const group = table.groups.find(({ name }) => name === word)
  return (group ?? table.commands.find(({ name }) => name === word)!).meaning
}
