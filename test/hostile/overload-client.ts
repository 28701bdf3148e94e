/** Many connections that send one prepared request at a rate, or as fast as they are answered. */

import { connect } from "node:net"
import type { Socket } from "node:net"

export interface Counted {
  /** Answers by status; 0 for connections that ended before one. */
  readonly statuses: Map<number, number>
  /** Milliseconds from sending to the answer of requests that were not taken, ascending. */
  readonly refusedMs: number[]
}

/** One connection, opened anew where the server ends it. */
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
    // Who says nothing for 10 s is told so and cut off; that answers no request.
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
    const ms = performance.now() - this.sentMs
    this.sentMs = -1
    this.load.answered(this, status, ms)
  }
}

export interface LoadOptions {
  readonly port: number
  readonly request: Buffer
  readonly connections: number
  /** Requests a second; as many as are answered where absent. */
  readonly rate?: number
}

export class Load implements Counted {
  readonly statuses = new Map<number, number>()
  readonly refusedMs: number[] = []
  readonly port: number
  readonly request: Buffer
  /** Requests that were due while every connection waited for an answer. */
  unsent = 0
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
      for (; due < goal && this.free.length > 0; due++) this.free.pop()!.send()
      if (rate !== undefined && due < goal) {
        this.unsent += Math.floor(goal - due)
        due = goal
      }
      await new Promise((resolve) => setTimeout(resolve, 4))
    }
    this.running = false
  }

  answered(line: Line, status: number, ms: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    if (status !== 202) this.refusedMs.push(ms)
    if (this.running && this.options.rate === undefined) line.send()
    else this.free.push(line)
  }

  count(status: number): number {
    return this.statuses.get(status) ?? 0
  }

  close(): void {
    for (const line of this.lines) line.close()
  }
}
