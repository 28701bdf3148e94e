/** Files that the browser saves. */

/** Characters that a file system refuses, or that hide what a file is. */
const forbidden = /[\\/:*?"<>|\p{Cc}\p{Cf}]/gu

/** Offers a file to save under a name of which forbidden characters are replaced. */
export function saveFile(name: string, contents: Blob): void {
  const link = document.createElement("a")
  const url = URL.createObjectURL(contents)
  link.href = url
  link.download = name.replace(forbidden, "_").slice(0, 120)
  link.click()
  URL.revokeObjectURL(url)
}
