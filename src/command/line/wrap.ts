/** Texts in lines of a bounded width. */

const columnsMax = 100

/**
 * `words` behind `head`, broken at spaces into lines of at most 100 columns; further lines are
 * indented by the width of `head`.
 */
export function wrapped(head: string, words: string): string[] {
  const lines: string[] = []
  const indent = " ".repeat(head.length)
  let line = head
  let isEmpty = true
  for (const word of words.split(" ")) {
    if (!isEmpty && line.length + 1 + word.length > columnsMax) {
      lines.push(line)
      line = indent
      isEmpty = true
    }
    line += isEmpty ? word : ` ${word}`
    isEmpty = false
  }
  return [...lines, line]
}
