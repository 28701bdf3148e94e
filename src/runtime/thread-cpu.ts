/** CPU time of the calling thread. */

/** Node 20 and 22 have no such function. */
const { threadCpuUsage } = process as {
  readonly threadCpuUsage?: () => { readonly user: number; readonly system: number }
}

/** Milliseconds since the thread started; null if the runtime does not tell them. */
export function threadCpuMs(): number | null {
  if (threadCpuUsage === undefined) return null
  const { user, system } = threadCpuUsage.call(process)
  return (user + system) / 1000
}
