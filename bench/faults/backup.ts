/**
 * A long backup run: `node --import tsx bench/faults/backup.ts [rounds] [seed]`. As the test of the
 * suite, six backups next to a writer a round, with one seed after the other.
 */

import { backupRun } from "../../test/store/lmdb/backup-run.ts"

const [roundsText = "100", seedText] = process.argv.slice(2)
const seed = Number(seedText ?? Date.now()) >>> 0

console.log(`${roundsText} rounds, seed ${seed}`)
for (let round = 0; round < Number(roundsText); round++) {
  const moments = await backupRun(seed + round)
  console.log(`seed ${seed + round}: ${moments.map(({ after }) => after).join(", ")} numbers`)
}
