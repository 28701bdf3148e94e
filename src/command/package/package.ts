/** `tidegauge package`: writes, validates, builds, installs and lists packages. */

import { readFile, stat, writeFile } from "node:fs/promises"
import { basename, join, resolve } from "node:path"
import { invalid, ServiceError } from "../../base/errors.ts"
import { lintPackage, type LintProblem } from "../../packages/lint.ts"
import type { ValidateConfiguration } from "../../packages/content.ts"
import { formatJson } from "../../packages/format.ts"
import { archiveBytesMax } from "../../packages/limits.ts"
import { assetKinds } from "../../packages/manifest.ts"
import type { ArchiveFiles } from "../../packages/unzip.ts"
import { zipOf } from "../../packages/zip.ts"
import { serverAddress } from "./server-address.ts"
import { PackageClient, type ShownPackage } from "./package-client.ts"
import { archiveName, initFolder, readFolder } from "./package-folder.ts"
import { lastWord, type CommandLine } from "../line/spec.ts"
import { ProgressLine } from "../text/progress-line.ts"
import { tableText } from "../text/table-text.ts"

interface PackageCommandDeps {
  readonly line: CommandLine
  readonly env: Readonly<Record<string, string | undefined>>
  readonly print: (text: string) => void
  /** For progress and problems of the command itself. */
  readonly printError: (text: string) => void
  /** Whether standard error is a terminal, which shows progress. */
  readonly isTerminal: boolean
  readonly fetch: typeof globalThis.fetch
  readonly validateConfiguration: ValidateConfiguration
}

interface PackageCommand {
  /** Empty if none was given. */
  readonly subject: string
  /** By name without hyphens. */
  readonly flags: ReadonlyMap<string, string>
}

interface PackageCommandResult {
  readonly status: number
  readonly json: unknown
  readonly text: string
}

type Verb = (
  command: PackageCommand,
  deps: PackageCommandDeps,
  progress: ProgressLine,
) => Promise<PackageCommandResult>

/** Runs a package command; resolves to the exit status. */
export async function runPackage(deps: PackageCommandDeps): Promise<number> {
  const { command: spec, words, options } = deps.line
  const command: PackageCommand = { subject: words[0] ?? "", flags: options }
  const isJson = options.has("json")
  const progress = new ProgressLine(deps.printError, deps.isTerminal)
  try {
    const { status, json, text } = await verbs[lastWord(spec)]!(command, deps, progress)
    progress.clear()
    const shown = isJson ? JSON.stringify(json, null, 2) : text
    if (shown !== "") deps.print(`${shown}\n`)
    return status
  } catch (error) {
    progress.clear()
    const problems = problemsOf(error)
    if (isJson) deps.print(`${JSON.stringify({ errors: problems }, null, 2)}\n`)
    else deps.printError(problems.map((one) => `tidegauge: ${one}\n`).join(""))
    return 1
  }
}

/** Sentences for mistakes of the caller and failures of the machine; rethrows bugs. */
function problemsOf(error: unknown): readonly string[] {
  if (error instanceof ServiceError) return error.problems
  // Errors of the file system name the path and what could not be done with it.
  if (error instanceof Error && "syscall" in error) return [error.message]
  throw error
}

