/** Parsing of the project's Markdown pages. */

/** The text from the heading that matches to the next one of the same or a higher level. */
export function section(markdown: string, heading: RegExp): string {
  const lines = markdown.split("\n")
  const start = lines.findIndex((line) => /^#+ /.test(line) && heading.test(line))
  if (start < 0) return ""
  const level = /^#+/.exec(lines[start]!)![0].length
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => (/^(#+) /.exec(line)?.[1]!.length ?? 99) <= level)
  return rest.slice(0, end < 0 ? rest.length : end).join("\n")
}

/** Cells of the table rows of a Markdown text, without the code quotes around them. */
export function tableRows(markdown: string): string[][] {
  return markdown
    .split("\n")
    .filter((line) => /^\s*\|.*\|\s*$/.test(line) && !/^[\s|:-]+$/.test(line))
    .map((line) => line.split("|").slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim().replaceAll("`", "")))
}

export interface Fence {
  /** The word behind the opening quotes; empty if there is none. */
  readonly language: string
  readonly text: string
}

/** The fenced blocks, in order. */
export function fences(markdown: string): Fence[] {
  const form = /^```(\w*)\n(.*?)^```$/gms
  return [...markdown.matchAll(form)].map(([, language, text]) => ({
    language: language!,
    text: text!.trimEnd(),
  }))
}
