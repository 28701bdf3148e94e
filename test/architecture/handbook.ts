/**
 * The handbook (src/docs/) and its generated parts: between `<!-- generated: NAME -->` and
 * `<!-- end -->` a page holds what the code says. `npm run docs` writes them, a test compares them.
 */

import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { format } from "prettier"
import * as v from "valibot"
import { typedArgument } from "../../src/command/line/help.ts"
import { commandTable } from "../../src/command/command-table.ts"
import { isReloadable } from "../../src/config/reloadable.ts"
import {
  inputFallback,
  inputForm,
  inputMeaning,
  settingFlag,
  settingVariable,
} from "../../src/config/setting.ts"
import { inputList } from "../../src/config/settings.ts"
import { describedRoutes } from "../../src/http/api/routes/route-table.ts"
import type { Access, DescribedRoute, Method } from "../../src/http/shared/route.ts"
import {
  commonProperties,
  notificationProperties,
  type NotificationProperty,
} from "../../src/records/integrations/notification-properties.ts"
import { isSecret } from "../../src/records/secrets/secret-values.ts"
import type { Schema } from "../../src/wire/body.ts"
import { notificationTypes } from "../../src/wire/records/notification-body.ts"
import { sampleFieldsRecord } from "../../src/wire/statistics/samples-result.ts"
import { statisticsRecord } from "../../src/wire/statistics/statistics-result.ts"
import { snippets } from "../../src/web/pages/welcome/snippets.ts"
import { rootFolder } from "../support/project-paths.ts"

export const handbookFolder = join(rootFolder, "src/docs")

export const handbookPages: readonly string[] = readdirSync(handbookFolder)
  .filter((name) => name.endsWith(".md"))
  .sort()

export function readPage(name: string): string {
  return readFileSync(join(handbookFolder, name), "utf8")
}

/** The page with its generated parts made again, as the formatter writes it. */
export function regenerate(markdown: string): Promise<string> {
  const marked = /(<!-- generated: (\w+) -->\n).*?(<!-- end -->)/gs
  const text = markdown.replace(marked, (_, begin: string, name: string, end: string) => {
    const part = parts[name]
    if (part === undefined) throw new Error(`No generated part is called ${name}`)
    return `${begin}\n${part().join("\n")}\n\n${end}`
  })
  return format(text, { parser: "markdown", printWidth: 100 })
}

const parts: Readonly<Record<string, () => string[]>> = {
  settings: () => [
    "| flag | variable | default | form | reload | meaning |",
    "|---|---|---|---|---|---|",
    ...inputList.map((input) => {
      const names = [`\`${settingFlag(input)}\``, `\`${settingVariable(input)}\``]
      const reload = isReloadable(input.setting) ? "yes" : "restart"
      return row([...names, inputFallback(input), inputForm(input), reload, inputMeaning(input)])
    }),
  ],
  commands: () => [
    "| command | what it does |",
    "|---|---|",
    ...commandTable.commands.map(({ name, meaning, arguments: words = [] }) =>
      row([`\`${[name, ...words.map(typedArgument)].join(" ")}\``, meaning]),
    ),
  ],
  endpoints: () => endpointLines(describedRoutes),
  statistics: () => fieldLines(statisticsRecord),
  samples: () => fieldLines(sampleFieldsRecord),
  snippets: () =>
    snippets.flatMap(({ title, where, language, code }) => [
      `### ${title}`,
      "",
      where,
      "",
      `\`\`\`${language}`,
      code({ url: "http://127.0.0.1:8080", key: "KEY" }),
      "```",
      "",
    ]),
  notifications: () => [
    "| type | property | needed | secret | meaning |",
    "|---|---|---|---|---|",
    ...propertyRows("every type", commonProperties),
    ...notificationTypes.flatMap((type) =>
      propertyRows(`\`${type}\``, notificationProperties[type]),
    ),
  ],
}

/** A row for each field of an answer, with the description that the API has of it. */
export function fieldLines({ entries }: { readonly entries: Readonly<Record<string, Schema>> }) {
  const rows = Object.entries(entries).map(([name, schema]) => {
    const meaning = v.getDescription(schema as Parameters<typeof v.getDescription>[0])
    if (meaning === undefined) throw new Error(`The field ${name} has no description`)
    return row([`\`${name}\``, meaning])
  })
  return ["| field | meaning |", "|---|---|", ...rows]
}

function propertyRows(type: string, properties: readonly NotificationProperty[]): string[] {
  return properties.map(({ name, meaning, isRequired = false }, i) => {
    const marks = [isRequired ? "yes" : "", isSecret(name) ? "yes" : ""]
    return row([i === 0 ? type : "", `\`${name}\``, ...marks, meaning])
  })
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`
}

const callers: Readonly<Record<Access, string>> = {
  reader: "any user",
  writer: "not Read Only",
  administrator: "administrator",
  key: "API key",
  anyone: "everyone",
  local: "this machine, any user",
}

interface Operation {
  readonly method: Method
  readonly paths: string[]
  readonly who: string
  readonly summary: string
}

/** A heading and a table for each section of the route table. */
export function endpointLines(routes: readonly DescribedRoute[]): string[] {
  const names = [...new Set(routes.map((route) => route.section))]
  return names.flatMap((name) => [
    `## ${name}`,
    "",
    "| method | path | who | what |",
    "|---|---|---|---|",
    ...operationsOf(routes.filter((route) => route.section === name)).map(
      ({ method, paths, who, summary }) =>
        row([method, paths.map((path) => `\`${path}\``).join(", "), who, summary]),
    ),
    "",
  ])
}

/** Operations of one section; a path with two names is one entry. */
function operationsOf(routes: readonly DescribedRoute[]): Operation[] {
  const found: Operation[] = []
  for (const { path, operations } of routes) {
    for (const [name, { access, summary }] of Object.entries(operations)) {
      const method = name as Method
      const shown = path.replace(/:(\w+)/g, "{$1}")
      const first = shown.replace("/elasticsearch/", "/search/")
      const other = found.find((one) => one.method === method && one.paths[0] === first)
      if (other === undefined) found.push({ method, paths: [shown], who: callers[access], summary })
      else other.paths.push(shown)
    }
  }
  return found
}
