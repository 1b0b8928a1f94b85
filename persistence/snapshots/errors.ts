import { describe, PersistenceError } from '../errors.js';

/**
 * A record or page of an environment is not what was written: the environment must be rebuilt from the journal. The runtime
 * knows the error by its `environment`.
 */
export class DamagedRecord extends PersistenceError {
  readonly code = 'snapshotDamaged';
  readonly helps = 'reopen';

  constructor(
    readonly environment: string,
    readonly key: string,
    cause?: unknown,
  ) {
    super(`environment ${environment} is damaged at ${key}${cause === undefined ? '' : `: ${describe(cause)}`}`, { cause });
  }
}

/** A transaction could not be made durable, most often for want of space. Nothing of it is there; a later one may succeed. */
export class SnapshotWriteFailed extends PersistenceError {
  readonly code = 'snapshotWriteFailed';
  readonly helps = 'later';

  constructor(
    readonly store: string,
    cause: unknown,
  ) {
    super(`environment ${store} cannot be written: ${describe(cause)}`, { cause });
  }
}
