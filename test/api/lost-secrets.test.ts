/** A store that was restored without its `secrets.key`. */

import assert from "node:assert/strict"
import { renameSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { listen } from "../outbound/listener.ts"
import { errorOf } from "../support/server/responses.ts"
import { callerOf } from "../support/server/caller.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { startServer, storyProgram } from "../support/server/server.ts"

interface Shown {
  readonly id: number
  readonly properties: Readonly<Record<string, string>>
  readonly secretsToEnter?: readonly string[]
}

const warning = /secrets\.key is not the key with which the stored secrets are encrypted/

test("without its key file a store starts, warns and says what to enter again (B5)", async (t) => {
  const folder = makeFolder()
  t.after(() => removeFolder(folder))
  const receiver = await listen()
  t.after(() => receiver.close())
  const flags = ["--allow-private-addresses", "127.0.0.1"]
  const options = { folder, flags, program: storyProgram() }

  let server = await startServer(options)
  t.after(() => server.kill())
  const restart = async () => {
    await server.stop()
    server = await startServer(options)
  }
  const url = `http://127.0.0.1:${receiver.port}/hook`
  const properties = { name: "hook", url, basicUsername: "u", basicPassword: "hush" }
  const hook = { notification: { type: "webhook", properties } }
  const made = await server.client.post("/notifications", hook)
  const { id } = made.json<{ notification: Shown }>().notification
  const cloud = { type: "AWS", name: "cloud", properties: { secretKey: "hush" } }
  await server.client.post("/datasources", { dataSource: cloud })
  const notification = async () =>
    (await server.client.get(`/notifications/${id}`)).json<{ notification: Shown }>().notification
  await restart()
  assert.doesNotMatch(server.output(), warning)
  assert.equal((await notification()).secretsToEnter, undefined)

  await server.stop()
  renameSync(join(folder, "secrets.key"), join(folder, "moved.key"))
  server = await startServer(options)
  assert.match(server.output(), warning)
  assert.match(server.output(), /"datasources":1,"notifications":1/)
  assert.deepEqual((await notification()).secretsToEnter, ["basicPassword"])
  const listed = await server.client.get("/datasources")
  const { dataSources } = listed.json<{ dataSources: Shown[] }>()
  assert.deepEqual(dataSources.at(-1)!.secretsToEnter, ["secretKey"])
  const tried = await server.client.post(`/notifications/test/${id}`, undefined)
  assert.equal(tried.status, 400)
  assert.match(errorOf(tried).errors[0]!, /properties\.basicPassword: .*entered again/)

  const entered = await callerOf(server.client).put(`/notifications/${id}`, hook)
  assert.equal(entered.status, 200, entered.text)
  assert.equal((await notification()).secretsToEnter, undefined)
  const again = await server.client.post(`/notifications/test/${id}`, undefined)
  assert.deepEqual(again.json<{ success: boolean }>().success, true)
})
