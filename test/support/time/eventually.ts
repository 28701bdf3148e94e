/** Waits for a condition by asking again and again. */

import { setTimeout as wait } from "node:timers/promises"

/** A machine that runs many tests concurrently is slow: 30 s, and the time of the answers. */
const turnsMax = 3_000

export async function eventually(condition: () => Promise<boolean> | boolean): Promise<void> {
  await answerOnce(condition, (isTrue) => isTrue)
}

/** The first answer that is as wanted; the error has the last one. */
export async function answerOnce<Answer>(
  ask: () => Promise<Answer> | Answer,
  isWanted: (answer: Answer) => boolean,
): Promise<Answer> {
  for (let turn = 0; ; turn++) {
    const answer = await ask()
    if (isWanted(answer)) return answer
    if (turn === turnsMax) throw new Error(`Expected another answer, got ${JSON.stringify(answer)}`)
    await wait(10)
  }
}
