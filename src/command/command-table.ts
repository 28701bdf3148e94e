/** The program's table of commands, from which help, completion and documentation are made. */

import { accountTable } from "./account/account-commands.ts"
import { shells } from "./line/completion.ts"
import type { CommandSpec, CommandTable, OptionSpec } from "./line/spec.ts"
import { packageTable } from "./package/package-commands.ts"
import { replayCommand } from "./replay/replay-commands.ts"
import { storeCommands } from "./store/store-commands.ts"
import { settingFallback, settingList, settingVariable, type Setting } from "../config/settings.ts"

function settingOption(setting: Setting<unknown>): OptionSpec {
  return {
    name: setting.name,
    value: "VALUE",
    meaning: setting.meaning,
    form: setting.form,
    variable: settingVariable(setting),
    fallback: settingFallback(setting),
    ...(setting.secret ? { isSecret: true } : {}),
    ...(setting.name === "data" ? { completes: "folder" } : {}),
  }
}

const serveCommand: CommandSpec = {
  name: "serve",
  meaning: "Runs the server; so does a line without a command.",
  details: `
Settings are options (--port 8080 or --port=8080) or environment variables; an option wins.
Durations are ISO 8601: PT60S, PT5M, P14D; a year counts 365 days and a month 30.
`,
  options: settingList.map(settingOption),
  examples: ["serve --port 9000 --data /var/lib/tidegauge"],
}

const helpCommand: CommandSpec = {
  name: "help",
  meaning: "Prints what a command takes.",
  arguments: [{ name: "COMMAND", meaning: "words of a command", isOptional: true, isMany: true }],
  examples: ["help backup", "help account create"],
}

const completionCommand: CommandSpec = {
  name: "completion",
  meaning: "Prints a script by which a shell completes command lines of tidegauge.",
  arguments: [{ name: "SHELL", meaning: "the shell that reads the script", choices: shells }],
  examples: [
    "completion bash > ~/.local/share/bash-completion/completions/tidegauge",
    'completion zsh > "${fpath[1]}/_tidegauge"',
    "completion fish > ~/.config/fish/completions/tidegauge.fish",
  ],
}

export const commandTable: CommandTable = {
  commands: [
    serveCommand,
    ...storeCommands,
    ...accountTable.commands,
    ...packageTable.commands,
    replayCommand,
    completionCommand,
    helpCommand,
  ],
  groups: [...accountTable.groups, ...packageTable.groups],
  defaultName: serveCommand.name,
}
