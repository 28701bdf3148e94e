/** The answer of `/elements/{id}/relationships`, a graph in JSON Graph Format. */

import { encodeJson } from "./json.ts"

export interface RelationshipsResult {
  /** The element that was asked for, and those around it. */
  readonly nodes: readonly {
    readonly id: string
    readonly fqn: string
    readonly name: string
    readonly type: string
  }[]
  /** `source` is a member of `target`. */
  readonly edges: readonly { readonly source: string; readonly target: string }[]
}

export function printRelationships({ nodes, edges }: RelationshipsResult): Uint8Array {
  return encodeJson(
    JSON.stringify({
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
    }),
  )
}
