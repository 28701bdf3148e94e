/** The content of a compressed digest. */
export interface DigestState {
  /** Ascending; the first `length` are used. */
  readonly means: Float64Array
  readonly weights: Float64Array
  readonly length: number
  /** Sum of the weights. */
  readonly count: number
  readonly min: number
  readonly max: number
  readonly gridCode: number
}
