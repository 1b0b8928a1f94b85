import { runInNewContext } from 'node:vm';
import { fieldOf } from '../../../engine/index.js';
import { OutsideFault } from '../../contact/index.js';

type Direction = 'return' | 'confirmation';

export interface NamePattern {
  readonly direction: Direction;
  readonly pattern: RegExp;
}

/** Longest time in which the names of an inbox are compared with the patterns of a processor, in milliseconds. */
const MOST_MS = 250;

/**
 * What each file of an inbox is by its name; undefined where no pattern fits. A lender chooses both the patterns and the names, and a
 * pattern with several repetitions takes hours on a long name: such a comparison is ended, with an `OutsideFault`.
 */
export function directionsOf(names: readonly string[], patterns: readonly NamePattern[]): readonly (Direction | undefined)[] {
  const directionOf = (name: string): Direction | undefined => patterns.find(({ pattern }) => pattern.test(name))?.direction;
  try {
    const found: readonly (Direction | undefined)[] = runInNewContext(
      'names.map(directionOf)',
      { names, directionOf },
      { timeout: MOST_MS },
    );
    return found;
  } catch (cause) {
    if (fieldOf(cause, 'code') !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw cause;
    const fault = 'Comparing the names in the inbox with the patterns of the processor takes too long: use fewer * and + in them.';
    throw new OutsideFault(fault, { cause });
  }
}
