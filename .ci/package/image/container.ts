/**
 * Runs an image as a container engine does, with the tools of util-linux alone: namespaces of mounts
 * and processes, the image's root read-only, its user without privileges. Needs root.
 */

import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { chownSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { CheckedImage } from "./validate.ts"

export const canContain =
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["--mount", "--pid", "--fork", "setpriv", "--no-new-privs", "true"])
    .status === 0

export interface Container {
  readonly log: () => string
  /** Of the process that is number 1 in the container. */
  readonly pid: () => number
  /** Exit status, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>
  /** Runs the image's health check inside. */
  readonly health: () => { readonly status: number | null; readonly output: string }
}

export interface ContainerOptions {
  /** Of the unpacked image. */
  readonly root: string
  /** Mounted as the image's volume, readable by its user. */
  readonly volume: string
  /** Mounted at /run/secrets. */
  readonly secrets: string
  readonly env: Readonly<Record<string, string>>
  readonly argv?: readonly string[]
}

/** Unpacks the layers with their owners and modes. */
export function unpack({ layers, config }: CheckedImage, root: string): void {
  mkdirSync(root, { recursive: true })
  for (const layer of layers) {
    const argv = ["--extract", "--numeric-owner", "--same-permissions", "--directory", root]
    execFileSync("tar", argv, { input: layer })
  }
  for (const path of ["proc", "run/secrets", ...Object.keys(config.config.Volumes)]) {
    mkdirSync(join(root, path), { recursive: true })
  }
}

/** A folder as an engine makes a new volume: with the owner of the image's folder. */
export function makeVolume(folder: string, { config }: CheckedImage): string {
  mkdirSync(folder, { mode: 0o700 })
  const [user, group] = config.config.User.split(":").map(Number)
  chownSync(folder, user!, group!)
  return folder
}

const mounts = [
  "set -e",
  "root=$1 volume=$2 at=$3 secrets=$4 user=$5 group=$6; shift 6",
  'mount --bind "$root" "$root"',
  'mount -o remount,bind,ro "$root"',
  'mount --bind "$volume" "$root$at"',
  'mount --bind "$secrets" "$root/run/secrets"',
  'mount -o remount,bind,ro,noexec,nosuid,nodev "$root/run/secrets"',
  'mount -t tmpfs -o noexec,nosuid,nodev,mode=1777 tmpfs "$root/tmp"',
  'mount -t proc -o noexec,nosuid,nodev proc "$root/proc"',
  'mount -t tmpfs -o noexec,nosuid,mode=0755 tmpfs "$root/dev"',
  // Those that the runtime specification asks for ("Default Devices").
  "for name in null zero full random urandom tty; do",
  '  touch "$root/dev/$name"; mount --bind "/dev/$name" "$root/dev/$name"',
  "done",
  'exec setpriv --no-new-privs chroot --userspec="$user" --groups="$group" "$root" "$@"',
].join("\n")

/** Starts the image's entry point; nothing of this process's environment reaches it. */
export function run({ config }: CheckedImage, options: ContainerOptions): Container {
  const { User, Env, Entrypoint, Volumes, Healthcheck } = config.config
  const [at] = Object.keys(Volumes)
  const { root, volume, secrets, env, argv = [] } = options
  const places = [root, volume, at!, secrets, User, User.split(":")[1]!]
  const isolate = ["--mount", "--pid", "--fork", "--kill-child", "--propagation", "private"]
  const script = ["/bin/bash", "-c", mounts, "bash", ...places, ...Entrypoint, ...argv]
  const own = Object.fromEntries(Env.map((one) => one.split(/=(.*)/s, 2) as [string, string]))
  const all = { ...own, ...env }
  // The tools of the start are found by its path, not by that of the image.
  const child = spawn("unshare", [...isolate, ...script], {
    env: { ...all, PATH: hostPath },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let text = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (piece: Buffer) => (text += piece.toString()))
  }
  const pid = () => firstChildOf(child)
  return {
    log: () => text,
    pid,
    ended: once(child, "close").then(([status, signal]) => status ?? signal),
    health: () => {
      const enter = ["--target", String(pid()), "--mount", "--pid", "--root", "--wd", "--setuid"]
      const ids = [User.split(":")[0]!, "--setgid", User.split(":")[1]!]
      const test = Healthcheck.Test.slice(1)
      const answer = spawnSync("nsenter", [...enter, ...ids, ...test], {
        env: { ...all, PATH: hostPath },
        encoding: "utf8",
      })
      return { status: answer.status, output: answer.stdout + answer.stderr }
    },
  }
}

const hostPath = "/usr/sbin:/usr/bin:/sbin:/bin"

function firstChildOf({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim())
}
