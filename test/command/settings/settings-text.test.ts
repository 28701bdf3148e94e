import assert from "node:assert/strict"
import { test } from "node:test"
import { settingsText } from "../../../src/command/settings/settings-text.ts"
import { templateText } from "../../../src/command/settings/template-text.ts"
import { parseConfigLines } from "../../../src/config/config-file.ts"
import { parseConfig } from "../../../src/config/config.ts"
import { inputList, settingList } from "../../../src/config/settings.ts"
import { plentyOfMemory } from "../../support/machine/memory-limit.ts"

const conf = "/etc/tidegauge.conf"

function readText(text: string, env: Record<string, string> = {}, memoryLimit = plentyOfMemory) {
  const readFile = () => ({ text, isOpenToAll: false })
  const outcome = parseConfig({
    options: new Map([["config", conf]]),
    env,
    readFile,
    cores: 4,
    memoryLimit,
  })
  assert.ok("config" in outcome, JSON.stringify(outcome))
  return outcome
}

const defaults = readText("").config

test("the template has each name once, in lines of at most 102 columns", () => {
  const text = templateText()
  for (const { name } of inputList) {
    const entries = text.split("\n").filter((line) => line.startsWith(`#${name} =`))
    assert.equal(entries.length, 1, name)
  }
  for (const line of text.split("\n")) assert.ok(line.length <= 102, line)
})

test("the template changes no setting, with its lines as comments and without", () => {
  const text = templateText()
  assert.deepEqual(readText(text).config, defaults)
  const active = text.replaceAll(/^#([a-z0-9-]+ = .+)$/gm, "$1")
  const { lines } = parseConfigLines(active)
  const withDefault = settingList.filter(({ fallback }) => fallback !== "")
  assert.deepEqual(
    lines.map(({ name }) => name),
    withDefault.map(({ name }) => name),
  )
  assert.deepEqual(readText(active).config, defaults)
})

test("each setting is printed with value and source, a secret without its value", () => {
  const key = "0123456789abcdef0123456789abcdef"
  const text = settingsText(readText(`port = 9000\napi-key = ${key}`, { TIDEGAUGE_HOST: "::1" }))
  const [table = ""] = text.split("\n\n")
  const rows = table.split("\n").map((line) => line.split(/ {2,}/))
  const f = (name: string, value: string, from: string) =>
    assert.deepEqual(
      rows.find((row) => row[0] === name),
      [name, value, from],
    )

  f("setting", "value", "from")
  f("port", "9000", `${conf}:1`)
  f("api-key", "(secret)", `${conf}:2`)
  f("host", "::1", "TIDEGAUGE_HOST")
  f("data", "data/store", "default")
  f("admin-password", "(made at the first start)", "default")
  f("workers", "3", "default")
  assert.equal(rows.length, settingList.length + 1)
  assert.ok(!text.includes(key))
  assert.match(settingsText(readText("retention-zero = P1D")), /\n\nRetention of ZERO is 15 days/)
})

test("below the table stands the memory plan; what it chose is marked", () => {
  const memoryLimit = { bytes: 512 * 1024 ** 2, source: "/sys/fs/cgroup/memory.max" }
  const text = settingsText(readText("queue-limit = 30MiB", {}, memoryLimit))
  assert.match(text, /\n\nMemory: 512MiB, \/sys\/fs\/cgroup\/memory\.max\. At most:\n/)
  assert.match(text, /\n  page cache, kernel +64MiB\n/)
  assert.match(text, /\nqueue-limit +30MiB +\/etc\/tidegauge\.conf:1\n/)
  assert.match(text, /\nanswers-limit +\d+MiB +memory\n/)
  assert.match(text, /\nworkers +1 +memory\n/)
})
