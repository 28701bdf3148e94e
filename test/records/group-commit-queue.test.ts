import assert from "node:assert/strict"
import { test } from "node:test"
import type { DocumentChange } from "../../src/model/document.ts"
import { GroupCommitQueue } from "../../src/records/incidents/group-commit-queue.ts"

function fixture() {
  const commits: { ids: string[]; finish: (error?: Error) => void }[] = []
  const documents = {
    putAll: (changes: readonly DocumentChange[]) =>
      new Promise<void>((resolve, reject) => {
        const finish = (error?: Error) => (error === undefined ? resolve() : reject(error))
        commits.push({ ids: changes.map(({ id }) => id), finish })
      }),
  }
  return { inbox: new GroupCommitQueue(documents, 1_000), commits }
}

const change = (id: string): DocumentChange => ({ kind: "k", id, document: {} })
const turn = () => new Promise((resolve) => setImmediate(resolve))

test("posts that arrive during a commit share the next one, and resolve with it", async () => {
  const { inbox, commits } = fixture()
  const done: string[] = []
  for (const id of ["a", "b", "c"]) void inbox.put([change(id)]).then(() => done.push(id))
  await turn()
  assert.deepEqual(
    commits.map(({ ids }) => ids),
    [["a"]],
  )
  commits[0]!.finish()
  await turn()
  assert.deepEqual(done, ["a"])
  assert.deepEqual(commits[1]!.ids, ["b", "c"])
  commits[1]!.finish()
  await turn()
  assert.deepEqual(done, ["a", "b", "c"])
})

test("a failed commit rejects its posts only, and the next ones continue", async () => {
  const { inbox, commits } = fixture()
  const first = inbox.put([change("a")])
  const second = inbox.put([change("b")])
  commits[0]!.finish(new Error("disk"))
  await assert.rejects(first, /disk/)
  await turn()
  commits[1]!.finish()
  await second
})

test("a post is never split, and long queues take several commits", async () => {
  const { inbox, commits } = fixture()
  const posts = [1, 1_500, 1_000, 5_000, 10].map((count, post) =>
    inbox.put(Array.from({ length: count }, (_, i) => change(`${post}-${i}`))),
  )
  for (let i = 0; i < 5; i++) {
    commits[i]?.finish()
    await turn()
  }
  await Promise.all(posts)
  assert.deepEqual(
    commits.map(({ ids }) => ids.length),
    [1, 1_500, 1_000, 5_000, 10],
  )
})

test("bytes beyond the budget are rejected until others are released", () => {
  const { inbox } = fixture()
  assert.equal(inbox.reserve(600), true)
  assert.equal(inbox.reserve(401), false)
  assert.equal(inbox.reserve(400), true)
  inbox.release(600)
  assert.equal(inbox.reserve(600), true)
  assert.throws(() => inbox.release(1_001))
})

test("a post without changes needs no commit", async () => {
  const { inbox, commits } = fixture()
  await inbox.put([])
  assert.equal(commits.length, 0)
})
