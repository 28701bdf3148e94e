/**
 * Markup: a text that is printed without escaping, as FreeMarker's markup output values. It comes
 * from `?html`, `?esc` and `?no_esc`, in JSON from `?json_string`, and remains markup when it is
 * trimmed, joined or replaced in, so that nothing is escaped twice.
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

/** For the inside of a JSON string. */
export const escapeJson: Escape = (text) => JSON.stringify(text).slice(1, -1)

/** How values are printed; null: as they are. */
export interface OutputFormat {
  readonly escape: Escape
  /** JSON, of which values are escaped inside of strings only. */
  readonly isJson: boolean
}

export const htmlFormat: OutputFormat = { escape: escapeHtml, isJson: false }
export const jsonFormat: OutputFormat = { escape: escapeJson, isJson: true }
