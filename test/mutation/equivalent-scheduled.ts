import { type Equivalent, equivalent, SAME_OF_EQUALS, ONLY_SLOWER } from './equivalent-entry.js';

/* Mistakes in the ledger of loans with scheduled interest that change nothing: see `equivalent.ts`. */

export const BY_INSTALLMENT: readonly Equivalent[] = [
  equivalent('engine/ledger/scheduled/split.ts', 'boundary', '<', '<=', 'const end = to < through.until', SAME_OF_EQUALS),
  equivalent(
    'engine/ledger/scheduled/checkpoints.ts',
    'constant',
    '0',
    '1',
    'const sequence = facts.reduce(',
    'It is behind all others in either case, and that is all that counts.',
  ),
  equivalent(
    'engine/ledger/scheduled/plan.ts',
    'boundary',
    '>',
    '>=',
    'const later =',
    'What joins on the first day itself lies in no period that begins then or later: a period begins after its first day.',
  ),
  equivalent(
    'engine/ledger/scheduled/revive.ts',
    'function',
    'find',
    'findLast',
    'find((',
    'Periods of rows do not overlap, and a day has one row of its own.',
  ),
  equivalent(
    'engine/ledger/scheduled/rows-before.ts',
    'removed',
    'this.#isInOrder = isInOrder;',
    ';',
    'this.#isInOrder = isInOrder;',
    ONLY_SLOWER,
  ),
  equivalent('engine/ledger/scheduled/rows-before.ts', 'condition', 'this.#isInOrder', 'false', 'this.#isInOrder ?', ONLY_SLOWER),
  equivalent('engine/ledger/scheduled/split.ts', 'condition', 'isSame', 'false', 'if (isSame)', ONLY_SLOWER),
  equivalent('engine/ledger/scheduled/payable.ts', 'boundary', '<', '<=', 'day < row.dueDay ? day : row.dueDay', SAME_OF_EQUALS),
];
