/** Reads the body of an answer as it comes. */

/** Calls back with each piece of text; resolves at the end. Rejects if the connection breaks. */
export async function readPieces(response: Response, onText: (text: string) => void) {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  const decoder = new TextDecoder()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onText(decoder.decode(value, { stream: true }))
  }
}
