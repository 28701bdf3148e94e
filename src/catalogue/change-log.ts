/** Changes of a catalogue that are not stored yet, and the numbers that it has assigned. */

import type { ElementIndex } from "../model/ids.ts"

/** Changes since the last `markStored`: indexes, not contents. */
export interface CatalogueChanges {
  /** Elements that are new or forgotten, have a changed info, or other or changed metrics. */
  readonly elements: readonly ElementIndex[]
  /** Names and definitions from these indexes on are new. */
  readonly firstName: number
  readonly firstDefinition: number
}

/** Numbers assigned so far, of each kind; none is ever assigned again. */
export interface CatalogueNumbers {
  readonly elements: number
  readonly names: number
  readonly definitions: number
  readonly series: number
  readonly partitions: number
}

/** Numbers of names and definitions that no series uses. */
export interface UnusedNumbers {
  readonly names: readonly number[]
  readonly definitions: readonly number[]
}

export class ChangeLog {
  readonly elements = new Set<ElementIndex>()
  private names = 0
  private definitions = 0

  hasChanges(numbers: CatalogueNumbers): boolean {
    const { names, definitions } = numbers
    return this.elements.size > 0 || this.names < names || this.definitions < definitions
  }

  changes(): CatalogueChanges {
    const { names, definitions } = this
    return { elements: [...this.elements], firstName: names, firstDefinition: definitions }
  }

  markStored(numbers: CatalogueNumbers): void {
    this.elements.clear()
    this.markNumbersStored(numbers)
  }

  /** The same for names and definitions, which are loaded before elements. */
  markNumbersStored({ names, definitions }: CatalogueNumbers): void {
    this.names = names
    this.definitions = definitions
  }
}
