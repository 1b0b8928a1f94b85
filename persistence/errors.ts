import type { RecoveryCase } from './journal/segments.js';

/** A fault outside of the program: of disks, files, keys. A bug is an `assert` and never one of these. */
export abstract class PersistenceError extends Error {
  /** Stable, for logs, metrics and tests. */
  abstract readonly code: string;
  /** What helps: a person, opening again, or the same call later. */
  abstract readonly helps: 'operator' | 'reopen' | 'later';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A position in the journal, and which case of the recovery table is found there. */
export interface JournalPosition {
  readonly file: string;
  readonly offset: number;
  readonly case: RecoveryCase;
}

/** The journal holds something that no crash can leave behind: serving it could serve wrong balances. */
export class JournalDamaged extends PersistenceError {
  readonly code = 'journalDamaged';
  readonly helps = 'operator';

  constructor(
    readonly position: JournalPosition,
    /** The command that puts the file back, with the operator's backup in place of `BACKUP`. */
    readonly restore: string,
  ) {
    super(
      `journal damaged: ${position.case.name} (case ${position.case.letter}) in ${position.file} at byte ${position.offset}: ` +
        `${position.case.meaning}. Look with: tenor verify. Put the file back with: ${restore}`,
    );
  }
}

/** The stream of a cluster's journal holds something that its writers cannot have written, or has lost something. */
export class StreamDamaged extends PersistenceError {
  readonly code = 'streamDamaged';
  readonly helps = 'operator';

  constructor(
    readonly stream: string,
    readonly shard: number,
    /** Sequence in the stream of the message; 0 when it is about the subject's end. */
    readonly streamSequence: number,
    meaning: string,
  ) {
    super(
      `the stream ${stream} is damaged: shard ${shard}, message ${streamSequence}: ${meaning}. ` +
        'Restore it from its backup: nats stream restore',
    );
  }
}

/** Another writer has taken a shard over: this one can no longer append. */
export class JournalFenced extends PersistenceError {
  readonly code = 'journalFenced';
  readonly helps = 'reopen';

  constructor(
    readonly shard: number,
    cause: unknown,
  ) {
    super(`shard ${shard} has another writer now: ${describe(cause)}`, { cause });
  }
}

/** A write or flush failed. What is on the disk is not known until the journal has been opened again. */
export class JournalFailed extends PersistenceError {
  readonly code = 'journalFailed';
  readonly helps = 'reopen';

  constructor(cause: unknown) {
    super(`the journal takes no appends until it is opened again: ${describe(cause)}`, { cause });
  }
}

/** An export differs from what was written, or lacks something. Nothing of it is restored. */
export class ExportDamaged extends PersistenceError {
  readonly code = 'exportDamaged';
  readonly helps = 'operator';

  constructor(
    readonly file: string,
    readonly offset: number,
    meaning: string,
  ) {
    super(`the export is damaged: ${file} at ${offset}: ${meaning}. Take another copy of it`);
  }
}

/** An object of the object store differs from what was stored. */
export class ObjectDamaged extends PersistenceError {
  readonly code = 'objectDamaged';
  readonly helps = 'reopen';

  constructor(
    readonly object: string,
    meaning: string,
  ) {
    super(`the object ${object} is damaged: ${meaning}`);
  }
}

/** The target of an export or a restore is not empty. */
export class LocationTaken extends PersistenceError {
  readonly code = 'placeTaken';
  readonly helps = 'operator';
}

/** There is no data at the location to read from. */
export class LocationMissing extends PersistenceError {
  readonly code = 'placeMissing';
  readonly helps = 'operator';
}

/** No server of NATS answers at the address. */
export class NatsAway extends PersistenceError {
  readonly code = 'natsAway';
  readonly helps = 'later';

  constructor(url: string, reason: string, options?: ErrorOptions) {
    super(`no NATS server answers at ${url}: ${reason}`, options);
  }
}

/** The value of a key is not the one that the writer has read: another writer was faster. */
export class KeyValueConflict extends PersistenceError {
  readonly code = 'keyValueConflict';
  readonly helps = 'reopen';

  constructor(
    readonly key: string,
    options?: ErrorOptions,
  ) {
    super(`${key} was changed by somebody else`, options);
  }
}

/** The store that a cluster shares has not answered in time. Whether a write arrived is unknown. */
export class KeyValueUnavailable extends PersistenceError {
  readonly code = 'keyValueUnavailable';
  readonly helps = 'later';

  constructor(cause: unknown) {
    super(`the shared key-value store does not answer: ${describe(cause)}`, { cause });
  }
}

export function describe(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
