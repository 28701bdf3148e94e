/** The command lines of the commands on a store. */

import { inputList } from "../../config/settings.ts"
import { settingOption } from "../line/setting-option.ts"
import type { CommandSpec, OptionSpec } from "../line/spec.ts"

const dataOption: OptionSpec = {
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

/** Settings of the server that a restore from a bucket needs. */
const restoreOptions = inputList
  .filter(({ setting }) => setting.name.startsWith("backup-s3-"))
  .map(settingOption)

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
    meaning: "Lists or checks backups, or makes one the store of a folder that has none.",
    details: `
BACKUP is the folder of one backup, or a vault of backups on a schedule: a folder, or
s3://BUCKET/PREFIX. Without it, --backup-to of the configuration file or of the environment is used.
The store is written aside and renamed when it is whole; every checksum is compared.
`,
    arguments: [{ ...backupFolder, meaning: "a backup, or a vault of backups", isOptional: true }],
    options: [
      { name: "list", meaning: "Prints the backups of a vault." },
      { name: "check", meaning: "Restores into a temporary folder, verifies, and removes it." },
      {
        name: "name",
        value: "NAME",
        meaning: "Backup of the vault, as --list prints it.",
        fallback: "the newest",
      },
      ...storeOptions,
      ...restoreOptions,
    ],
    examples: [
      "restore /backups/monday --data /var/lib/tidegauge",
      "restore s3://backups/tide --list --config /etc/tidegauge/tidegauge.conf",
    ],
  },
]
