/** Failures of a message, which are final, and failures of its receiver, which are not. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { ServiceError } from "../../src/base/errors.ts"
import { MessageRefused } from "../../src/notify/message-refused.ts"
import type { Recipient } from "../../src/notify/notification-sender.ts"
import { listen } from "../outbound/listener.ts"
import { listenMail, type MailCommand } from "./smtp.ts"
import { eventAt, messageAt, senderOf, startMs } from "./test-delivery.ts"

const properties = { address: "a@example.com" }

/** Whether the failure of a delivery is final. */
async function isFinal(recipient: Recipient, by = senderOf(), message = messageAt(startMs)) {
  try {
    await by.deliver(recipient, message)
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error))
    assert.equal(error.code, "invalid")
    return error instanceof MessageRefused
  }
  assert.fail("Expected the delivery to fail")
}

test("an answer of 400 to 499 is final, but for those about the moment", async (t) => {
  const receiver = await listen(({ path }) => ({ status: Number(path.slice(1)) }))
  t.after(() => receiver.close())
  const f = async (statuses: readonly number[], want: boolean) => {
    for (const status of statuses) {
      const url = `http://127.0.0.1:${receiver.port}/${status}`
      assert.equal(await isFinal({ type: "webhook", properties: { url } }), want, `${status}`)
    }
  }
  await f([400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 451, 499], true)
  await f([408, 425, 429, 500, 501, 502, 503, 504, 599, 300, 301, 304, 307], false)
})

test("a receiver that is not reached, and one that breaks off, are not final", async (t) => {
  const gone = await listen()
  await gone.close()
  const url = `http://127.0.0.1:${gone.port}/x`
  assert.equal(await isFinal({ type: "webhook", properties: { url } }), false)
  const long = await listen(() => ({ status: 200, headers: { "content-length": "70000" } }))
  t.after(() => long.close())
  const cut = `http://127.0.0.1:${long.port}/x`
  assert.equal(await isFinal({ type: "slack", properties: { url: cut } }), false)
})

test("a template that one message cannot be made of is final for that message", async (t) => {
  const receiver = await listen()
  t.after(() => receiver.close())
  const url = `http://127.0.0.1:${receiver.port}/x`
  const postContentTemplate = "${event.title?number}"
  const recipient = { type: "webhook", properties: { url, postContentTemplate } }
  assert.equal(await isFinal(recipient), true)
  const event = { ...eventAt(startMs), title: "7" }
  await senderOf().deliver(recipient, { ...messageAt(startMs), event })
  assert.equal(receiver.received[0]!.body, "7")
})

test("what a notification lacks is not final: a user may add it", async () => {
  assert.equal(await isFinal({ type: "opsgenie", properties: {} }), false)
  assert.equal(await isFinal({ type: "email", properties }), false)
  assert.equal(await isFinal({ type: "hipchat", properties: {} }), false)
})

test("a mail server's 500 to 599 about recipients, content or size is final", async (t) => {
  const refused = new Map<MailCommand, number>()
  const server = await listenMail(() => false, { reply: (command) => refused.get(command) })
  t.after(() => server.close())
  const mail = { smtpUrl: server.url, from: "tide@example.org", requireTls: "auto" } as const
  const f = async (command: MailCommand, reply: number, want: boolean) => {
    refused.clear()
    refused.set(command, reply)
    const isRefused = await isFinal({ type: "email", properties }, senderOf({ mail }))
    assert.equal(isRefused, want, `${reply} to ${command}`)
  }
  await f("RCPT TO", 550, true)
  await f("RCPT TO", 553, true)
  await f("DATA", 552, true)
  await f("DATA", 554, true)
  await f("MAIL FROM", 552, true)
  await f("RCPT TO", 450, false)
  await f("RCPT TO", 530, false)
  await f("DATA", 451, false)
  await f("DATA", 503, false)
  await f("MAIL FROM", 550, false)
  await f("MAIL FROM", 421, false)
})

test("a mail server that is not reached, or refuses the login, is not final", async (t) => {
  const server = await listenMail(() => false)
  t.after(() => server.close())
  const { port } = new URL(server.url)
  const f = async (smtpUrl: string) => {
    const mail = { smtpUrl, from: "tide@example.org", requireTls: "no" } as const
    assert.equal(await isFinal({ type: "email", properties }, senderOf({ mail })), false, smtpUrl)
  }
  await f(`smtp://user:password@127.0.0.1:${port}`)
  const gone = await listen()
  await gone.close()
  await f(`smtp://127.0.0.1:${gone.port}`)
})
