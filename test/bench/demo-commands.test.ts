import assert from "node:assert/strict"
import { test } from "node:test"
import { demoCommands, readDemoArguments } from "../../bench/demo/demo-commands.ts"
import { lineIn, problemsIn } from "../support/project/command-line.ts"

const read = (argv: readonly string[], env: Readonly<Record<string, string>>) =>
  readDemoArguments(lineIn(demoCommands, "demo", ...argv).options, env)

const env = {
  TIDEGAUGE_ADMIN_EMAIL: "a@example.com",
  TIDEGAUGE_ADMIN_PASSWORD: "from the variable",
  TIDEGAUGE_API_KEY: "k".repeat(32),
}

test("without arguments the demonstration uses a server of its own, whatever the variables", () => {
  assert.deepEqual(read([], {}), { ownServer: true })
  assert.deepEqual(read([], env), { ownServer: true })
})

test("a running server is named by --url; what no flag says comes from variables", () => {
  const argv = ["--url", "http://127.0.0.1:8080/", "--password=from the flag"]
  assert.deepEqual(read(argv, env), {
    address: {
      url: "http://127.0.0.1:8080",
      user: "a@example.com",
      password: "from the flag",
      apiKey: "k".repeat(32),
    },
  })
})

test("invalid options are reported without repeating their values", () => {
  const f = (argv: string[], want: RegExp) => {
    const outcome = read(argv, {})
    assert.ok("problem" in outcome, argv.join(" "))
    assert.match(outcome.problem, want)
    assert.doesNotMatch(outcome.problem, /secret/)
  }

  f(["--url", "127.0.0.1:8080"], /expected http/)
  f(["--url", "http://x"], /--url needs --user or TIDEGAUGE_ADMIN_EMAIL/)
  f(["--password", "secret"], /--password needs --url/)
  assert.deepEqual(problemsIn(demoCommands, "demo", "--url"), ["--url needs a value"])
  assert.match(
    problemsIn(demoCommands, "demo", "--user", "a", "secret").join(),
    /^Argument 4 is too much/,
  )
})

test("with --serve a fleet is asked for that stays, on a port of its own", () => {
  const usual = { days: 14, elements: 24, metrics: 12, folder: null, port: 8080 }
  assert.deepEqual(read(["--serve"], {}), { serve: usual })
  const argv = ["--serve", "--port=0", "--days=1", "--elements=3", "--metrics=8", "--data=here"]
  const small = { days: 1, elements: 3, metrics: 8, folder: "here", port: 0 }
  assert.deepEqual(read(argv, {}), { serve: small })
  for (const [bad, want] of [
    ["--clock=2026-01-05T00:00:00Z", /--clock cannot stand beside --serve/],
    ["--days=15", /--days: expected a number from 0.5 to 14/],
    ["--url=http://x", /--url cannot stand beside --serve/],
    ["--port=70000", /--port: expected a number from 0 to 65535/],
    ["--metrics=2", /--metrics: expected a number from 8 to 25/],
  ] as const) {
    const outcome = read(["--serve", bad], {})
    assert.match("problem" in outcome ? outcome.problem : "", want)
  }
})

test("with --clock a fleet is asked for, of bounded size", () => {
  const clock = "2026-01-05T00:00:00Z,x300"
  const time = { startMs: Date.UTC(2026, 0, 5), speed: 300, endMs: Infinity }
  const usual = { time, days: 14, elements: 40, metrics: 25, folder: null }
  assert.deepEqual(read(["--clock", clock], {}), { fleet: usual })
  const argv = ["--clock", clock, "--days=8.5", "--elements=3", "--metrics=8", "--data=here"]
  const small = { time, days: 8.5, elements: 3, metrics: 8, folder: "here" }
  assert.deepEqual(read(argv, {}), { fleet: small })
  const f = (argv: string[], want: RegExp) => {
    const outcome = read(argv, {})
    assert.match("problem" in outcome ? outcome.problem : "", want)
  }
  f(["--clock", "noon"], /^--clock: expected a start and a speed/)
  f(["--clock", `${clock},2026-01-19T00:00:00Z`], /^--clock: expected a start and a speed/)
  f(["--clock", clock, "--days", "8"], /^--days: expected a number from 8\.5 to 14/)
  f(["--clock", clock, "--days", "14.5"], /^--days: expected/)
  f(["--clock", clock, "--elements", "2.5"], /^--elements: expected a number from 3 to 256/)
  f(["--clock", clock, "--metrics", "7"], /^--metrics: expected a number from 8 to 25/)
  f(["--clock", clock, "--url", "http://a"], /^--url cannot stand beside --clock/)
  f(["--days", "9"], /^--days needs --clock or --serve beside it/)
})
