/**
 * A fresh Debian root for tests, from the packages that are installed on this machine: what dpkg
 * cannot do without, systemd, and the packages that Tidegauge depends on. Nothing is downloaded.
 */

import { execFileSync } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"

const dpkgFolder = "/var/lib/dpkg"
const wanted = [
  "dpkg",
  "systemd",
  "init-system-helpers",
  "passwd",
  "procps",
  "libstdc++6",
  "libatomic1",
]
/** Units for a terminal and for file systems of the kernel, which is shared. */
const masked = [
  "console-getty.service",
  "dev-hugepages.mount",
  "sys-fs-fuse-connections.mount",
  "sys-kernel-config.mount",
  "sys-kernel-debug.mount",
  "sys-kernel-tracing.mount",
  "systemd-modules-load.service",
  "systemd-sysctl.service",
]
/** Not needed to run. */
const leftOut = /^\/usr\/share\/(?:doc|man|locale|info|i18n|zoneinfo|lintian)\//

/** Paragraphs of dpkg's status of installed packages, by name. */
type Installed = ReadonlyMap<string, { readonly text: string; readonly key: string }>

function readInstalled(): Installed {
  const paragraphs = readFileSync(join(dpkgFolder, "status"), "utf8").split("\n\n")
  const installed = paragraphs.filter((text) => field(text, "Status") === "install ok installed")
  return new Map(
    installed.map((text) => {
      const name = field(text, "Package")!
      const withArchitecture = `${name}:${field(text, "Architecture")}`
      const isShared = existsSync(join(dpkgFolder, `info/${withArchitecture}.list`))
      return [name, { text: text.trim(), key: isShared ? withArchitecture : name }]
    }),
  )
}

function field(paragraph: string, name: string): string | undefined {
  return new RegExp(`^${name}: (.*)$`, "m").exec(paragraph)?.[1]
}

/** The essential packages and the wanted ones, with all that they depend on. */
function closure(installed: Installed): string[] {
  const essential = [...installed].filter(([, { text }]) => field(text, "Essential") === "yes")
  const names = new Set<string>()
  const add = (name: string): void => {
    const one = installed.get(name)
    if (one === undefined || names.has(name)) return
    names.add(name)
    for (const kind of ["Depends", "Pre-Depends"]) {
      // Of alternatives, those that are installed.
      const list = field(one.text, kind)?.split(/[,|]/) ?? []
      for (const item of list) add(item.trim().split(/[ :(]/)[0]!)
    }
  }
  for (const name of [...essential.map(([known]) => known), ...wanted]) add(name)
  return [...names].sort()
}

/** The names of packages that this machine lacks for a root; empty if it can be made. */
export function missingForRoot(): string[] {
  if (!existsSync(join(dpkgFolder, "status"))) return ["dpkg"]
  const installed = readInstalled()
  return wanted.filter((name) => !installed.has(name))
}

/** Copies the packages into `root`, a new folder; returns how many. */
export function makeDebianRoot(root: string): number {
  const installed = readInstalled()
  const names = closure(installed)
  const keys = names.map((name) => installed.get(name)!.key)
  mkdirSync(root, { recursive: true })
  copyFiles(root, keys.flatMap(filesOf))
  const info = join(root, dpkgFolder, "info")
  for (const folder of [info, join(root, dpkgFolder, "updates")]) {
    mkdirSync(folder, { recursive: true })
  }
  const known = new Set(keys)
  // The form of these names.
  cpSync(join(dpkgFolder, "info/format"), join(info, "format"))
  for (const name of readdirSync(join(dpkgFolder, "info"))) {
    if (!known.has(name.slice(0, name.lastIndexOf(".")))) continue
    cpSync(join(dpkgFolder, "info", name), join(info, name))
  }
  const status = names.map((name) => `${installed.get(name)!.text}\n\n`).join("")
  writeFileSync(join(root, dpkgFolder, "status"), status)
  writeEtc(root)
  return names.length
}

/** Of a package, without what only people read; diversions of this machine are none of the root. */
function filesOf(key: string): string[] {
  const list = readFileSync(join(dpkgFolder, `info/${key}.list`), "utf8").split("\n")
  return list.filter((path) => path !== "" && path !== "/." && !leftOut.test(path))
}

/** Outer folders and links first: on Debian /bin is a link to /usr/bin. */
function copyFiles(root: string, paths: readonly string[]): void {
  for (const name of ["bin", "sbin", "lib", "lib32", "lib64", "libx32"]) {
    mkdirSync(join(root, "usr", name), { recursive: true })
  }
  const present = [...new Set(paths)].filter((path) => existsSync(path)).sort()
  const list = present.map((path) => `.${path}\n`).join("")
  const from = ["-C", "/", "--no-recursion", "--files-from=-", "-cf", "-"]
  const maxBuffer = 2 * 1024 ** 3
  const archive = execFileSync("tar", from, { input: list, maxBuffer })
  execFileSync("tar", ["-C", root, "-xpf", "-"], { input: archive })
}

/** What the packages make when they are installed. */
function writeEtc(root: string): void {
  for (const name of ["passwd", "group"]) {
    cpSync(join(root, `usr/share/base-passwd/${name}.master`), join(root, `etc/${name}`))
  }
  const files = {
    "etc/machine-id": "0123456789abcdef0123456789abcdef\n",
    "etc/hostname": "tide\n",
    "etc/hosts": "127.0.0.1 localhost tide\n",
    "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
    // The configuration of this machine's own services is not copied; nothing mounts disks here.
    "etc/fstab": "",
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const name of ["dev", "proc", "sys", "run", "tmp", "root", "var/log/journal", "old"]) {
    mkdirSync(join(root, name), { recursive: true })
  }
  for (const unit of masked) symlinkSync("/dev/null", join(root, "etc/systemd/system", unit))
  execFileSync("ldconfig", ["-r", root])
}
