/** The environment of programs that tests start. */

/**
 * This process's environment without settings of the program: those of a developer's shell are for
 * another server, and the program refuses the tests' own variables as unknown.
 */
export function environmentWithoutSettings(): Record<string, string | undefined> {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("TIDEGAUGE_"))
  return Object.fromEntries(others)
}
