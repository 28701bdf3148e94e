/**
 * The content of a package: its files, found, read and judged. Everything that is wrong is told
 * together, each problem with its file and JSON path.
 */

import { invalid } from "../base/errors.ts"
import { shown } from "../wire/problems.ts"
import { readRecord } from "../wire/records/fields.ts"
import { newDashboardBody, type NewDashboardFields } from "../wire/records/dashboard-body.ts"
import { readPolicy } from "../wire/records/policy-body.ts"
import type { Policy } from "../model/policy.ts"
import { configurationShape } from "./configuration-shape.ts"
import { Findings, reading } from "./findings.ts"
import { jsonOf, textOf } from "./json-file.ts"
import { assetKinds, manifestFile, readManifest, readmeFile } from "./manifest.ts"
import type { AssetKind, Manifest } from "./manifest.ts"
import type { Files } from "./unzip.ts"
import { isVersion, versionExpected } from "./version.ts"

/** What is wrong with an analytic configuration, one sentence with its JSON path a problem. */
export type JudgeConfiguration = (json: unknown) => readonly string[]

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
}

/** Throws `invalid` with everything that is wrong with the package. */
export function readPackage(files: Files, judge: JudgeConfiguration): PackageContent {
  const findings = new Findings()
  const content = findIn(files, judge, findings)
  findings.throwIfAny()
  return content!
}

/** The content; null where the manifest cannot be read. What is wrong is added to `findings`. */
export function findIn(
  archive: Files,
  judge: JudgeConfiguration,
  findings: Findings,
): PackageContent | null {
  const files = withoutTopFolder(archive)
  const manifestBytes = files.get(manifestFile)
  if (manifestBytes === undefined) {
    findings.add(null, `${manifestFile}: expected it at the root or in one top folder, got none`)
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
  return readAssets({ files, manifest, judge, findings })
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

function readAssets(from: Reading): PackageContent {
  const { manifest, judge } = from
  return {
    manifest,
    policies: assetsOf(from, "policies", readPolicyFile),
    analyticConfigurations: assetsOf(from, "analyticConfigurations", (json) =>
      readConfiguration(json, judge),
    ),
    dashboards: assetsOf(from, "dashboards", (json) => {
      return readRecord(newDashboardBody, json).dashboard
    }),
  }
}

function assetsOf<Content>(
  { files, manifest, findings }: Reading,
  kind: AssetKind,
  read: (json: unknown) => Content,
): Asset<Content>[] {
  return manifest.files[kind].flatMap((file, i) => {
    const bytes = files.get(file)
    if (bytes === undefined) {
      const path = `${kind}[${i}].data.file`
      findings.add(manifestFile, `${path}: expected a file of the package, got ${shown(file)}`)
      return []
    }
    const content = reading(file, findings, () => read(jsonOf(textOf(bytes))))
    return content === null ? [] : [{ file, content }]
  })
}

/** Who made a policy is told by its file; it may name somebody of another account. */
function readPolicyFile(json: unknown): Policy {
  const raw = json as { policy?: { creatorEmail?: unknown } | null } | null
  const email = raw?.policy?.creatorEmail
  const creatorEmail = typeof email === "string" && email !== "" ? email : null
  return { ...readPolicy(json, { former: null, creatorEmail }), deleted: false }
}

function readConfiguration(json: unknown, judge: JudgeConfiguration): unknown {
  configurationShape(json)
  const problems = judge(json)
  if (problems.length > 0) throw invalid(problems)
  return json
}

/** The files as they lie beside `package.json`, where all stand in one folder of the archive. */
export function withoutTopFolder(files: Files): Files {
  if (files.has(manifestFile)) return files
  const tops = [...files.keys()].filter((name) => /^[^/]+\/package\.json$/.test(name))
  if (tops.length !== 1) return files
  const start = tops[0]!.slice(0, -manifestFile.length)
  return new Map(
    [...files]
      .filter(([name]) => name.startsWith(start))
      .map(([name, bytes]) => [name.slice(start.length), bytes]),
  )
}
