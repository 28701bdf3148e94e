/** Strings of JSON that is printed piece by piece. */

export class JsonStrings {
  private isIn = false
  private isEscaped = false
  private isOpenedByTemplate = false

  /** Whether what is printed next belongs to a string. */
  get isInside(): boolean {
    return this.isIn
  }

  /** Whether the open string began in an interpolation, so that one may end it, too. */
  get isOpenedByValue(): boolean {
    return this.isIn && !this.isOpenedByTemplate
  }

  /** Follows a printed piece: of the template itself, or of an interpolation. */
  follow(text: string, isTemplate: boolean): void {
    for (const one of text) {
      if (this.isEscaped) this.isEscaped = false
      else if (this.isIn && one === "\\") this.isEscaped = true
      else if (one === '"') {
        this.isIn = !this.isIn
        this.isOpenedByTemplate = isTemplate
      }
    }
  }
}
