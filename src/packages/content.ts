/**
 * The content of a package: its files, found, read and judged. Everything that is wrong is told
 * together, each problem with its file and JSON path.
 */

import { smallestOf } from "../base/iterables.ts"
import { runSync, type Cooperative } from "../base/cooperative.ts"
import { shown } from "../wire/problems.ts"
import { readRecord } from "../wire/records/fields.ts"
import { newDashboardBody, type NewDashboardFields } from "../wire/records/dashboard-body.ts"
import { readPolicy } from "../wire/records/policy-body.ts"
import type { Policy } from "../model/records/policy.ts"
import { configurationShape } from "./configuration-shape.ts"
import { Findings, findingText, reading } from "./validation-report.ts"
import { jsonOf, textOf } from "./json-file.ts"
import { assetKinds, manifestFile, readManifest, readmeFile } from "./manifest.ts"
import type { AssetKind, Manifest } from "./manifest.ts"
import type { Files } from "./unzip.ts"
import { isVersion, versionExpected } from "./version.ts"

/** What is wrong with an analytic configuration, one sentence with its JSON path each. */
export interface ConfigurationJudgement {
  readonly problems: readonly string[]
  /** What is left out of it. */
  readonly warnings: readonly string[]
}
export type JudgeConfiguration = (json: unknown) => Cooperative<ConfigurationJudgement>

export interface Asset<Content> {
  /** Its name in the package: what makes it the same asset in another version. */
  readonly file: string
  readonly content: Content
}

export interface PackageContent {
  readonly manifest: Manifest
  readonly policies: readonly Asset<Policy>[]
  /** As the files have them, in order. */
  readonly analyticConfigurations: readonly Asset<unknown>[]
  readonly dashboards: readonly Asset<NewDashboardFields>[]
  /** What is left out of the package, one sentence each. */
  readonly warnings: readonly string[]
}

/** Throws `invalid` with everything that is wrong with the package. */
export function readPackage(files: Files, judge: JudgeConfiguration): PackageContent {
  return runSync(readingSteps(files, judge))
}

/** The same in steps: hundreds of configurations take a second. */
export function* readingSteps(
  files: Files,
  judge: JudgeConfiguration,
): Cooperative<PackageContent> {
  const findings = new Findings()
  const content = yield* findIn(files, judge, findings)
  findings.throwIfAny()
  return content!
}

/** The content; null where the manifest cannot be read. What is wrong is added to `findings`. */
export function* findIn(
  archive: Files,
  judge: JudgeConfiguration,
  findings: Findings,
): Cooperative<PackageContent | null> {
  const files = withoutTopFolder(archive)
  const manifestBytes = files.get(manifestFile)
  if (manifestBytes === undefined) {
    const tops = manifestsOf(archive)
    const got = tops.length === 0 ? "none" : `${tops.length}: ${tops.slice(0, 3).join(", ")}`
    findings.add(null, `${manifestFile}: expected it at the root or in one folder, got ${got}`)
    return null
  }
  const manifest = reading(manifestFile, findings, () =>
    readManifest(jsonOf(textOf(manifestBytes))),
  )
  if (![...files.keys()].some((name) => name.toLowerCase() === readmeFile.toLowerCase())) {
    findings.add(null, `${readmeFile}: expected it beside ${manifestFile}, got none`)
  }
  if (manifest === null) return null
  judgeManifest(manifest, findings)
  return yield* readAssets({ files, manifest, judge, findings })
}

function judgeManifest({ version, files }: Manifest, findings: Findings): void {
  if (!isVersion(version)) {
    findings.add(manifestFile, `version: expected ${versionExpected}, got ${shown(version)}`)
  }
  if (assetKinds.every((kind) => files[kind].length === 0)) {
    const kinds = assetKinds.join(", ")
    findings.add(manifestFile, `policies: expected at least one file in one of ${kinds}, got none`)
  }
  const listed = new Set<string>()
  for (const kind of assetKinds) {
    files[kind].forEach((file, i) => {
      if (listed.has(file)) {
        const path = `${kind}[${i}].data.file`
        findings.add(manifestFile, `${path}: expected a file once, got ${shown(file)} again`)
      }
      listed.add(file)
    })
  }
}

interface Reading {
  readonly files: Files
  readonly manifest: Manifest
  readonly judge: JudgeConfiguration
  readonly findings: Findings
}

function* readAssets(from: Reading): Cooperative<PackageContent> {
  const { manifest, judge, findings } = from
  const policies = yield* assetsOf(from, "policies", readPolicyFile)
  const analyticConfigurations = yield* assetsOf(from, "analyticConfigurations", (json) => {
    configurationShape(json)
    return json
  })
  for (const { file, content } of analyticConfigurations) {
    const { problems, warnings } = yield* judge(content)
    findings.addAll(file, problems)
    for (const warning of warnings) findings.warn(file, warning)
  }
  const dashboards = yield* assetsOf(from, "dashboards", (json) => {
    return readRecord(newDashboardBody, json, "ignored").dashboard
  })
  const warnings = findings.list.filter(({ isWarning }) => isWarning).map(findingText)
  return { manifest, policies, analyticConfigurations, dashboards, warnings }
}

function* assetsOf<Content>(
  { files, manifest, findings }: Reading,
  kind: AssetKind,
  read: (json: unknown) => Content,
): Cooperative<Asset<Content>[]> {
  const assets: Asset<Content>[] = []
  for (const [i, file] of manifest.files[kind].entries()) {
    const bytes = files.get(file)
    if (bytes === undefined) {
      const path = `${kind}[${i}].data.file`
      findings.add(manifestFile, `${path}: expected a file of the package, got ${shown(file)}`)
      continue
    }
    const content = reading(file, findings, () => read(jsonOf(textOf(bytes))))
    if (content !== null) assets.push({ file, content })
    yield
  }
  return assets
}

/** Who made a policy is told by its file; it may name somebody of another account. */
function readPolicyFile(json: unknown): Policy {
  const raw = json as { policy?: { creatorEmail?: unknown } | null } | null
  const email = raw?.policy?.creatorEmail
  const creatorEmail = typeof email === "string" && email !== "" ? email : null
  return {
    ...readPolicy(json, { former: null, creatorEmail, isFromArchive: true }),
    deleted: false,
  }
}

/** The files as they lie beside the one `package.json` that is nearest to the root. */
export function withoutTopFolder(files: Files): Files {
  const tops = manifestsOf(files)
  if (tops.length !== 1 || tops[0] === manifestFile) return files
  const start = tops[0]!.slice(0, -manifestFile.length)
  return new Map(
    [...files]
      .filter(([name]) => name.startsWith(start))
      .map(([name, bytes]) => [name.slice(start.length), bytes]),
  )
}

/** Folders that programs add; none of them holds the package. */
const otherFolders = ["__MACOSX", "node_modules"]

/** Manifests that are nearest to the root: one where the archive holds one package. */
function manifestsOf(files: Files): string[] {
  const found = [...files.keys()]
    .map((name) => ({ name, parts: name.split("/") }))
    .filter(({ parts }) => parts.at(-1) === manifestFile)
    .filter(({ parts }) => !parts.some((part) => otherFolders.includes(part)))
  const depth = smallestOf(found.map(({ parts }) => parts.length))
  return found.filter(({ parts }) => parts.length === depth).map(({ name }) => name)
}
