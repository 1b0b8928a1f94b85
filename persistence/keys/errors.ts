import { describe, PersistenceError } from '../errors.js';

/** The master key is malformed or not the one that the keys were wrapped with. Names no secret. */
export class MasterKeyError extends PersistenceError {
  readonly code = 'masterKey';
  readonly helps = 'operator';
}

/** There is a journal, and the key of its ids is missing. */
export class IdKeyMissing extends PersistenceError {
  readonly code = 'idKeyMissing';
  readonly helps = 'operator';

  constructor(readonly file: string) {
    super(`${file} is missing: without it new ids could be ids that were given before. Put it back with: cp BACKUP/id.key ${file}`);
  }
}

/** The file of the key of ids was cut or changed. */
export class IdKeyDamaged extends PersistenceError {
  readonly code = 'idKeyDamaged';
  readonly helps = 'operator';

  constructor(readonly file: string) {
    super(`${file} is damaged: it is not what was written. Put it back with: cp BACKUP/id.key ${file}`);
  }
}

/** A part of a data folder is missing that the others need. */
export class DataPartMissing extends PersistenceError {
  readonly code = 'dataPartMissing';
  readonly helps = 'operator';

  constructor(
    readonly path: string,
    consequence: string,
    restore: string,
  ) {
    super(`${path} is missing: ${consequence}. Put it back with: ${restore}`);
  }
}

/** A file of keys belongs to another journal than the one in the same data folder. */
export class ForeignKeys extends PersistenceError {
  readonly code = 'foreignKeys';
  readonly helps = 'operator';

  constructor(
    readonly file: string,
    why: string,
    restore: string,
  ) {
    super(`${file} does not belong to the journal beside it: ${why}. Put the right one back with: ${restore}`);
  }
}

/** The key file holds something that no crash leaves behind: some key may be lost. */
export class KeyFileDamaged extends PersistenceError {
  readonly code = 'keyFileDamaged';
  readonly helps = 'operator';

  constructor(
    readonly file: string,
    readonly offset: number,
    what: string,
  ) {
    super(`key file damaged: ${what} at byte ${offset} of ${file}. Put the file back with: cp BACKUP/${FILE_NAME} ${file}`);
  }
}

/** Keys could not be made durable. They are written once more with the next flush. */
export class KeyFlushFailed extends PersistenceError {
  readonly code = 'keyFlushFailed';
  readonly helps = 'later';

  constructor(cause: unknown) {
    super(`data keys could not be made durable: ${describe(cause)}`, { cause });
  }
}

/** A sealed value names a person whose key was neither created nor destroyed in this store: the key file is too old. */
export class DataKeyMissing extends PersistenceError {
  readonly code = 'dataKeyMissing';
  readonly helps = 'operator';

  constructor(readonly owner: string) {
    super(`the key file knows no data key of ${owner}: it is older than the journal`);
  }
}

/** A data key whose bytes are whole but cannot be unwrapped with the key of the file. */
export class DataKeyBroken extends PersistenceError {
  readonly code = 'dataKeyBroken';
  readonly helps = 'operator';

  constructor(readonly owner: string) {
    super(`the data key of ${owner} cannot be unwrapped: it was put there from another key file`);
  }
}

/** A sealed value whose bytes or context are not those that were sealed. */
export class SealBroken extends PersistenceError {
  readonly code = 'sealBroken';
  readonly helps = 'operator';

  constructor(readonly owner: string) {
    super(`a sealed value of ${owner} is damaged or was moved to another place`);
  }
}

export const FILE_NAME = 'data-keys';
