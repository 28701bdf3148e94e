/** A tour of README.md: its lines, pasted one after the other into one shell. */

import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import type { Client } from "../server/client.ts"
import { fences } from "./markdown.ts"
import { rootFolder } from "../project-paths.ts"
import { adminPassword } from "../server/server.ts"

export interface Step {
  readonly command: string
  /** The output that the page shows below the command; `…` matches anything. */
  readonly shown: string | undefined
}

export interface Outcome {
  readonly status: number
  readonly output: string
}

/** The reader's own values, which are ours here. */
const ownVariable = /^(url|key|login|archive)=/

/** A command goes on in lines that are indented. */
const commandsOf = (block: string) =>
  block.split(/\n(?!\s)/).filter((command) => command !== "" && !ownVariable.test(command))

/** The contents of a block without a language belong to the last command before it. */
export function stepsOf(markdown: string): Step[] {
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

export function patternOf(shown: string): RegExp {
  const literal = (part: string) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
  return new RegExp(`^${unbroken(shown).split("…").map(literal).join(".*?")}$`, "s")
}

/** curl exits with this if the HTTP status is a refusal. */
export const curlRefused = 22

const isRefusal = (shown: string | undefined) => /^\{"status":[45]\d\d,/.test(shown ?? "")

/** Separates the output of one command from the next. */
const mark = "\u001e"

interface ShellOptions {
  /** In addition to the environment of the tests. */
  readonly env?: Readonly<Record<string, string>>
  /** Lines before the first command. */
  readonly setup?: readonly string[]
}

export const quoted = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`

/** One shell for all commands, since the page sets variables. */
export async function runAll(
  commands: readonly string[],
  client: Client,
  { env = {}, setup = [] }: ShellOptions = {},
): Promise<Outcome[]> {
  const script = [
    "set -o pipefail",
    `curl() { command curl -sS --noproxy '*' --fail-with-body "$@"; }`,
    `url=${quoted(client.url)} key=${quoted(client.apiKey)}`,
    `login=${quoted(`${client.user}:${adminPassword}`)}`,
    ...setup,
    ...commands.map((command) => `${command}\nprintf '${mark}%s${mark}' $?`),
  ].join("\n")
  const shell = spawn("bash", ["-s"], {
    cwd: rootFolder,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  })
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

/** Runs all steps; each must succeed, or be refused as the page shows, with the output shown. */
export async function assertTour(
  steps: readonly Step[],
  client: Client,
  options?: ShellOptions,
): Promise<void> {
  const commands = steps.map(({ command }) => command)
  const outcomes = await runAll(commands, client, options)
  for (const [i, { command, shown }] of steps.entries()) {
    const { status, output } = outcomes[i]!
    assert.equal(status, isRefusal(shown) ? curlRefused : 0, `${command}\n${output}`)
    if (shown !== undefined) assert.match(unbroken(output), patternOf(shown), command)
  }
}
