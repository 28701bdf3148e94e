/**
 * One keep-alive HTTP/1.1 connection over node:net, one request in flight. Requests are complete
 * buffers made before the clock starts, so that the client costs little compared with the server on
 * two cores.
 */

import { connect, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"

export interface HttpTarget {
  readonly port: number
  /** Certificate of the server as PEM; absent: plain HTTP. */
  readonly ca?: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** A whole POST request, head and body. The body holds ASCII only. */
export function postRequest(target: HttpTarget, body: string): Buffer {
  return Buffer.from(
    `POST ${headOf(target)}Content-Length: ${body.length}\r\n\r\n${body}`,
    "latin1",
  )
}

export function getRequest(target: HttpTarget): Buffer {
  return Buffer.from(`GET ${headOf(target)}\r\n`, "latin1")
}

function headOf({ port, path, headers }: HttpTarget): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${lines.join("")}`
}

export interface Answer {
  readonly status: number
  readonly body: string
}

interface Waiting {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

export class Connection {
  private readonly socket: Socket
  private waiting: Waiting | null = null
  private received: Buffer | null = null

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on("data", (bytes) => this.onData(bytes as Buffer))
    socket.on("error", (error) => this.fail(error))
    socket.on("close", () => this.fail(new Error("the server closed the connection")))
  }

  /** With `ca`, a certificate as PEM, it speaks TLS with the owner of that alone. */
  static open(port: number, ca?: string): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const to = { port, host: "127.0.0.1", noDelay: true }
      const socket = ca === undefined ? connect(to) : connectTls({ ...to, ca })
      socket.once("error", reject)
      socket.once(ca === undefined ? "connect" : "secureConnect", () => {
        socket.off("error", reject)
        resolve(new Connection(socket))
      })
    })
  }

  send(request: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.socket.destroyed) return reject(new Error("closed by the server"))
      this.waiting = { resolve, reject }
      this.socket.write(request)
    })
  }

  close(): void {
    this.socket.destroy()
  }

  private onData(bytes: Buffer): void {
    this.received = this.received === null ? bytes : Buffer.concat([this.received, bytes])
    const answer = parseAnswer(this.received)
    if (answer === null || this.waiting === null) return
    const { resolve } = this.waiting
    this.waiting = null
    this.received = null
    resolve(answer)
  }

  private fail(error: Error): void {
    this.waiting?.reject(error)
    this.waiting = null
  }
}

/** `null` while the answer is not whole. */
export function parseAnswer(bytes: Buffer): Answer | null {
  const headEnd = bytes.indexOf("\r\n\r\n")
  if (headEnd < 0) return null
  const head = bytes.toString("latin1", 0, headEnd).toLowerCase()
  const status = Number(head.slice(9, 12))
  const from = headEnd + 4
  const length = /\r\ncontent-length: *(\d+)/.exec(head)
  if (length !== null) {
    const to = from + Number(length[1])
    return bytes.length < to ? null : { status, body: bytes.toString("latin1", from, to) }
  }
  if (!head.includes("transfer-encoding: chunked")) return { status, body: "" }
  const isWhole = bytes.toString("latin1", Math.max(from, bytes.length - 5)) === "0\r\n\r\n"
  return isWhole ? { status, body: bytes.toString("latin1", from) } : null
}
