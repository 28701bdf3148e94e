/** The command lines of `tidegauge package`. */

import type { ArgumentSpec, CommandSpec, CommandTable, OptionSpec } from "../line/spec.ts"

const folder: ArgumentSpec = {
  name: "FOLDER",
  meaning: "folder of the package; the current one by default",
  isOptional: true,
  completes: "folder",
}
const id: ArgumentSpec = { name: "ID", meaning: "id or packageId of an installed package" }
const json: OptionSpec = { name: "json", meaning: "Prints one JSON value instead of text." }
const remote: readonly OptionSpec[] = [
  {
    name: "url",
    value: "URL",
    meaning: "Address of the server.",
    variable: "TIDEGAUGE_URL",
    fallback: "http://127.0.0.1:8080",
  },
  { name: "user", value: "EMAIL", meaning: "User's e-mail.", variable: "TIDEGAUGE_ADMIN_EMAIL" },
  {
    name: "password",
    value: "TEXT",
    meaning: "User's password.",
    variable: "TIDEGAUGE_ADMIN_PASSWORD",
    isSecret: true,
  },
]

function local(verb: string, meaning: string): CommandSpec {
  return { name: `package ${verb}`, meaning, arguments: [folder], options: [json] }
}

const details = `
Commands that talk to a server take its address and a user from --url, --user and --password, from
the variables TIDEGAUGE_URL, TIDEGAUGE_ADMIN_EMAIL and TIDEGAUGE_ADMIN_PASSWORD, or from the file
~/.config/tidegauge, a JSON object of url, user and password (credentials.json in it if that is a
folder).
`

const commands: readonly CommandSpec[] = [
  local("init", "Writes a new package with one policy into a folder."),
  local("validate", "Prints every problem with file, line and JSON path; exits 1 if there is one."),
  local("format", "Rewrites its files: names sorted, two spaces of indent, no empty values."),
  local("lint", "Says which files format would change; exits 1 if there is one."),
  local("create", "Writes pkg.zip into the folder: the same bytes from the same files."),
  {
    name: "package install",
    meaning: "Installs or upgrades a package from an archive.",
    arguments: [{ name: "FILE", meaning: "the archive, a ZIP file", completes: "file" }],
    options: [json, ...remote],
    examples: ["package install pkg.zip --url http://127.0.0.1:8080"],
  },
  {
    name: "package list",
    meaning: "Lists the installed packages.",
    options: [json, ...remote],
  },
  {
    name: "package show",
    meaning: "Prints an installed package.",
    arguments: [id],
    options: [json, ...remote],
  },
  {
    name: "package uninstall",
    meaning: "Removes a package with everything it brought.",
    arguments: [id],
    options: [json, ...remote],
  },
]

export const packageTable: CommandTable = {
  commands,
  groups: [
    {
      name: "package",
      meaning: "Packages of policies, dashboards and analytic configurations.",
      details,
    },
  ],
}
