/** Many connections that send one prepared request at a rate, or as fast as they are answered. */

import { connect } from "node:net"
import type { Socket } from "node:net"
import { setTimeout as wait } from "node:timers/promises"

export interface Answered {
  /** 0 if the connection ended before an answer. */
  readonly status: number
  /** On the clock of `performance.now()`. */
  readonly sentMs: number
  readonly atMs: number
}

/** One connection, opened again when the server ends it. */
class Line {
  private socket: Socket | null = null
  private sentMs = -1
  private received = ""
  private readonly load: Load

  constructor(load: Load) {
    this.load = load
  }

  get isFree(): boolean {
    return this.sentMs < 0
  }

  open(): Promise<void> {
    return new Promise((resolve) => this.ready(resolve))
  }

  send(): void {
    this.sentMs = performance.now()
    this.ready().write(this.load.request)
  }

  close(): void {
    this.socket?.removeAllListeners("close")
    this.socket?.destroy()
  }

  private ready(opened?: () => void): Socket {
    if (this.socket !== null && this.socket.writable) return this.socket
    const socket = connect({ port: this.load.port, host: "127.0.0.1", noDelay: true })
    if (opened !== undefined) socket.once("connect", opened)
    socket.on("data", (chunk: Buffer) => this.onData(chunk.toString("latin1")))
    socket.on("error", () => {})
    socket.on("close", () => this.onClose(socket))
    this.received = ""
    this.socket = socket
    return socket
  }

  private onData(text: string): void {
    // A client silent for 10 s is notified and disconnected; that answers no request.
    if (this.isFree) return this.drop()
    this.received += text
    const headEnd = this.received.indexOf("\r\n\r\n")
    if (headEnd < 0) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.received)?.[1] ?? 0)
    if (this.received.length < headEnd + 4 + length) return
    const status = Number(this.received.slice(9, 12))
    const isLast = /\r\nconnection: close/i.test(this.received.slice(0, headEnd))
    this.received = ""
    if (isLast) this.drop()
    this.done(status)
  }

  private onClose(socket: Socket): void {
    if (socket !== this.socket) return
    this.drop()
    if (!this.isFree) this.done(0)
  }

  private drop(): void {
    this.socket?.destroy()
    this.socket = null
  }

  private done(status: number): void {
    const { sentMs } = this
    this.sentMs = -1
    this.load.answered(this, { status, sentMs, atMs: performance.now() })
  }
}

interface LoadOptions {
  readonly port: number
  readonly request: Buffer
  readonly connections: number
  /** Requests a second; as many as are answered by default. */
  readonly rate?: number
}

export class Load {
  /** In the order of their arrival. */
  readonly answers: Answered[] = []
  readonly port: number
  readonly request: Buffer
  /** Requests that were due while every connection waited for an answer. */
  unsent = 0
  /** Requests that were sent, answered or not. */
  sent = 0
  private readonly options: LoadOptions
  private readonly free: Line[] = []
  private lines: Line[] = []
  private running = false

  constructor(options: LoadOptions) {
    this.options = options
    this.port = options.port
    this.request = options.request
  }

  async open(): Promise<void> {
    this.lines = Array.from({ length: this.options.connections }, () => new Line(this))
    for (const line of this.lines) await line.open()
    this.free.push(...this.lines)
  }

  /** Sends for a while; resolves when the time is over, with requests still under way. */
  async run(ms: number): Promise<void> {
    const { rate } = this.options
    this.running = true
    const startedMs = performance.now()
    let due = 0
    while (performance.now() - startedMs < ms) {
      const goal = rate === undefined ? Infinity : ((performance.now() - startedMs) / 1000) * rate
      // Who was free first: else most would be silent for ten seconds, and be cut off as they send.
      for (; due < goal && this.free.length > 0; due++) this.send(this.free.shift()!)
      if (rate !== undefined && due < goal) {
        this.unsent += Math.floor(goal - due)
        due = goal
      }
      await wait(4)
    }
    this.running = false
  }

  answered(line: Line, answer: Answered): void {
    this.answers.push(answer)
    if (this.running && this.options.rate === undefined) this.send(line)
    else this.free.push(line)
  }

  /** Waits until all that was sent is answered, so long at most. */
  async settle(msMax: number): Promise<void> {
    const untilMs = performance.now() + msMax
    while (this.answers.length < this.sent && performance.now() < untilMs) await wait(10)
  }

  private send(line: Line): void {
    this.sent++
    line.send()
  }

  close(): void {
    for (const line of this.lines) line.close()
  }
}
