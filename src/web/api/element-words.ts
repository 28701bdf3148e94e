/** Words of requests about elements, and their tags. */

/** Levels by their numbers in answers (spec/search §3). */
export const levels = ["ok", "info", "warning", "critical", "noData", "maintenance"] as const
export type Level = (typeof levels)[number]

/** From the worst level to the best: wrong, out of the ordinary, right. */
export const levelsFromWorst: readonly Level[] = [
  "critical",
  "warning",
  "info",
  "noData",
  "maintenance",
  "ok",
]

/** Type of the element that is the server itself, which watches itself. */
export const ownType = "TIDEGAUGE"

/** The order of elements (spec/queries §1). */
export interface ElementSort {
  readonly field: string
  /** Of a metric: what is compared of its values in a window of ISO times. */
  readonly by?: "avg" | "p95"
  readonly startTime?: string
  readonly endTime?: string
}

type NameValue = Readonly<Record<"name" | "value", string>>
type TextMap = Readonly<Record<string, string>>

export interface ElementTag extends NameValue {
  /** Set by people, who can remove it. */
  readonly isOwn: boolean
}

/** The tags in an answer; those that people set have one of two names. */
interface TagAnswer {
  readonly tags: readonly NameValue[]
  readonly serviceTags?: TextMap | undefined
  readonly netuitiveTags?: TextMap | undefined
}

/** Lists the names of the checks, as a tag that no filter finds. */
const checksTag = "n.checks"

/**
 * The tags that the filter term `tag.NAME` finds: if a collector posts a tag that people set to
 * another value, both are found. Those that people set are first.
 */
export function joinedTags({ tags, serviceTags, netuitiveTags }: TagAnswer): ElementTag[] {
  const own = Object.entries(serviceTags ?? netuitiveTags ?? {})
    .filter(([name]) => name !== checksTag)
    .map(([name, value]) => ({ name, value, isOwn: true }))
  const isOwn = (tag: NameValue) =>
    own.some(({ name, value }) => name === tag.name && value === tag.value)
  return [...own, ...tags.filter((tag) => !isOwn(tag)).map((tag) => ({ ...tag, isOwn: false }))]
}

/** `env:prod`, as people read and search it; `canary` if it has no value. */
export const tagText = ({ name, value }: NameValue): string =>
  value === "" ? name : `${name}:${value}`
