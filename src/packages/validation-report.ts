/** Findings: everything that is wrong with a package, each with its file and JSON path. */

import { ServiceError } from "../base/errors.ts"
import { Problems } from "../wire/problems.ts"
import { problemsMax } from "./limits.ts"

export interface ReportEntry {
  /** Name of the file within the package; null where it is about the whole. */
  readonly file: string | null
  /** What is wrong; where it is about a place in a JSON file, it begins with its path and ": ". */
  readonly sentence: string
  /** Whether an author is merely asked to look again. */
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

  /** For what may be meant as it is. */
  warn(file: string, sentence: string): void {
    const warnings = this.entries.length - Math.min(this.problems, problemsMax)
    if (warnings < problemsMax) this.entries.push({ file, sentence, isWarning: true })
  }

  /** Throws `invalid` with one sentence a finding, where there is one that is no warning. */
  throwIfAny(): void {
    const problems = new Problems()
    for (const finding of this.entries) if (!finding.isWarning) problems.add(entryText(finding))
    problems.throwIfAny()
  }
}

export function entryText({ file, sentence }: ReportEntry): string {
  return file === null ? sentence : `${file}: ${sentence}`
}

/** The JSON path at the beginning of a sentence; null where it has none. */
export function pathOf(sentence: string): string | null {
  return /^([^\s:]+): /.exec(sentence)?.[1] ?? null
}

/** What `read` gives, or null where it throws `invalid`, which is then found in that file. */
export function readOrReport<Result>(
  file: string,
  findings: ValidationReport,
  read: () => Result,
): Result | null {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "invalid") throw error
    findings.addAll(file, error.problems)
    return null
  }
}
