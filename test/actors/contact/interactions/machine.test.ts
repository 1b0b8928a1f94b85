import { test } from 'tap';
import { INTERACTION_CHART } from '../../../../actors/contact/interactions/evolve.js';
import { INTERACTION_STATUSES, mayMove, type StatusMover } from '../../../../engine/index.js';

const MOVERS: readonly StatusMover[] = ['service', 'feedback', 'caller'];

test('the statechart allows exactly the moves of the table', async (t) => {
  for (const from of INTERACTION_STATUSES) {
    for (const to of INTERACTION_STATUSES) {
      const move = INTERACTION_CHART.moveTo(to);
      const allowed = move !== undefined && INTERACTION_CHART.allows(from, move);
      t.equal(
        allowed,
        MOVERS.some((mover) => mayMove(from, to, mover)),
        `${from} to ${to}`,
      );
      if (allowed) t.equal(INTERACTION_CHART.after(from, move), to);
    }
  }
});
