/** The tour of README.md, pasted line by line into a shell. */

import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { test } from "node:test"
import type { Client } from "../support/client.ts"
import { fences, section } from "../support/markdown.ts"
import { adminEmail, adminPassword, apiKey, rootFolder, useServer } from "../support/server.ts"

interface Step {
  readonly command: string
  /** What the page shows below the command; `…` stands for anything. */
  readonly shown: string | undefined
}

interface Outcome {
  readonly status: number
  readonly output: string
}

/** The reader's own values, which are ours here. */
const ownVariable = /^(url|key|login)=/

/** A command goes on in lines that are indented. */
const commandsOf = (block: string) =>
  block.split(/\n(?!\s)/).filter((command) => command !== "" && !ownVariable.test(command))

/** What is shown in a block without a language belongs to the last command before it. */
function stepsOf(markdown: string): Step[] {
  const steps: Step[] = []
  for (const { language, text: block } of fences(markdown)) {
    if (language === "sh") {
      steps.push(...commandsOf(block).map((command) => ({ command, shown: undefined })))
    } else if (steps.length > 0) steps.push({ ...steps.pop()!, shown: block })
  }
  return steps
}

/** Lines are broken for the reader only. */
const unbroken = (shown: string) => shown.trim().replace(/\n\s*/g, "")

function patternOf(shown: string): RegExp {
  const literal = (part: string) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
  return new RegExp(`^${unbroken(shown).split("…").map(literal).join(".*?")}$`, "s")
}

/** A status of HTTP that stands for a refusal makes curl exit with this. */
const curlRefused = 22

const isRefusal = (shown: string | undefined) => /^\{"status":[45]\d\d,/.test(shown ?? "")

/** Stands between the output of one command and the next. */
const mark = "\u001e"

/** One shell for all commands, since the page sets variables. */
async function runAll(commands: readonly string[], client: Client): Promise<Outcome[]> {
  const quoted = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`
  const script = [
    "set -o pipefail",
    `curl() { command curl -sS --noproxy '*' --fail-with-body "$@"; }`,
    `url=${quoted(client.url)} key=${quoted(apiKey)}`,
    `login=${quoted(`${adminEmail}:${adminPassword}`)}`,
    ...commands.map((command) => `${command}\nprintf '${mark}%s${mark}' $?`),
  ].join("\n")
  const shell = spawn("bash", ["-s"], { cwd: rootFolder, stdio: ["pipe", "pipe", "pipe"] })
  shell.stdin.end(script)
  const [output, problems] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    once(shell, "close"),
  ])
  const parts = output.split(mark)
  assert.equal(parts.length, 2 * commands.length + 1, problems)
  return commands.map((_, i) => ({ status: Number(parts[2 * i + 1]), output: parts[2 * i]! }))
}

const page = section(readFileSync(join(rootFolder, "README.md"), "utf8"), /^## A first tour/)
const steps = stepsOf(page)
const client = useServer()

test("every line of the tour does what the page shows", async () => {
  assert.ok(steps.length > 15, `Expected a tour, found ${steps.length} lines`)
  const commands = steps.map(({ command }) => command)
  const outcomes = await runAll(commands, client())
  for (const [i, { command, shown }] of steps.entries()) {
    const { status, output } = outcomes[i]!
    assert.equal(status, isRefusal(shown) ? curlRefused : 0, `${command}\n${output}`)
    if (shown !== undefined) assert.match(unbroken(output), patternOf(shown), command)
  }
})

test("the tour sets the variables that its lines use", () => {
  const blocks = fences(page).filter(({ language }) => language === "sh")
  const set = blocks.flatMap(({ text: block }) =>
    [...block.matchAll(/^(\w+)=/gm)].map((match) => match[1]!),
  )
  const used = blocks.flatMap(({ text: block }) =>
    [...block.matchAll(/\$(\w+)/g)].map((match) => match[1]!),
  )
  assert.deepEqual(
    used.filter((name) => !set.includes(name)),
    [],
  )
})

test("a line that fails, or answers otherwise than shown, is noticed", async () => {
  const fence = "```"
  const lines = ["key=1", "curl -u $login \\", "  $url/nowhere", "curl $url/time"]
  const tour = stepsOf([`${fence}sh`, ...lines, fence, fence, "x…", fence].join("\n"))
  assert.deepEqual(
    tour.map(({ command }) => command),
    ["curl -u $login \\\n  $url/nowhere", "curl $url/time"],
  )
  assert.deepEqual(
    tour.map(({ shown }) => shown),
    [undefined, "x…"],
  )
  const [refused, answered] = await runAll(
    tour.map(({ command }) => command),
    client(),
  )
  assert.deepEqual([refused!.status, answered!.status], [curlRefused, 0])
  assert.match('{"a":1,"b":{}}', patternOf('{"a":…,\n "b":{}}'))
  assert.doesNotMatch('{"a":1,"c":{}}', patternOf('{"a":…,\n "b":{}}'))
})
