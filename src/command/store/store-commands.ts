/** The command lines of the commands on a store. */

import type { CommandSpec, OptionSpec } from "../line/spec.ts"

export const dataOption: OptionSpec = {
  name: "data",
  value: "PATH",
  meaning: "Folder of the store.",
  variable: "TIDEGAUGE_DATA",
  fallback: "data/store",
  completes: "folder",
}

export const configOption: OptionSpec = {
  name: "config",
  value: "FILE",
  meaning: "Configuration file: the names of the options of serve, name = value.",
  form: "a path",
  variable: "TIDEGAUGE_CONFIG",
  fallback: "none",
  completes: "file",
}

/** Of each command on a store. */
export const storeOptions: readonly OptionSpec[] = [dataOption, configOption]

const backupFolder = { name: "BACKUP", completes: "folder" } as const

export const storeCommands: readonly CommandSpec[] = [
  {
    name: "verify",
    meaning: "Recomputes every rollup of a stopped server's store and compares the bytes.",
    details: `
Prints what differs. Ends with 0, and with 1 if anything differs or the store cannot be read.
`,
    options: storeOptions,
    examples: ["verify --data /var/lib/tidegauge"],
  },
  {
    name: "probe",
    meaning: "Looks quickly whether the file of a stopped server's store is what was written.",
    details: `
The server does this by itself before it opens a store that was not closed in order. Prints a line
a problem, nothing if there is none.
`,
    options: storeOptions,
  },
  {
    name: "repair",
    meaning: "Mends the damaged store of a stopped server, and says each thing that it does.",
    details: `
What cannot be read is set aside in a folder inside of the store. Take a copy of the folder before.
`,
    options: storeOptions,
  },
  {
    name: "backup",
    meaning: "Copies a store into a new folder, also while a server runs on it.",
    arguments: [{ ...backupFolder, meaning: "a folder for the backup, which does not exist yet" }],
    options: storeOptions,
    examples: ["backup --data /var/lib/tidegauge /backups/monday"],
  },
  {
    name: "restore",
    meaning: "Makes a backup the store of a folder that has none.",
    arguments: [{ ...backupFolder, meaning: "the folder of a backup" }],
    options: storeOptions,
    examples: ["restore /backups/monday --data /var/lib/tidegauge"],
  },
]
