/**
 * The grammar of the configuration file, pure. A file is lines:
 *
 *   # comment          a line whose first character is #, blanks before it aside
 *   name = value       blanks around name and value do not count
 *   name = " value "   quotes keep blanks, a # behind a blank, and quotes at both ends
 *
 * The value is the text between the quotes or blanks as it is: there are no escapes, and a value
 * has one line. A # behind a blank is refused without quotes, since many take it for a comment.
 */

/** A value that a file gives. */
export interface ConfigLine {
  readonly name: string
  readonly text: string
  /** From 1. */
  readonly line: number
}

export interface ConfigLines {
  readonly lines: readonly ConfigLine[]
  /** One sentence each, with its line; never with a value. */
  readonly problems: readonly { readonly line: number; readonly problem: string }[]
}

/** A byte order mark, which some editors put before the first line. */
const byteOrderMark = "\ufeff"

/** Parses the text of a file; which names there are is not its concern. */
export function parseConfigLines(text: string): ConfigLines {
  const lines: ConfigLine[] = []
  const problems: { line: number; problem: string }[] = []
  const body = text.startsWith(byteOrderMark) ? text.slice(1) : text
  for (const [index, raw] of body.split("\n").entries()) {
    const content = raw.trim()
    if (content === "" || content.startsWith("#")) continue
    const line = index + 1
    const parsed = parseLine(content)
    if ("problem" in parsed) problems.push({ line, ...parsed })
    else lines.push({ line, ...parsed })
  }
  return { lines, problems }
}

function parseLine(content: string): { name: string; text: string } | { problem: string } {
  const equals = content.indexOf("=")
  const name = content.slice(0, Math.max(0, equals)).trim()
  if (name === "") return { problem: "expected name = value" }
  const value = content.slice(equals + 1).trim()
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"')
  if (!isQuoted && hashBehindBlank.test(value)) {
    return { problem: "put the comment on a line of its own, or the value into quotes" }
  }
  return { name, text: isQuoted ? value.slice(1, -1) : value }
}

const hashBehindBlank = /\s#/

/** The line that gives `text` to `name`; `text` has no line feed. */
export function configLine(name: string, text: string): string {
  const needsQuotes =
    text.trim() !== text || hashBehindBlank.test(` ${text}`) || /^".*"$/s.test(text) || text === ""
  return needsQuotes ? `${name} = "${text}"` : `${name} = ${text}`
}
