/**
 * Markup: text of a template that is printed as it is where everything else is escaped, as
 * FreeMarker's markup output values. It comes from `?html`, `?esc` and `?no_esc`, and stays markup
 * when it is trimmed, joined or replaced in, so that nothing is escaped twice.
 */

export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Inside of a list or map that is printed. */
  toJSON(): string {
    return this.text
  }
}

/** Makes any text one that a reader of the format takes literally. */
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
