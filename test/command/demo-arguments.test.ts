import assert from "node:assert/strict"
import { test } from "node:test"
import { readDemoArguments } from "../../src/command/demo-arguments.ts"

const env = {
  TIDEGAUGE_ADMIN_EMAIL: "a@example.com",
  TIDEGAUGE_ADMIN_PASSWORD: "from the variable",
  TIDEGAUGE_API_KEY: "k".repeat(32),
}

test("without arguments the demonstration uses a server of its own, whatever the variables", () => {
  assert.deepEqual(readDemoArguments([], {}), { ownServer: true })
  assert.deepEqual(readDemoArguments([], env), { ownServer: true })
})

test("a running server is named by --url; what no flag says comes from variables", () => {
  const argv = ["--url", "http://127.0.0.1:8080/", "--password=from the flag"]
  assert.deepEqual(readDemoArguments(argv, env), {
    address: {
      url: "http://127.0.0.1:8080",
      user: "a@example.com",
      password: "from the flag",
      apiKey: "k".repeat(32),
    },
  })
})

test("what cannot be taken is told without repeating values", () => {
  const f = (argv: string[], want: RegExp) => {
    const outcome = readDemoArguments(argv, {})
    assert.ok("problem" in outcome, argv.join(" "))
    assert.match(outcome.problem, want)
    assert.doesNotMatch(outcome.problem, /secret/)
  }

  f(["--url"], /--url needs a value/)
  f(["--url", "127.0.0.1:8080"], /expected http/)
  f(["--url", "http://x"], /--url needs --user or TIDEGAUGE_ADMIN_EMAIL/)
  f(["--password", "secret"], /--password needs --url/)
  f(["--port", "80"], /Argument 1 of demo: expected one of --url/)
  f(["--user", "a", "secret"], /Argument 3/)
  assert.ok("help" in readDemoArguments(["--help"], {}))
})
