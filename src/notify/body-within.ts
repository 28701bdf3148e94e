/** Bodies that keep a limit of bytes. */

/**
 * The first of `bodyOf(charactersMax)`, `bodyOf(charactersMax / 2)` and so on whose JSON has
 * `bytesMax` bytes or fewer: a limit of a whole body, kept by its long texts. With 0 it must fit.
 */
export function bodyWithin<Body>(
  bytesMax: number,
  charactersMax: number,
  bodyOf: (charactersMax: number) => Body,
): Body {
  for (let characters = charactersMax; ; characters = Math.floor(characters / 2)) {
    const body = bodyOf(characters)
    if (characters === 0 || Buffer.byteLength(JSON.stringify(body)) <= bytesMax) return body
  }
}
