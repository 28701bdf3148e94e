/** The shapes of an integer stream, as the low three bits of its first byte (integer-stream.ts). */

export const plain = 0
export const delta = 1
export const deltaDelta = 2
export const constantShape = 3
export const steps = 4
/** Added to one of the first three: values were divided by a common divisor. */
export const divided = 5
