/** The answer of `/elements/{id}/relationships`, a graph in JSON Graph Format. */

import { anything, constant, listOf, mapOf, orNull, record, text, uuid } from "../answer.ts"
import type { JsonText } from "../json.ts"

const metadata = mapOf(anything)

export const relationshipsAnswer = record({
  relationships: record({
    type: orNull(text),
    label: orNull(text),
    directed: constant(true),
    nodes: listOf(record({ id: uuid, label: text, type: text, metadata: record({ fqn: text }) })),
    edges: listOf(
      record({
        source: uuid,
        relation: text,
        target: uuid,
        directed: constant(true),
        metadata,
      }),
    ),
    metadata,
  }),
})

export interface RelationshipsResult {
  /** The requested element, and those related to it. */
  readonly nodes: readonly {
    readonly id: string
    readonly fqn: string
    readonly name: string
    readonly type: string
  }[]
  /** `source` is a member of `target`. */
  readonly edges: readonly { readonly source: string; readonly target: string }[]
}

export function printRelationships({ nodes, edges }: RelationshipsResult): JsonText {
  return JSON.stringify({
    relationships: {
      type: null,
      label: null,
      directed: true,
      nodes: nodes.map(({ id, fqn, name, type }) => ({
        id,
        label: name,
        type,
        metadata: { fqn },
      })),
      edges: edges.map(({ source, target }) => ({
        source,
        relation: "member of",
        target,
        directed: true,
        metadata: {},
      })),
      metadata: {},
    },
  })
}
