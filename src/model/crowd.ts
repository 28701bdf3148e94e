/** A series that has as many samples of a cycle as it may have, as its block has very many. */

export interface Crowd {
  readonly series: number
  /** Number of the five-minute cycle since the epoch. */
  readonly cycle: number
  /** How many the series may have of such a cycle. */
  readonly samplesMax: number
}
