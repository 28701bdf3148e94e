/**
 * Reads and validates the files of a package. All problems are reported together, each with its
 * file and JSON path.
 */

import { smallestOf } from "../base/iterables.ts"
import { runSync, type Cooperative } from "../base/cooperative.ts"
import { invalid } from "../base/errors.ts"
import { shown } from "../wire/problems.ts"
import { readRecord } from "../wire/records/fields.ts"
import {
  configurationBody,
  configurationList,
} from "../wire/records/analytic-configuration-body.ts"
import { newDashboardBody, type NewDashboardFields } from "../wire/records/dashboard-body.ts"
import { readPolicy } from "../wire/records/policy-body.ts"
import type { Policy } from "../model/records/policy.ts"
import { ValidationReport, entryText, readOrReport } from "./validation-report.ts"
import { jsonOf, decodeText } from "./json-file.ts"
import { assetKinds, packageManifestFile, readPackageManifest, readmeFile } from "./manifest.ts"
import type { AssetKind, PackageManifest } from "./manifest.ts"
import type { ArchiveFiles } from "./unzip.ts"
import { isVersion, versionExpected } from "./version.ts"

/** The problems of an analytic configuration, one sentence with its JSON path each. */
export interface ConfigurationReport {
  readonly problems: readonly string[]
  /** Parts that are ignored. */
  readonly warnings: readonly string[]
}
export type ValidateConfiguration = (json: unknown) => Cooperative<ConfigurationReport>

export interface Asset<Content> {
  /** Its path in the package, which identifies the asset across versions. */
  readonly file: string
  readonly content: Content
}

export interface PackageContent {
  readonly manifest: PackageManifest
  readonly policies: readonly Asset<Policy>[]
  /** The values of the files, in order. */
  readonly analyticConfigurations: readonly Asset<unknown>[]
  readonly dashboards: readonly Asset<NewDashboardFields>[]
  /** Parts of the package that are ignored, one sentence each. */
  readonly warnings: readonly string[]
}

/** Reads a package; throws `invalid` with all its problems. */
export function readPackage(files: ArchiveFiles, validate: ValidateConfiguration): PackageContent {
  return runSync(readPackageSteps(files, validate))
}

/** The same, cooperatively: hundreds of configurations take a second. */
export function* readPackageSteps(
  files: ArchiveFiles,
  validate: ValidateConfiguration,
): Cooperative<PackageContent> {
  const report = new ValidationReport()
  const content = yield* readContent(files, validate, report)
  report.throwIfAny()
  return content!
}

/** The content, null if the manifest cannot be read. Problems are added to the report. */
export function* readContent(
  archive: ArchiveFiles,
  validate: ValidateConfiguration,
  report: ValidationReport,
): Cooperative<PackageContent | null> {
  const files = withoutTopFolder(archive)
  const manifestBytes = files.get(packageManifestFile)
  if (manifestBytes === undefined) {
    const tops = manifestsOf(archive)
    const got = tops.length === 0 ? "none" : `${tops.length}: ${tops.slice(0, 3).join(", ")}`
    report.add(null, `${packageManifestFile}: expected it at the root or in one folder, got ${got}`)
    return null
  }
  const manifest = readOrReport(packageManifestFile, report, () =>
    readPackageManifest(jsonOf(decodeText(manifestBytes))),
  )
  if (![...files.keys()].some((name) => name.toLowerCase() === readmeFile.toLowerCase())) {
    report.add(null, `${readmeFile}: expected it next to ${packageManifestFile}, got none`)
  }
  if (manifest === null) return null
  validateManifest(manifest, report)
  return yield* readAssets({ files, manifest, validate, report })
}

function validateManifest({ version, files }: PackageManifest, report: ValidationReport): void {
  if (!isVersion(version)) {
    report.add(packageManifestFile, `version: expected ${versionExpected}, got ${shown(version)}`)
  }
  if (assetKinds.every((kind) => files[kind].length === 0)) {
    const kinds = assetKinds.join(", ")
    report.add(
      packageManifestFile,
      `policies: expected at least one file in one of ${kinds}, got none`,
    )
  }
  const listed = new Set<string>()
  for (const kind of assetKinds) {
    files[kind].forEach((file, i) => {
      if (listed.has(file)) {
        const path = `${kind}[${i}].data.file`
        report.add(packageManifestFile, `${path}: expected a file once, got ${shown(file)} again`)
      }
      listed.add(file)
    })
  }
}

