/** A real SMTP server on loopback that keeps what it was sent. */

import type { AddressInfo } from "node:net"
import { SMTPServer } from "smtp-server"

export interface MailServer {
  readonly url: string
  readonly mails: { readonly to: string[]; readonly text: string }[]
  close(): Promise<void>
}

/** Refuses recipients that `refuse` picks. */
export async function listenMail(
  refuse: (address: string) => boolean = () => false,
): Promise<MailServer> {
  const mails: { to: string[]; text: string }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: ({ address }, _, done) => {
      done(refuse(address) ? new Error("no such mailbox") : null)
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        const to = envelope.rcptTo.map(({ address }) => address)
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
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
