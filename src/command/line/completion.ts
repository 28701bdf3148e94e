/**
 * Scripts by which shells complete command lines, made of the table of commands. They hold all
 * names, so that a key press starts no process.
 */

import { bashCompletion } from "./completion-bash.ts"
import { fishCompletion } from "./completion-fish.ts"
import { zshCompletion } from "./completion-zsh.ts"
import type { CommandTable } from "./spec.ts"

export const shells = ["bash", "zsh", "fish"] as const
export type Shell = (typeof shells)[number]

const scripts: Readonly<Record<Shell, (table: CommandTable) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}

export function completionScript(table: CommandTable, shell: Shell): string {
  return scripts[shell](table)
}
