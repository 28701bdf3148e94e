/** A port without a listener. */

import { createServer } from "node:net"

/** Below those that a system gives of its own accord, from 32,768 on. */
const first = 12_000
const portsPerProcess = 16
const processes = 1_000
let next = first + (process.pid % processes) * portsPerProcess

/** One that no other process of the tests asks for, and that the system gives to none. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next++
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false))
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })
}
