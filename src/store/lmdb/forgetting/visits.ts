/** Visits of all that a catalogue has, in steps. */

import type { Catalogue } from "../../../catalogue/catalogue.ts"
import type { ElementIndex } from "../../../model/ids.ts"
import type { Job } from "../compaction/job.ts"
import type { BlockIndex } from "../disk/tables.ts"

/** Elements that a step visits, a microsecond each. */
const elementsPerStep = 1024

/** Visits each block, one a step. The catalogue may grow meanwhile. */
export function* visitBlocks(catalogue: Catalogue, visit: (block: BlockIndex) => void): Job {
  for (const name of catalogue.names()) {
    for (const block of catalogue.partitionsOfName(name)) {
      visit(block)
      yield
    }
  }
}

/** Visits each element, ascending; a visit that returns true ends the step. */
export function* visitElements(
  catalogue: Catalogue,
  visit: (element: ElementIndex) => boolean,
): Job {
  let visited = 0
  for (const element of catalogue.elements()) {
    const isStep = visit(element)
    if (isStep || ++visited % elementsPerStep === 0) yield
  }
}
