/**
 * What an author is told of a package: all that an installation refuses, and what only they see.
 *
 * Beside the rules of the service's own tool (spec/packages §5) two are other ones. It wanted
 * `manifest.distro.download` to name the community's repository: here any address will do. It
 * wanted a type in the scope of every policy: so do we, but a policy without any scope is merely a
 * warning, since the community's global package means all elements by it.
 */

import { runSync } from "../base/cooperative.ts"
import { layoutProblems } from "./layout.ts"
import { readContent, withoutTopFolder, type ValidateConfiguration } from "./content.ts"
import { ValidationReport, pathOf, type ReportEntry } from "./validation-report.ts"
import { jsonOf, textOf } from "./json-file.ts"
import { jsonProblems, lineOf } from "./json-position.ts"
import { assetKinds, type PackageManifest } from "./manifest.ts"
import type { ArchiveFiles } from "./unzip.ts"

export interface LintProblem {
  /** Name of the file; null for what concerns the whole. */
  readonly file: string | null
  /** From 1; null where the file has no lines to tell of. */
  readonly line: number | null
  /** JSON path; null where the problem is not at a place in JSON. */
  readonly path: string | null
  readonly problem: string
  /** A warning is for the author to judge; whatever is an error must be mended. */
  readonly severity: "error" | "warning"
}

const severity = "error" as const

/** Every problem of a package, in order of file and line. Without errors it can be installed. */
export function lintPackage(archive: ArchiveFiles, judge: ValidateConfiguration): LintProblem[] {
  const files = withoutTopFolder(archive)
  const texts = new Map<string, string>()
  const problems: LintProblem[] = []
  for (const name of files.keys()) {
    if (!name.endsWith(".json")) continue
    try {
      texts.set(name, textOf(files.get(name)!))
    } catch (error) {
      problems.push({
        file: name,
        line: null,
        path: null,
        problem: (error as Error).message,
        severity,
      })
    }
  }
  const findings = new ValidationReport()
  const content = runSync(readContent(files, judge, findings))
  if (content !== null) {
    validateLists(files, content.manifest, findings)
    for (const { file } of content.policies) validateScope(file, texts.get(file), findings)
    for (const { file, content: dashboard } of content.dashboards) {
      findings.addAll(file, layoutProblems(dashboard))
    }
  }
  const isListed = namesOf(content?.manifest)
  for (const [file, text] of texts) {
    if (!isListed(file)) continue
    for (const one of jsonProblems(text)) problems.push({ file, severity, ...one })
  }
  // Where a text cannot be parsed, that was told with its line.
  const isTold = ({ file, sentence }: ReportEntry) =>
    sentence.startsWith("expected JSON: ") && problems.some((one) => one.file === file)
  const placed = findings.entries.filter((one) => !isTold(one)).map((one) => locate(one, texts))
  return [...problems, ...placed].sort(byPosition)
}

function namesOf(manifest: PackageManifest | undefined): (file: string) => boolean {
  if (manifest === undefined) return () => true
  const names = new Set(assetKinds.flatMap((kind) => manifest.files[kind]))
  return (file) => file === "package.json" || names.has(file)
}

/** Files of the folders of assets that the manifest forgot. */
function validateLists(
  files: ArchiveFiles,
  manifest: PackageManifest,
  findings: ValidationReport,
): void {
  for (const kind of assetKinds) {
    const listed = new Set(manifest.files[kind])
    for (const file of files.keys()) {
      if (file.startsWith(`${kind}/`) && file.endsWith(".json") && !listed.has(file)) {
        findings.add(
          "package.json",
          `${kind}: expected every file of the folder, "${file}" is missing`,
        )
      }
    }
  }
}

/** A policy is for elements of some types; `text` is that of a file that is one. */
function validateScope(file: string, text: string | undefined, findings: ValidationReport): void {
  if (text === undefined) return
  const { policy } = jsonOf(text) as {
    policy: { scope?: Readonly<Record<string, unknown>> | null }
  }
  const { scope } = policy
  if (scope === undefined || scope === null) {
    findings.warn(file, "policy.scope: got none, so the policy watches all elements")
    return
  }
  const types = [scope["elementType"], scope["elementTypes"]].flat()
  if (types.some((type) => typeof type === "string" && type !== "")) return
  findings.add(file, "policy.scope: expected elementType or elementTypes, got neither")
}

function locate(
  { file, sentence, isWarning }: ReportEntry,
  texts: ReadonlyMap<string, string>,
): LintProblem {
  const text = file === null ? undefined : texts.get(file)
  const path = pathOf(sentence)
  const own = isWarning ? "warning" : severity
  if (path === null || text === undefined)
    return { file, line: null, path: null, problem: sentence, severity: own }
  const problem = sentence.slice(path.length + 2)
  return { file, line: lineOf(text, path), path, problem, severity: own }
}

function byPosition(one: LintProblem, other: LintProblem): number {
  const [first, second] = [one.file ?? "", other.file ?? ""]
  if (first !== second) return first < second ? -1 : 1
  return (one.line ?? 0) - (other.line ?? 0)
}
