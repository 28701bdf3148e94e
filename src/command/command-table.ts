/** The program's table of commands, from which help, completion and documentation are made. */

import { accountTable } from "./account/account-commands.ts"
import { healthCommand } from "./health/health-command.ts"
import { shells } from "./line/completion.ts"
import type { CommandSpec, CommandTable, OptionSpec } from "./line/spec.ts"
import { settingOption } from "./line/setting-option.ts"
import { packageTable } from "./package/package-commands.ts"
import { replayCommand } from "./replay/replay-commands.ts"
import { configOption, storeCommands } from "./store/store-commands.ts"
import { transferCommands } from "./transfer/transfer-commands.ts"
import { inputList } from "../config/settings.ts"

const serveOptions: readonly OptionSpec[] = [configOption, ...inputList.map(settingOption)]

const serveCommand: CommandSpec = {
  name: "serve",
  meaning: "Runs the server; so does a line without a command.",
  details: `
Settings are options (--port 8080 or --port=8080), environment variables, or lines of the file that
--config names (port = 8080); an option wins over a variable, and that over the file.
Durations are ISO 8601: PT60S, PT5M, P14D; a year counts 365 days and a month 30.
`,
  options: serveOptions,
  examples: [
    "serve --port 9000 --data /var/lib/tidegauge",
    "serve --config /etc/tidegauge/tidegauge.conf",
  ],
}

const configCommand: CommandSpec = {
  name: "config",
  meaning: "Prints the settings in force with their sources, or a template of the file.",
  details: `
It takes the options of serve, reads the same variables and the same file, and refuses what serve
would refuse. Secrets are masked.
`,
  options: [
    { name: "template", meaning: "Prints a configuration file with all settings as comments." },
    ...serveOptions,
  ],
  examples: [
    "config --config /etc/tidegauge/tidegauge.conf",
    "config --template > /etc/tidegauge/tidegauge.conf",
  ],
}

const helpCommand: CommandSpec = {
  name: "help",
  meaning: "Prints what a command takes.",
  arguments: [{ name: "COMMAND", meaning: "words of a command", isOptional: true, isMany: true }],
  examples: ["help backup", "help account create"],
}

const licencesCommand: CommandSpec = {
  name: "licences",
  meaning: "Prints the licences of all that the program carries.",
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
    configCommand,
    healthCommand,
    ...storeCommands,
    ...transferCommands,
    ...accountTable.commands,
    ...packageTable.commands,
    replayCommand,
    completionCommand,
    licencesCommand,
    helpCommand,
  ],
  groups: [...accountTable.groups, ...packageTable.groups],
  defaultName: serveCommand.name,
}
