/** Limits of API keys that people manage, with reasons. */

/** A key that was replaced is accepted for a day, in which its clients get the new one. */
export const rotatedKeyMs = 86_400_000
/** Uses of keys are stored this often: pages show them to the minute, and a crash loses an hour. */
export const keyUsesStoredMs = 3_600_000
