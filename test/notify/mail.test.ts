/** E-mail: certificates of the server, recipients that it refuses, and the sender. */

import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { Deliveries } from "../../src/notify/deliveries.ts"
import { verifiesCertificate, type RequireTls } from "../../src/notify/mail.ts"
import { outboxChanges } from "../../src/notify/outbox.ts"
import { listenMail, type MailServer } from "./smtp.ts"
import { incidentMessage, incidentWith, messageAt, senderOf } from "./test-delivery.ts"
import { startMs, workerOf } from "./test-delivery.ts"

const from = "tide@example.org"
let server: MailServer

before(async () => {
  server = await listenMail((address) => address.startsWith("nobody"), { tls: true })
})

after(() => server.close())

const outcome = (requireTls: RequireTls, address = "a@example.com", sender = from) =>
  senderOf({ mail: { smtpUrl: server.url, from: sender, requireTls } }).test(
    { type: "email", properties: { address } },
    0,
  )

test("a server on loopback has any certificate, unless TLS is required (R14)", async () => {
  const f = async (requireTls: RequireTls, want: boolean) => {
    const before = server.mails.length
    const { success, content } = await outcome(requireTls)
    assert.equal(success, want, content)
    assert.equal(server.mails.length, before + (want ? 1 : 0))
    if (want) assert.equal(server.secured.at(-1), true)
    else {
      assert.match(
        content,
        /its certificate is not trusted: .*certificate.* \(see --smtp-require-tls\)/,
      )
    }
  }
  await f("auto", true)
  await f("no", true)
  await f("yes", false)
})

test("a certificate is verified over a network, unless TLS may be left out (R14)", () => {
  const f = (url: string, { auto, no, yes }: Record<RequireTls, boolean>) => {
    assert.equal(verifiesCertificate(url, "auto"), auto, url)
    assert.equal(verifiesCertificate(url, "no"), no, url)
    assert.equal(verifiesCertificate(url, "yes"), yes, url)
  }
  const far = { auto: true, no: false, yes: true }
  const near = { auto: false, no: false, yes: true }
  f("smtp://mail.example", far)
  f("smtp://u:p@10.0.0.1:2525", far)
  f("smtps://mail.example", far)
  f("smtp://localhost.example", far)
  f("smtp://localhost:25", near)
  f("smtp://LOCALHOST", near)
  f("smtps://u:p@127.0.0.1:465", near)
  f("smtp://[::1]:25", near)
})

test("the reason of a server that is not reached names the cause", async () => {
  const gone = await listenMail()
  await gone.close()
  const sender = senderOf({ mail: { smtpUrl: gone.url, from, requireTls: "auto" } })
  const { content } = await sender.test({ type: "email", properties: { address: from } }, 0)
  assert.match(content, /the mail server refused the message: ECONNREFUSED$/)
})

const some = "a@example.com, nobody@example.com b@example.com,nobody2@example.com"
const refused =
  /nobody@example\.com: 550 no such mailbox; nobody2@example\.com: 550 no such mailbox/

test("a test names each address that is refused, and succeeds for the others (R15)", async () => {
  const { success, content } = await outcome("auto", some)
  assert.equal(success, true)
  assert.match(content, /^Successfully processed message, but not for /)
  assert.match(content, refused)
  assert.deepEqual(server.mails.at(-1)!.to, ["a@example.com", "b@example.com"])
  const none = await outcome("auto", "nobody@example.com,nobody2@example.com")
  assert.equal(none.success, false)
  assert.match(none.content, refused)
})

test("a delivery and the log name the addresses that are refused (R15)", async () => {
  const mail = { smtpUrl: server.url, from, requireTls: "auto" } as const
  const recipients = new Map([[1, { type: "email", properties: { address: some } }]])
  const { documents, run, logged } = workerOf(recipients, { sender: senderOf({ mail }) })
  const message = incidentMessage("incident", startMs)
  await documents.putAll(outboxChanges([message]))
  await run()
  const [delivery] = await new Deliveries(documents).of(0, incidentWith([message]))
  assert.equal(delivery!.state, "delivered")
  assert.match(delivery!.reason!, refused)
  assert.equal(logged.length, 1)
  assert.match(logged[0]!, /a mail was delivered in part/)
  assert.match(logged[0]!, refused)
})

test("a mail that all recipients get has no reason", async () => {
  const mail = { smtpUrl: server.url, from, requireTls: "auto" } as const
  const recipients = new Map([[1, { type: "email", properties: { address: "a@example.com" } }]])
  const { documents, run, logged } = workerOf(recipients, { sender: senderOf({ mail }) })
  const message = incidentMessage("incident", startMs)
  await documents.putAll(outboxChanges([message]))
  await run()
  const [delivery] = await new Deliveries(documents).of(0, incidentWith([message]))
  assert.deepEqual([delivery!.state, delivery!.reason, logged], ["delivered", null, []])
})

test("every mail says that no person wrote it, and has the sender's name (R15)", async () => {
  const f = async (sender: string, header: RegExp) => {
    const properties = { address: "a@example.com" }
    const mail = { smtpUrl: server.url, from: sender, requireTls: "auto" } as const
    await senderOf({ mail }).deliver({ type: "email", properties }, messageAt(startMs))
    const { text } = server.mails.at(-1)!
    assert.match(text, /^Auto-Submitted: auto-generated\r$/m)
    assert.match(text, header)
  }
  await f(from, /^From: tide@example\.org\r$/m)
  await f("Tide <t@example.com>", /^From: Tide <t@example\.com>\r$/m)
  await f('"Tide, Ops" <t@example.com>', /^From: "Tide, Ops" <t@example\.com>\r$/m)
})