interface ReadingInput {
  readonly files: ArchiveFiles
  readonly manifest: PackageManifest
  readonly validate: ValidateConfiguration
  readonly report: ValidationReport
}

function* readAssets(from: ReadingInput): Cooperative<PackageContent> {
  const { manifest, validate, report } = from
  const policies = yield* assetsOf(from, "policies", readPolicyFile)
  const analyticConfigurations = yield* assetsOf(from, "analyticConfigurations", (json) => {
    validateConfigurationShape(json)
    return json
  })
  for (const { file, content } of analyticConfigurations) {
    const { problems, warnings } = yield* validate(content)
    report.addAll(file, problems)
    for (const warning of warnings) report.warn(file, warning)
  }
  const dashboards = yield* assetsOf(from, "dashboards", (json) => {
    return readRecord(newDashboardBody, json, "ignored").dashboard
  })
  const warnings = report.entries.filter(({ isWarning }) => isWarning).map(entryText)
  return { manifest, policies, analyticConfigurations, dashboards, warnings }
}

function* assetsOf<Content>(
  { files, manifest, report }: ReadingInput,
  kind: AssetKind,
  read: (json: unknown) => Content,
): Cooperative<Asset<Content>[]> {
  const assets: Asset<Content>[] = []
  for (const [i, file] of manifest.files[kind].entries()) {
    const bytes = files.get(file)
    if (bytes === undefined) {
      const path = `${kind}[${i}].data.file`
      report.add(packageManifestFile, `${path}: expected a file of the package, got ${shown(file)}`)
      continue
    }
    const content = readOrReport(file, report, () => read(jsonOf(decodeText(bytes))))
    if (content !== null) assets.push({ file, content })
    yield
  }
  return assets
}

/** The creator of a policy is in its file, and may be a user of another account. */
function readPolicyFile(json: unknown): Policy {
  const raw = json as { policy?: { creatorEmail?: unknown } | null } | null
  const email = raw?.policy?.creatorEmail
  const creatorEmail = typeof email === "string" && email !== "" ? email : null
  return {
    ...readPolicy(json, { former: null, creatorEmail, isFromArchive: true }),
    deleted: false,
  }
}

/** The files with paths relative to the one `package.json` that is nearest to the root. */
export function withoutTopFolder(files: ArchiveFiles): ArchiveFiles {
  const tops = manifestsOf(files)
  if (tops.length !== 1 || tops[0] === packageManifestFile) return files
  const start = tops[0]!.slice(0, -packageManifestFile.length)
  return new Map(
    [...files]
      .filter(([name]) => name.startsWith(start))
      .map(([name, bytes]) => [name.slice(start.length), bytes]),
  )
}

/** Folders added by programs, which never contain the package. */
const otherFolders = ["__MACOSX", "node_modules"]

/** Manifests that are nearest to the root: exactly one in an archive of one package. */
function manifestsOf(files: ArchiveFiles): string[] {
  const found = [...files.keys()]
    .map((name) => ({ name, parts: name.split("/") }))
    .filter(({ parts }) => parts.at(-1) === packageManifestFile)
    .filter(({ parts }) => !parts.some((part) => otherFolders.includes(part)))
  const depth = smallestOf(found.map(({ parts }) => parts.length))
  return found.filter(({ parts }) => parts.length === depth).map(({ name }) => name)
}

/**
 * Validates the outer structure of an analytic configuration, before its content is parsed. Throws
 * `invalid` for a value that is neither a wrapped configuration nor a list. An object
 * without the wrapper is left to the parser.
 */
function validateConfigurationShape(json: unknown): void {
  if (typeof json !== "object" || json === null) {
    throw invalid(`body: expected an object with analyticConfiguration, got ${shown(json)}`)
  }
  if (Array.isArray(json)) readRecord(configurationList, json, "ignored")
  else if ("analyticConfiguration" in json) readRecord(configurationBody, json, "ignored")
}
