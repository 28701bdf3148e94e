/** The columns of the catalogue that list groups filter by. */

import type { ListColumn } from "../wire/list-group.ts"
import type { Reader } from "./reader.ts"

/** What a column is a column of: a test of it need run once per such thing, not once per metric. */
export const subjects = ["name", "definition", "element", "series"] as const
export type Subject = (typeof subjects)[number]

interface Column {
  readonly of: Subject
  readonly text: (reader: Reader, index: number) => string
}

const metricFqn: Column = {
  of: "name",
  text: ({ store }, name) => store.catalogue.name(name).fqn,
}

export const columns = {
  metricFqns: metricFqn,
  /** A metric shows its FQN as its name (metric document). */
  metricNames: metricFqn,
  metricTypes: {
    of: "definition",
    text: ({ store }, definition) => store.catalogue.definition(definition).type,
  },
  metricUnits: {
    of: "definition",
    text: ({ store }, definition) => store.catalogue.definition(definition).unit,
  },
  elementTypes: {
    of: "element",
    text: ({ store }, element) => store.catalogue.elementInfo(element).type,
  },
  elementNames: {
    of: "element",
    text: ({ store }, element) => store.catalogue.elementInfo(element).name,
  },
  elementFqns: {
    of: "element",
    text: ({ store }, element) => store.catalogue.elementFqn(element),
  },
  elementIds: {
    of: "element",
    text: ({ identity }, element) => identity.elementId(element),
  },
  metricIds: {
    of: "series",
    text: ({ identity }, series) => identity.computeMetricId(series),
  },
} as const satisfies Record<ListColumn, Column>
