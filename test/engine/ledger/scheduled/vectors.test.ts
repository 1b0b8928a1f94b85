import { test } from 'tap';
import { missing, vectorsOf } from '../../../shared.js';
import { unmet } from './compare-ledger.js';
import { type LedgerVector, Player } from './play-vector.js';
import { READINGS } from './readings.js';

/** Ledgers with daily figures, which `test/engine/ledger/installment/fraction-vectors` runs. */
const BY_DAY: readonly string[] = ['fsp-l01', 'fsp-l06', 'fsp-l09', 'fsp-l10', 'fsp-l11'];

/** Vectors that are not run, and the reasons. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'fin-e2e-l23':
    'its rows stand while the loan is charged off (chargeOff.behavior regular, conventions 7); here everything is due at once (accelerate)',
  'fsp-l02':
    'a late charge is dated on the due date that it punishes, three days of grace before it is earned; here on the day on which it is ' +
    '(servicing-behaviour 11.5), so that no past day changes',
  'fsp-l03':
    'a late charge is dated on the due date that it punishes, three days of grace before it is earned; here on the day on which it is ' +
    '(servicing-behaviour 11.5), so that no past day changes',
};

const ledgers = vectorsOf<LedgerVector>('ledger.json', 'ledger');
const waterfalls = vectorsOf<LedgerVector>('waterfall.json', 'waterfall');
const vectors = [...(ledgers ?? []), ...(waterfalls ?? [])];
const skip = ledgers && waterfalls ? false : missing('domain', 'vectors', 'ledger.json');

test('every published ledger and waterfall is computed, or named with a reason', { skip }, (t) => {
  const known = [...Object.keys(READINGS), ...BY_DAY, ...Object.keys(NOT_RUN)].sort();
  t.same(vectors.map(({ id }) => id).sort(), known);
  for (const [id, reason] of Object.entries(NOT_RUN)) t.comment(`not played: ${id}: ${reason}`);
  t.end();
});

test('published ledgers by installment are matched in every figure', { skip }, (t) => {
  for (const vector of vectors) {
    const reading = READINGS[vector.id];
    if (reading === undefined) continue;
    const player = new Player(vector, reading);
    for (const [position, step] of (vector.steps ?? []).entries()) {
      player.play(step);
      if (step.expect !== undefined) t.same(unmet(player, step.expect), [], `${vector.id} at step ${position + 1}: ${vector.title}`);
    }
  }
  t.end();
});
