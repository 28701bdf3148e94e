/** Computed metrics in an order in which each comes after those that it is computed from. */

export interface DependencyOrder {
  /** Those that depend on no cycle. */
  readonly order: readonly string[]
  /** Each cycle once, as the names along it; whoever depends on one is left out of `order` too. */
  readonly cycles: readonly (readonly string[])[]
}

/** `sourcesOf` gives the names among `names` that one is computed from. */
export function dependencyOrder(
  names: Iterable<string>,
  sourcesOf: (name: string) => Iterable<string>,
): DependencyOrder {
  const order: string[] = []
  const cycles: string[][] = []
  const states = new Map<string, "open" | "done" | "cyclic">()
  const path: string[] = []
  const visit = (name: string): boolean => {
    const state = states.get(name)
    if (state === "open") {
      cycles.push([...path.slice(path.indexOf(name)), name])
      return false
    }
    if (state !== undefined) return state === "done"
    states.set(name, "open")
    path.push(name)
    let isSound = true
    for (const source of sourcesOf(name)) isSound = visit(source) && isSound
    path.pop()
    states.set(name, isSound ? "done" : "cyclic")
    if (isSound) order.push(name)
    return isSound
  }
  for (const name of names) visit(name)
  return { order, cycles }
}
