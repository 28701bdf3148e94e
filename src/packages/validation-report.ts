/** The validation report of a package: its problems and warnings, with file and JSON path. */

import { ServiceError } from "../base/errors.ts"
import { Problems } from "../wire/problems.ts"
import { problemsMax } from "./limits.ts"

export interface ReportEntry {
  /** Path of the file within the package; null if the entry concerns the whole. */
  readonly file: string | null
  /** The problem; begins with the JSON path and ": " if it concerns a value of a JSON file. */
  readonly sentence: string
  /** A warning does not prevent the installation. */
  readonly isWarning?: true
}

export class ValidationReport {
  readonly entries: ReportEntry[] = []

  private problems = 0

  add(file: string | null, sentence: string): void {
    if (this.problems++ < problemsMax) this.entries.push({ file, sentence })
  }

  addAll(file: string | null, sentences: Iterable<string>): void {
    for (const sentence of sentences) this.add(file, sentence)
  }

  /** Adds a warning, for something that may be intended. */
  warn(file: string, sentence: string): void {
    const warnings = this.entries.length - Math.min(this.problems, problemsMax)
    if (warnings < problemsMax) this.entries.push({ file, sentence, isWarning: true })
  }

  /** Throws `invalid` with one sentence per problem if there are problems besides warnings. */
  throwIfAny(): void {
    const problems = new Problems()
    for (const entry of this.entries) if (!entry.isWarning) problems.add(entryText(entry))
    problems.throwIfAny()
  }
}

export function entryText({ file, sentence }: ReportEntry): string {
  return file === null ? sentence : `${file}: ${sentence}`
}

/** The JSON path at the beginning of a sentence; null if it has none. */
export function pathOf(sentence: string): string | null {
  return /^([^\s:]+): /.exec(sentence)?.[1] ?? null
}

/** The result of `read`, or null if it throws `invalid`, whose problems are added to the report. */
export function readOrReport<Result>(
  file: string,
  report: ValidationReport,
  read: () => Result,
): Result | null {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "invalid") throw error
    report.addAll(file, error.problems)
    return null
  }
}
