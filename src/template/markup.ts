/**
 * Markup: a text that is printed without escaping, as FreeMarker's markup output values. It comes
 * from `?html`, `?esc` and `?no_esc`, and remains markup when it is trimmed, joined or replaced in,
 * so that nothing is escaped twice.
 */

export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** For a list or map that contains markup. */
  toJSON(): string {
    return this.text
  }
}

/** Escapes a text so that the output format renders it literally. */
export type Escape = (text: string) => string

const htmlEntities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** For the text of elements and for values of attributes in quotes. */
export const escapeHtml: Escape = (text) => text.replace(/[&<>"']/g, (one) => htmlEntities[one]!)
