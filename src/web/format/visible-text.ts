/** Texts of users and collectors as they are shown: characters that cannot be seen are named. */

/** Control characters, and format characters such as U+202E, which turns the text after it round. */
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** `a⟨U+202E⟩b` for a text with an invisible character; joiners within emoji stay. */
export function visibleText(given: string): string {
  return given.replace(unseen, (char, at: number) => {
    const isJoiner = char === "\u200d" && at > 0
    const isBetweenPictures = isJoiner && /^\p{Extended_Pictographic}/u.test(given.slice(at + 1))
    if (isBetweenPictures) return char
    return `⟨U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟩`
  })
}
