import { test } from 'tap';
import { COUNTED_STATUSES, INTERACTION_STATUSES, type InteractionStatus, mayMove, type StatusMover } from '../../../engine/index.js';

/** The rows of the interface, and that of messages that the service postpones; every other move is refused. */
const MOVES: readonly (readonly [from: InteractionStatus, to: InteractionStatus, by: readonly StatusMover[]])[] = [
  ['scheduled', 'attempted', ['service', 'caller']],
  ['scheduled', 'canceled', ['service', 'caller']],
  ['scheduled', 'failed', ['service', 'caller']],
  ['inProgress', 'succeeded', ['service', 'feedback', 'caller']],
  ['inProgress', 'attempted', ['service', 'feedback', 'caller']],
  ['inProgress', 'failed', ['service', 'feedback', 'caller']],
  ['attempted', 'succeeded', ['feedback', 'caller']],
  ['attempted', 'failed', ['service', 'feedback', 'caller']],
  ['attempted', 'scheduled', ['service']],
  ['succeeded', 'failed', ['feedback', 'caller']],
  ['failed', 'attempted', ['feedback', 'caller']],
  ['failed', 'succeeded', ['feedback', 'caller']],
  ['failed', 'scheduled', ['service']],
];

const MOVERS: readonly StatusMover[] = ['service', 'feedback', 'caller'];

for (const [from, to, by] of MOVES) {
  test(`only ${by.join(', ')} can change ${from} to ${to}`, async (t) => {
    for (const mover of MOVERS) t.equal(mayMove(from, to, mover), by.includes(mover), mover);
  });
}

test('no other status follows another, and canceled is final', async (t) => {
  const isRow = (from: InteractionStatus, to: InteractionStatus): boolean =>
    MOVES.some(([before, after]) => before === from && after === to);
  for (const from of INTERACTION_STATUSES) {
    for (const to of INTERACTION_STATUSES) {
      if (!isRow(from, to))
        t.notOk(
          MOVERS.some((mover) => mayMove(from, to, mover)),
          `${from} to ${to}`,
        );
    }
  }
});

test('failed, canceled and planned contacts count toward no limit', async (t) => {
  t.strictSame(
    INTERACTION_STATUSES.filter((status) => COUNTED_STATUSES.has(status)),
    ['inProgress', 'attempted', 'succeeded'],
  );
});
