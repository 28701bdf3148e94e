/** Fields of CSV (RFC 4180). */

/**
 * A field, between quotes if it needs them.
 *
 * @example
 * assert.equal(csvField('say "a, b"'), '"say ""a, b"""')
 */
export function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
