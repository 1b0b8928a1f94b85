/** All limits of the simulator. */
export const LIMITS = {
  /** Worlds of a run of fresh seeds, unless another number is given. */
  seeds: 20,
  /** Events of a world before the faults end and it is examined. */
  steps: 20_000,
  /** Largest jump of a clock, ahead or back, in milliseconds. */
  clockJumpMs: 90_000,
  /** A cluster needs so many events for one of a single process: beats, leases and messages are most of them. */
  clusterSteps: 5,
  /** No world needs more events to become quiet. */
  stepsOfRest: 100_000,
  /** Worlds with a planted fault, one of which must show it. */
  seedsUntilFound: 40,
} as const;
