/** A real SMTP server on loopback that records the messages it receives. */

import type { AddressInfo } from "node:net"
import { SMTPServer } from "smtp-server"

export interface MailServer {
  readonly url: string
  readonly mails: { readonly to: string[]; readonly text: string }[]
  /** Of each mail, whether it came by TLS. */
  readonly secured: boolean[]
  close(): Promise<void>
}

/** Commands that the server can refuse. */
export type MailCommand = "MAIL FROM" | "RCPT TO" | "DATA"

interface MailServerOptions {
  /** Whether it offers TLS, by a certificate of its own. */
  readonly tls?: boolean
  /** The reply to a command; it accepts without one. */
  readonly reply?: (command: MailCommand) => number | undefined
}

/** Rejects recipients that `refuse` selects. */
export async function listenMail(
  refuse: (address: string) => boolean = () => false,
  { tls = false, reply = () => undefined }: MailServerOptions = {},
): Promise<MailServer> {
  const replyTo = (command: MailCommand) => {
    const responseCode = reply(command)
    if (responseCode === undefined) return null
    return Object.assign(new Error(`reply to ${command}`), { responseCode })
  }
  const mails: { to: string[]; text: string }[] = []
  const secured: boolean[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: tls ? [] : ["STARTTLS"],
    onMailFrom: (_, __, done) => done(replyTo("MAIL FROM")),
    onRcptTo: ({ address }, _, done) => {
      done(refuse(address) ? new Error("no such mailbox") : replyTo("RCPT TO"))
    },
    onData: (stream, { envelope, secure }, done) => {
      const chunks: Buffer[] = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        const refusal = replyTo("DATA")
        if (refusal !== null) return done(refusal)
        const to = envelope.rcptTo.map(({ address }) => address)
        secured.push(secure)
        mails.push({ to, text: Buffer.concat(chunks).toString() })
        done(null)
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    secured,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
