import type { KeyStore } from '../ports.js';

export interface KeyFault {
  readonly owner: string;
  readonly message: string;
}

/** Which of the persons cannot be read with these keys, and which keys are not what they should be. */
export function keyFaultsOf(
  persons: Iterable<string>,
  keys: Pick<KeyStore, 'knows'> & { brokenOwners?(): Iterable<string> },
): readonly KeyFault[] {
  const faults: KeyFault[] = [];
  for (const owner of persons)
    if (!keys.knows(owner)) faults.push({ owner, message: 'has no data key: the key store is an older copy, or a part of it is lost' });
  for (const owner of keys.brokenOwners?.() ?? [])
    faults.push({ owner, message: 'has a data key that cannot be unwrapped: it was put there from another key store' });
  return faults;
}
