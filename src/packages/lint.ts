/**
 * The linter for authors of packages: all problems that prevent an installation, and more.
 *
 * Two rules differ from those of the real service's tool (spec/packages §5). It required the
 * community's repository in `manifest.distro.download`; here any address is accepted. It required a
 * type in the scope of every policy; here a policy without any scope is only a warning, because the
 * community's global package means all elements by it.
 */

import { runSync } from "../base/cooperative.ts"
import { layoutProblems } from "./layout.ts"
import { readContent, withoutTopFolder, type ValidateConfiguration } from "./content.ts"
import { ValidationReport, pathOf, type ReportEntry } from "./validation-report.ts"
import { jsonOf, decodeText } from "./json-file.ts"
import { jsonProblems, lineOf } from "./json-position.ts"
import { assetKinds, type PackageManifest } from "./manifest.ts"
import type { ArchiveFiles } from "./unzip.ts"

export interface LintProblem {
  /** Path of the file; null if the problem concerns the whole package. */
  readonly file: string | null
  /** From 1; null if the problem has no line. */
  readonly line: number | null
  /** JSON path; null if the problem does not concern a JSON value. */
  readonly path: string | null
  readonly problem: string
  /** Errors prevent an installation, or make it useless; warnings may be intended. */
  readonly severity: "error" | "warning"
}

const severity = "error" as const

/** All problems of a package, by file and line. A package without errors can be installed. */
export function lintPackage(archive: ArchiveFiles, validate: ValidateConfiguration): LintProblem[] {
  const files = withoutTopFolder(archive)
  const texts = new Map<string, string>()
  const problems: LintProblem[] = []
  for (const name of files.keys()) {
    if (!name.endsWith(".json")) continue
    try {
      texts.set(name, decodeText(files.get(name)!))
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
  const report = new ValidationReport()
  const content = runSync(readContent(files, validate, report))
  if (content !== null) {
    validateLists(files, content.manifest, report)
    for (const { file } of content.policies) validateScope(file, texts.get(file), report)
    for (const { file, content: dashboard } of content.dashboards) {
      report.addAll(file, layoutProblems(dashboard))
    }
  }
  const isListed = namesOf(content?.manifest)
  for (const [file, text] of texts) {
    if (!isListed(file)) continue
    for (const one of jsonProblems(text)) problems.push({ file, severity, ...one })
  }
  // Syntax errors are reported with their lines already.
  const isReported = ({ file, sentence }: ReportEntry) =>
    sentence.startsWith("expected JSON: ") && problems.some((one) => one.file === file)
  const located = report.entries.filter((one) => !isReported(one)).map((one) => locate(one, texts))
  return [...problems, ...located].sort(byPosition)
}

function namesOf(manifest: PackageManifest | undefined): (file: string) => boolean {
  if (manifest === undefined) return () => true
  const names = new Set(assetKinds.flatMap((kind) => manifest.files[kind]))
  return (file) => file === "package.json" || names.has(file)
}

/** Reports asset files that the manifest does not list. */
function validateLists(
  files: ArchiveFiles,
  manifest: PackageManifest,
  report: ValidationReport,
): void {
  for (const kind of assetKinds) {
    const listed = new Set(manifest.files[kind])
    for (const file of files.keys()) {
      if (file.startsWith(`${kind}/`) && file.endsWith(".json") && !listed.has(file)) {
        report.add(
          "package.json",
          `${kind}: expected every file of the folder, "${file}" is missing`,
        )
      }
    }
  }
}

/** Checks that a policy's scope has element types; `text` is that of a valid policy file. */
function validateScope(file: string, text: string | undefined, report: ValidationReport): void {
  if (text === undefined) return
  const { policy } = jsonOf(text) as {
    policy: { scope?: Readonly<Record<string, unknown>> | null }
  }
  const { scope } = policy
  if (scope === undefined || scope === null) {
    report.warn(file, "policy.scope: got none, so the policy watches all elements")
    return
  }
  const types = [scope["elementType"], scope["elementTypes"]].flat()
  if (types.some((type) => typeof type === "string" && type !== "")) return
  report.add(file, "policy.scope: expected elementType or elementTypes, got neither")
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
