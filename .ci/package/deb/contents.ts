/** What the Debian package of Tidegauge holds, beside the executable. */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { commandHelp, overview } from "../../../src/command/line/help.ts"
import { commandTable } from "../../../src/command/command-table.ts"
import { completionScript } from "../../../src/command/line/completion.ts"
import { templateText } from "../../../src/command/settings/template-text.ts"
import { rootFolder } from "../bundle.ts"
import type { Architecture } from "../carried.ts"
import { debOf, type PackagedFile } from "./archive.ts"

export interface DebOptions {
  readonly version: string
  readonly architecture: Architecture
  readonly executable: Uint8Array
  /** Text of `tidegauge licences`. */
  readonly licences: string
  /** A Node that compresses. */
  readonly node: string
}

/** Names of dpkg. */
const debArchitectures: Readonly<Record<Architecture, string>> = { x64: "amd64", arm64: "arm64" }

export function debName({
  version,
  architecture,
}: Pick<DebOptions, "version" | "architecture">): string {
  return `tidegauge_${version}_${debArchitectures[architecture]}.deb`
}

export function makeDeb(options: DebOptions): Promise<Buffer> {
  const { version, architecture, node } = options
  const script = (name: string) => readText(`.ci/package/deb/${name}`)
  return debOf(
    {
      fields: { Package: "tidegauge", Version: version, ...fieldsOf(architecture) },
      files: filesOf(options),
      scripts: {
        postinst: script("postinst"),
        prerm: script("prerm"),
        postrm: script("postrm"),
      },
    },
    node,
  )
}

/**
 * Libraries as the runtime and LMDB's native part are linked to them, glibc 2.34 and GCC 11; useradd
 * for the user, kill for a reload.
 */
const depends =
  "libc6 (>= 2.34), libstdc++6 (>= 11), libgcc-s1 (>= 4.2), libatomic1 (>= 4.8), passwd, procps"

function fieldsOf(architecture: Architecture): Record<string, string> {
  const description = [
    "self-hosted monitoring service",
    " Takes samples over HTTP, keeps them with their rollups in one folder, answers",
    " statistics, and opens incidents when a policy is met. One process, no database.",
  ]
  return {
    Architecture: debArchitectures[architecture],
    Maintainer: "Tidegauge <tidegauge@localhost>",
    Section: "net",
    Priority: "optional",
    Depends: depends,
    Description: description.join("\n"),
  }
}

const plain = 0o644
const program = 0o755
/** Its group is that of the service once it is installed. */
const closed = 0o640

function filesOf({ executable, licences, version }: DebOptions): PackagedFile[] {
  const file = (path: string, text: string, mode = plain): PackagedFile => {
    return { path, bytes: Buffer.from(text), mode }
  }
  const completion = "usr/share"
  return [
    { path: "usr/bin/tidegauge", bytes: executable, mode: program },
    { ...file("etc/tidegauge/tidegauge.conf", configuration(), closed), isConfiguration: true },
    file("usr/lib/systemd/system/tidegauge.service", readText("data/systemd/tidegauge.service")),
    file("usr/lib/systemd/system/tidegauge.socket", readText("data/systemd/tidegauge.socket")),
    file("usr/lib/sysusers.d/tidegauge.conf", readText("data/systemd/sysusers.conf")),
    file(
      `${completion}/bash-completion/completions/tidegauge`,
      completionScript(commandTable, "bash"),
    ),
    file(`${completion}/zsh/vendor-completions/_tidegauge`, completionScript(commandTable, "zsh")),
    file(
      `${completion}/fish/vendor_completions.d/tidegauge.fish`,
      completionScript(commandTable, "fish"),
    ),
    file("usr/share/man/man1/tidegauge.1", manualPage(version)),
    file("usr/share/doc/tidegauge/copyright", licences),
    file("usr/share/doc/tidegauge/changelog", readText("CHANGELOG.md")),
    file("usr/share/doc/tidegauge/alerts.yml", readText("data/alerts.yml")),
  ]
}

/** The template of `tidegauge config`, with the settings of an installation in force. */
function configuration(): string {
  const settings = [
    ["data", "/var/lib/tidegauge"],
    // The journal would show them to others.
    ["first-secrets-file", "/var/lib/tidegauge/first-secrets"],
  ]
  let text = templateText()
  for (const [name, value] of settings) {
    const line = new RegExp(`^#${name} =.*$`, "m")
    if (!line.test(text)) throw new Error(`Expected ${name} in the template of the configuration`)
    text = text.replace(line, `${name} = ${value}`)
  }
  return `${text}\n`
}

/** The help of all commands as a page of man(7). */
function manualPage(version: string): string {
  const verbatim = (text: string): string =>
    text
      .trimEnd()
      .replaceAll("\\", "\\e")
      .replaceAll("-", "\\-")
      .replaceAll(/^(?=[.'])/gm, "\\&")
  const commands = commandTable.commands.map((one) => `.nf\n${verbatim(commandHelp(one))}\n.fi`)
  return [
    `.TH TIDEGAUGE 1 "" "tidegauge ${version}"`,
    ".SH NAME",
    "tidegauge \\- self-hosted monitoring service",
    ".SH SYNOPSIS",
    ".nf",
    verbatim(overview(commandTable)),
    ".fi",
    ".SH COMMANDS",
    ...commands,
    ".SH FILES",
    "/etc/tidegauge/tidegauge.conf, /var/lib/tidegauge",
    "",
  ].join("\n")
}

function readText(path: string): string {
  return readFileSync(join(rootFolder, path), "utf8")
}
