/**
 * The chosen columns of the inventory in its address, after level and name:
 *
 *   cols=type,lastSeen,tag.env,attr.cpus,metric.cpu.total
 */

import { listParameter, type Parameter } from "../../url/parameters.ts"

export const plainColumns = [
  "type",
  "alerts",
  "collected",
  "lastSeen",
  "created",
  "location",
  "tags",
] as const
export type PlainColumn = (typeof plainColumns)[number]

/** Columns with a name that people choose. */
export const keyedKinds = ["tag", "attr", "metric"] as const
export type KeyedKind = (typeof keyedKinds)[number]

export type ColumnChoice =
  | { readonly kind: "plain"; readonly name: PlainColumn }
  | { readonly kind: KeyedKind; readonly key: string }

/** More do not fit any window. */
const columnsMax = 16
/** Each is a value of every row in sight: 4 for 150 rows are 600 series of one call. */
const metricColumnsMax = 4
export const keyLengthMax = 512

export const defaultColumns: readonly ColumnChoice[] = (
  ["type", "alerts", "collected", "lastSeen", "location", "tags"] as const
).map((name) => ({ kind: "plain", name }))

const list = listParameter()

export const columnsParameter: Parameter<readonly ColumnChoice[]> = {
  fallback: defaultColumns,
  parse(text) {
    const texts = list.parse(text) ?? []
    const choices = texts.map(readColumn)
    const isKnown = (one: ColumnChoice | undefined): one is ColumnChoice => one !== undefined
    if (!choices.every(isKnown) || new Set(texts).size < texts.length) return undefined
    return choices.length <= columnsMax && metricsOf(choices).length <= metricColumnsMax
      ? choices
      : undefined
  },
  print: (choices) => list.print(choices.map(columnText)),
}

/** The text of a column, also its key. */
export function columnText(choice: ColumnChoice): string {
  return choice.kind === "plain" ? choice.name : `${choice.kind}.${choice.key}`
}

/** With one more: a metric is next to the name, as it is what one looks at. */
export function withColumn(
  choices: readonly ColumnChoice[],
  added: ColumnChoice,
): readonly ColumnChoice[] {
  return added.kind === "metric" ? [added, ...choices] : [...choices, added]
}

/** FQNs of the metrics with a column. */
export function metricsOf(choices: readonly ColumnChoice[]): readonly string[] {
  return choices.flatMap((one) => (one.kind === "metric" ? [one.key] : []))
}

function readColumn(text: string): ColumnChoice | undefined {
  const plain = plainColumns.find((name) => name === text)
  if (plain !== undefined) return { kind: "plain", name: plain }
  const kind = keyedKinds.find((one) => text.startsWith(`${one}.`))
  const key = text.slice((kind?.length ?? 0) + 1)
  if (kind === undefined || key === "" || key.length > keyLengthMax) return undefined
  return { kind, key }
}
