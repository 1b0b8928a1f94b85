import { fieldOf } from '../../../engine/index.js';

/** Why an engine no longer serves, for callers and for the operator. */
export interface Ending {
  readonly forCallers: string;
  readonly forOperator: string;
}

/** Failures of the journal after which nothing in memory may be read any more, by their codes. */
const ENDINGS: Readonly<Record<string, Ending>> = {
  journalFenced: {
    forCallers: 'Another worker has taken over.',
    forOperator: 'Another worker has taken over shards of this one: it serves nothing any more.',
  },
  streamDamaged: {
    forCallers: 'A part of the journal is damaged or lost: an operator has to restore it.',
    forOperator:
      'The journal is damaged, or its server has lost acknowledged records: these shards are not served until an operator has restored it.',
  },
};

const codeOf = (cause: unknown): string => String(fieldOf(cause, 'code'));

export const endingOf = (cause: unknown): Ending | null => ENDINGS[codeOf(cause)] ?? null;

/** Acknowledged records of the journal are damaged or missing: opening it again does not help. */
export const isLost = (cause: unknown): boolean => codeOf(cause) === 'streamDamaged';
