import assert from "node:assert/strict"
import { test } from "node:test"
import { readMemoryLimit } from "../../src/runtime/memory-limit.ts"
import { unreclaimableBytes } from "../../src/runtime/memory-use.ts"

const mib = 1024 ** 2
const totalBytes = 4096 * mib

function limitWith(files: Readonly<Record<string, string>>) {
  return readMemoryLimit({ readFile: (path) => files[path] ?? null, totalBytes })
}

test("without control groups the machine limits", () => {
  assert.deepEqual(limitWith({}), { bytes: totalBytes, source: "the machine" })
})

test("version 2: the least of memory.max and memory.high, of the group and of all above", () => {
  const service = "/sys/fs/cgroup/system.slice/tidegauge.service"
  const f = (limits: Record<string, number | "max">, bytes: number, source: string) => {
    const texts = Object.entries(limits).map(([path, limit]) => [path, `${limit}\n`])
    const files = {
      "/proc/self/cgroup": "0::/system.slice/tidegauge.service\n",
      ...Object.fromEntries(texts),
    }
    assert.deepEqual(limitWith(files), { bytes, source })
  }

  f({ [`${service}/memory.max`]: 512 * mib }, 512 * mib, `${service}/memory.max`)
  f({ [`${service}/memory.max`]: "max" }, totalBytes, "the machine")
  const high = `${service}/memory.high`
  f({ [`${service}/memory.max`]: 512 * mib, [high]: 400 * mib }, 400 * mib, high)
  const above = "/sys/fs/cgroup/system.slice/memory.max"
  f({ [`${service}/memory.max`]: 512 * mib, [above]: 300 * mib }, 300 * mib, above)
  f({ [`${service}/memory.max`]: 8192 * mib }, totalBytes, "the machine")
})

test("version 1: limit_in_bytes, also in a hierarchy of several controllers", () => {
  const none = "9223372036854771712\n"
  const path = "/sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes"
  for (const controllers of ["memory", "cpu,memory", "memory,hugetlb"]) {
    const limit = limitWith({
      "/proc/self/cgroup": `11:pids:/\n4:${controllers}:/docker/abc\n0::/\n`,
      "/sys/fs/cgroup/memory/memory.limit_in_bytes": none,
      [path]: `${256 * mib}\n`,
    })
    assert.deepEqual(limit, { bytes: 256 * mib, source: path })
  }
})

test("in a container whose path is the host's, the limit of the mount holds", () => {
  const path = "/sys/fs/cgroup/memory.max"
  const limit = limitWith({ "/proc/self/cgroup": "0::/docker/abc\n", [path]: `${300 * mib}\n` })
  assert.deepEqual(limit, { bytes: 300 * mib, source: path })
})

test("files that say something else limit nothing", () => {
  for (const text of ["", "many", "-1", "0x10", "1 2"]) {
    const files = { "/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": text }
    assert.equal(limitWith(files).bytes, totalBytes, text)
  }
  assert.equal(limitWith({ "/proc/self/cgroup": "nonsense" }).bytes, totalBytes)
})

const status = "VmRSS:\t  900 kB\nRssAnon:\t  500 kB\nRssFile:\t  380 kB\nRssShmem:\t  20 kB\n"
const ownBytes = 520 * 1024

function usedWith(files: Readonly<Record<string, string>>, limitSource = "the machine") {
  const readFile = (path: string) => files[path] ?? null
  return unreclaimableBytes({ readFile, limitSource, residentBytes: () => 7 })
}

test("unreclaimableBytes() counts anonymous and shared memory, not views of files", () => {
  assert.equal(usedWith({ "/proc/self/status": status }), ownBytes)
  assert.equal(usedWith({}), 7)
  assert.equal(usedWith({ "/proc/self/status": "VmRSS: 900 kB\n" }), 7)
})

test("unreclaimableBytes() is 0 if the system tells nothing: nothing is refused then", () => {
  const sources = { readFile: () => null, limitSource: "the machine", residentBytes: () => null }
  assert.equal(unreclaimableBytes(sources), 0)
})

test("unreclaimableBytes() counts the control group of the limit, if that is more", () => {
  const f = (stat: string, want: number) => {
    const files = { "/proc/self/status": status, "/cgroup/a/memory.stat": stat }
    for (const name of ["memory.max", "memory.high", "memory.limit_in_bytes"]) {
      assert.equal(usedWith(files, `/cgroup/a/${name}`), want)
    }
  }

  f("cache 9\nrss 8\nshmem 7\ntotal_cache 900000\ntotal_rss 700000\ntotal_shmem 50000\n", 750_000)
  f(
    "anon 700000\nfile 900000\nkernel_stack 1000\npagetables 2000\nsock 3000\nshmem 50000\n",
    756_000,
  )
  f("anon 600\nfile 900000\n", ownBytes)
  f("", ownBytes)
})
