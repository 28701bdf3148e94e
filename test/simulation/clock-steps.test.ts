import { test } from "node:test"
import { sized } from "../support/run/sizes.ts"
import { allClockSteps, runClockSteps } from "./clock-steps.ts"

/** `bench/faults/clocks.ts` runs all of them. */
const isTried = sized({ quick: (at: number) => at % 5 === 0, long: () => true })

test("a clock that is wrong for a while stops no policy, check or message", async () => {
  for (const steps of allClockSteps.filter((_, at) => isTried(at))) await runClockSteps(steps)
})
