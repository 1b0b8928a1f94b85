/** Every bound of the simulator, in one place. */
export const LIMITS = {
  /** Worlds that a run of fresh seeds looks at, unless it is asked for another number. */
  seeds: 20,
  /** Events of a world before it comes to rest and is examined. */
  steps: 20_000,
  /** How far a clock jumps at most, ahead or back, in milliseconds. */
  clockJumpMs: 90_000,
  /** A cluster needs so many events for one of a process: beats, leases and messages are most of them. */
  clusterSteps: 5,
  /** No world needs more events to come to rest. */
  stepsOfRest: 100_000,
  /** Worlds with a planted fault, one of which must show it. */
  seedsUntilFound: 40,
} as const;
