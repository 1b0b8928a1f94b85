import { test } from 'tap';
import { must, parseDay } from '../../../../engine/index.js';
import { worksOf } from '../daily/days-over-http.js';
import { dataOf } from '../http-lender.js';
import { openCards } from './cards-over-http.js';

test('the calendar shows the payments of a processor of cards, its results, and what keeps them waiting; both can be paused', async (t) => {
  let isAway = false;
  const lender = await openCards(t, { afterAnswer: () => !isAway });
  const { ask, h, pay, settled, cards, processorId, goTo, transaction } = lender;
  const day = async (date: string) => {
    await h.dayWork.run();
    return worksOf(dataOf(await ask('GET', `/operations/daily?date=${date}`)));
  };
  await h.dayWork.run();
  await pay(100);
  await settled();
  t.match(await day('2026-03-02'), { cardPayments: { subjectId: processorId, state: 'running', isLate: false, error: null } });
  await goTo('2026-03-03');
  cards.run(must(parseDay('2026-03-03'), 'a day'));
  await settled();
  t.match(await day('2026-03-03'), {
    cardResults: { subjectId: processorId, state: 'done', counts: { items: 1, differences: 0 }, objectIds: [/^RX-/] },
    cardPayments: { state: 'running' },
  });
  t.match(await day('2026-03-02'), { cardPayments: { state: 'done' } });
  isAway = true;
  await pay(10);
  await settled();
  h.nowMs += 3_600_000;
  t.match(await day('2026-03-03'), { cardPayments: { isLate: true, error: /could not be asked/ } });
  isAway = false;
  for (const work of ['cardPayments', 'cardResults'])
    t.equal((await ask('POST', `/operations/daily/${work}/pause`, { subjectId: processorId })).status, 200);
  const id = await pay(20);
  await settled();
  t.match(await transaction(id), { status: 'initiated' });
  t.match(await day('2026-03-03'), { cardPayments: { state: 'paused' } });
  t.equal((await ask('POST', '/operations/daily/cardPayments/resume', { subjectId: processorId })).status, 200);
  await settled();
  t.match(await transaction(id), { status: 'succeeded' });
});