const verbs: Readonly<Record<string, Verb>> = {
  async init({ subject }) {
    const folder = folderOf(subject)
    const files = await initFolder(folder, basename(folder))
    return { status: 0, json: { folder, files }, text: `Wrote ${files.join(", ")} in ${folder}` }
  },

  async validate({ subject }, { validateConfiguration }) {
    const files = await readFolder(folderOf(subject))
    const problems = lintPackage(files, validateConfiguration)
    const text = problems.length === 0 ? "No problems." : problems.map(problemText).join("\n")
    return { status: problems.some(isError) ? 1 : 0, json: { problems }, text }
  },

  async format({ subject }) {
    const folder = folderOf(subject)
    const changed = changes(await readFolder(folder))
    for (const [name, text] of changed) await writeFile(join(folder, name), text)
    const names = [...changed.keys()]
    const text = names.length === 0 ? "Nothing to change." : `Formatted ${names.join(", ")}`
    return { status: 0, json: { formatted: names }, text }
  },

  async lint({ subject }) {
    const names = [...changes(await readFolder(folderOf(subject))).keys()]
    const text = names.map((name) => `${name}: package format would change it`).join("\n")
    const status = names.length === 0 ? 0 : 1
    return { status, json: { unformatted: names }, text: text || "Nothing to change." }
  },

  async create({ subject }, deps, progress) {
    const folder = folderOf(subject)
    const files = await readFolder(folder)
    progress.show(`Packing ${files.size} files`)
    const problems = lintPackage(files, deps.validateConfiguration)
    const errors = problems.filter(isError)
    if (errors.length > 0) throw invalid(errors.map(problemText))
    progress.clear()
    for (const one of problems) deps.printError(`${problemText(one)}\n`)
    const archive = await zipOf(files)
    const path = join(folder, archiveName)
    await writeFile(path, archive)
    const json = { archive: path, files: files.size, bytes: archive.length }
    const text = `Wrote ${path}: ${files.size} files, ${archive.length} bytes`
    return { status: 0, json, text }
  },

  async install(command, deps, progress) {
    const { size } = await stat(command.subject)
    if (size > archiveBytesMax)
      throw invalid(`Expected an archive of at most ${archiveBytesMax} bytes`)
    const archive = await readFile(command.subject)
    const client = await clientOf(command, deps)
    progress.show(`Sending ${basename(command.subject)}, ${archive.length} bytes`)
    const answer = await client.install(new Uint8Array(archive))
    const warnings = answer.warnings.map((one) => `\nwarning: ${one}`).join("")
    const { packageId, version, id } = answer.package
    return {
      status: 0,
      json: answer,
      text: `Installed ${packageId} ${version} as ${id}${warnings}`,
    }
  },

  async list(command, deps) {
    const packages = await (await clientOf(command, deps)).list()
    return { status: 0, json: { packages }, text: packageTable(packages) }
  },

  async show(command, deps) {
    const found = await (await clientOf(command, deps)).find(command.subject)
    return { status: 0, json: { package: found }, text: JSON.stringify(found, null, 2) }
  },

  async uninstall(command, deps, progress) {
    const client = await clientOf(command, deps)
    const { id, packageId, version } = await client.find(command.subject)
    progress.show(`Removing ${packageId} ${version}`)
    await client.remove(id)
    return { status: 0, json: { removed: id }, text: `Removed ${packageId} ${version}` }
  },
}

function folderOf(subject: string): string {
  return resolve(subject || ".")
}

async function clientOf({ flags }: PackageCommand, { env, fetch }: PackageCommandDeps) {
  return new PackageClient(await serverAddress(flags, env), fetch)
}

/** Files of assets that are not formatted, with their formatted text. */
function changes(files: ArchiveFiles): Map<string, string> {
  const changed = new Map<string, string>()
  for (const [name, bytes] of files) {
    const isAsset = assetKinds.some((kind) => name.startsWith(`${kind}/`)) && name.endsWith(".json")
    if (!isAsset) continue
    const text = Buffer.from(bytes).toString("utf8")
    const wanted = formattedFile(name, text)
    // Published packages have no line feed at the end of a file, ours have: either is fine.
    if (wanted.trimEnd() !== text.replace(/\r?\n$/, "")) changed.set(name, wanted)
  }
  return changed
}

function formattedFile(name: string, text: string): string {
  try {
    return formatJson(text)
  } catch (cause) {
    throw new ServiceError("invalid", `${name}: expected JSON: ${(cause as Error).message}`, {
      cause,
    })
  }
}

const isError = (problem: LintProblem): boolean => problem.severity === "error"

function problemText({ file, line, path, problem, severity }: LintProblem): string {
  const position = file === null ? "" : line === null ? `${file}: ` : `${file}:${line}: `
  const kind = severity === "error" ? "" : `${severity}: `
  return position + kind + (path === null ? problem : `${path}: ${problem}`)
}

function packageTable(packages: readonly ShownPackage[]): string {
  if (packages.length === 0) return "None."
  const names = ["id", "package", "version", "policies", "configurations", "dashboards", "updated"]
  const rows = packages.map((one) => [
    one.id,
    one.packageId,
    one.version,
    String(one.policies.length),
    String(one.analyticConfigurations.length),
    String(one.dashboards.length),
    one.updated,
  ])
  return tableText(names, rows)
}
