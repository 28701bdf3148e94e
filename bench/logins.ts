/**
 * Logins under a flood: `npm run bench:logins [-- seconds]`. Prints how long right logins and posts
 * take; status 1 if a right login was refused or took more than 2 s, or the median of posts more
 * than doubled.
 */

import { loginFlood, quantile } from "./login-flood.ts"
import { markdownTable } from "./table.ts"

const loginMsMax = 2_000
const postRatioMax = 2

const seconds = Number(process.argv[2] ?? 30)
const figures = await loginFlood(seconds)
const { quietPostsMs, floodPostsMs, loginsMs, refusedLogins, guesses } = figures
const row = (what: string, values: readonly number[]): string[] => [
  what,
  String(values.length),
  ...[0.5, 0.99, 1].map((part) => quantile(values, part).toFixed(1)),
]
console.log(
  markdownTable(
    ["what", "count", "p50 ms", "p99 ms", "most ms"],
    [
      row("posts, quiet", quietPostsMs),
      row("posts in the flood", floodPostsMs),
      row("right first logins in the flood", loginsMs),
    ],
  ),
)
const answered = [...guesses].map(([status, count]) => `${count} × ${status}`).join(", ")
console.log(`guesses in ${seconds + 2} s: ${answered}; right logins refused: ${refusedLogins}`)
const ratio = quantile(floodPostsMs, 0.5) / quantile(quietPostsMs, 0.5)
const isKept = refusedLogins === 0 && quantile(loginsMs, 1) <= loginMsMax && ratio <= postRatioMax
console.log(`${isKept ? "kept" : "BROKEN"}: posts take ${ratio.toFixed(2)} × their quiet median`)
process.exitCode = isKept ? 0 : 1
