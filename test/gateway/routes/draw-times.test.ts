import { test } from 'tap';
import { dataOf, listOf, newCase } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';

/** What a draw shows of its line, and the events of a draw. */

interface Draw {
  readonly id: string;
  readonly status: string;
  readonly timestamps: Readonly<Record<string, string | null>>;
}

test('a draw is frozen, accelerated and charged off at the time of its line', async (t) => {
  const { ask, line, draw, goTo } = await openLineOverHttp(t, { freezeAllowedForLineOfCredit: true });
  const early = await draw();
  await ask('POST', `${early}/purchases`, { amount: 300 });
  const shown = async (path: string): Promise<Draw> => dataOf(await ask('GET', path)) as unknown as Draw;
  await goTo('2026-03-05');
  await ask('POST', `${line}/freeze`, {});
  t.match(await shown(early), { status: 'frozen', timestamps: { frozenAt: (await shown(line)).timestamps['frozenAt'], paidOffAt: null } });
  await goTo('2026-03-06');
  await ask('POST', `${line}/unfreeze`, {});
  const late = await draw();
  t.equal((await shown(late)).timestamps['frozenAt'], null, 'it was not there yet');
  await ask('POST', `${line}/charge-off`, { chargedOffReason: 'legal' });
  const { acceleratedAt, chargedOffAt } = (await shown(line)).timestamps;
  for (const path of [early, late])
    t.match(await shown(path), { status: 'chargedOff', timestamps: { acceleratedAt, chargedOffAt }, current: { periodicPayment: null } });
  t.match(await shown(line), { status: 'chargedOff', current: { periodicPayment: null } });
  await ask('POST', `${line}/reverse-charge-off`, {});
  t.match(await shown(early), { status: 'active', timestamps: { acceleratedAt: null, chargedOffAt: null } });
});

test('the activation of a draw answers the rows of that draw alone', async (t) => {
  const { ask, line, draw } = await openLineOverHttp(t);
  await ask('POST', `${await draw()}/purchases`, { amount: 1000 });
  const second = `${line}/draws/${String(dataOf(await ask('POST', `${line}/draws`, { status: 'originated' }))['id'])}`;
  t.match(await ask('POST', `${second}/activate`, {}), { status: 200, json: { data: { schedule: [{ amount: 0 }] } } });
});

test('events about a draw are about a draw, with both of its ids', async (t) => {
  const { ask, line, draw, goTo, emitted } = await openLineOverHttp(t, { interest: { minimumInterestCharge: 2 } });
  const path = await draw({ externalId: 'd-1', atOrigination: { fees: { drawFeeAmount: 7.5 } } });
  const { id } = dataOf(await ask('GET', path)) as unknown as Draw;
  await ask('POST', `${path}/credit-limit`, { creditLimitAmount: 900 });
  await ask('POST', `${path}/purchases`, { amount: 20, externalId: 'p-1' });
  await goTo('2026-03-30');
  const about = async (eventType: string): Promise<object | undefined> => listOf(await ask('GET', `/events?eventType=${eventType}`)).at(-1);
  for (const eventType of ['draw.fee.booked', 'draw.credit.limit.changed', 'loan.interestaccrued.min']) {
    t.match(
      await about(eventType),
      { objectType: 'draw', objectId: id, drawId: id, externalIds: { drawId: 'd-1', personId: 'ann-1' } },
      eventType,
    );
  }
  t.match(await about('purchase.settled'), { objectType: 'purchase', drawId: id, externalIds: { drawId: 'd-1' } });
  const [fee] = listOf(await ask('GET', `${path}/fees`));
  t.match((await emitted('draw.fee.booked'))[0], { feeId: fee?.['id'], feeTypeId: null, amount: 7.5, drawId: id });
  const [charged] = (await emitted('loan.interestaccrued.min')) as readonly {
    readonly drawId: string;
    readonly periodId: string;
    readonly effectiveDate: string;
  }[];
  const stated = listOf(await ask('GET', `${line}/periods`)).find(({ statementDate }) => statementDate === charged?.effectiveDate);
  t.match(charged, { drawId: id, periodId: stated?.['id'], amount: 2 });
});

test('a closed draw is paid off when nothing is owed on it, and active again when something is', async (t) => {
  const { ask, draw, goTo, emitted } = await openLineOverHttp(t);
  const path = await draw();
  const bought = String(dataOf(await ask('POST', `${path}/purchases`, { amount: 80 }))['id']);
  const shown = async (): Promise<Draw> => dataOf(await ask('GET', path)) as unknown as Draw;
  const moves = async (): Promise<readonly unknown[]> =>
    (await emitted('loan.statuschanged'))
      .filter(({ drawId }) => drawId !== undefined)
      .map(({ oldStatus, newStatus }) => [oldStatus, newStatus]);
  await ask('POST', `${path}/close`, {});
  t.match(await shown(), { status: 'active', timestamps: { paidOffAt: null } });
  const opened = (await moves()).length;
  await goTo('2026-03-02');
  const refund = await ask('POST', `${path}/purchases`, { amount: 80, type: 'refund', originalPurchaseId: bought });
  const back = `${path}/purchases/${String(dataOf(refund)['id'])}`;
  t.match(await shown(), { status: 'paidOff', timestamps: { paidOffAt: /^2026-03-02/ } });
  await ask('POST', `${back}/cancel`, {});
  t.match(await shown(), { status: 'active', timestamps: { paidOffAt: null } });
  t.same((await moves()).slice(opened), [
    ['active', 'paidOff'],
    ['paidOff', 'active'],
  ]);
});

test('a draw emits its own status changes, and its line those of all its draws', async (t) => {
  const { ask, line, goTo, emitted } = await openLineOverHttp(t);
  const path = `${line}/draws/${String(dataOf(await ask('POST', `${line}/draws`, { status: 'pending', externalId: 'd-1' }))['id'])}`;
  const { id } = dataOf(await ask('GET', path)) as unknown as Draw;
  await ask('PUT', path, { status: 'originated' });
  await ask('PUT', path, { nickname: 'Boat' });
  await ask('POST', `${path}/activate`, {});
  await goTo('2026-03-05');
  const caseId = await newCase({ ask });
  await ask('POST', `${path}/cancel`, { cancellationReason: 'borrowerRequest', caseId });
  const events = listOf(await ask('GET', '/events?eventType=loan.statuschanged&objectType=draw&order=asc'));
  t.match(
    events,
    [
      [null, 'pending'],
      ['pending', 'originated'],
      ['originated', 'active'],
      ['active', 'canceled'],
    ].map(([oldStatus, newStatus]) => ({
      objectId: id,
      drawId: id,
      externalIds: { drawId: 'd-1' },
      data: { drawId: id, oldStatus, newStatus, effectiveDate: /^2026-03-0/ },
    })),
  );
  t.equal(events.length, 4);
  t.match(events.at(-1), { data: { reason: 'borrowerRequest', caseId, effectiveDate: '2026-03-05' } });
  await ask('POST', `${line}/draws`, { status: 'declined', declineReason: { mainText: 'too many' } });
  await ask('POST', `${line}/cancel?force=true`, { cancellationReason: 'borrowerRequest' });
  const all = await emitted('loan.statuschanged');
  t.match(
    all.slice(-2).map(({ oldStatus, newStatus, drawId }) => [oldStatus, newStatus, drawId ?? null]),
    [
      [null, 'declined', /^LN-/],
      ['active', 'canceled', null],
    ],
  );
});

test('a line and its draws show what all loans show', async (t) => {
  const { ask, line, draw, created } = await openLineOverHttp(t, { assetDisplayName: 'Card', assetType: 'creditCard' });
  const path = await draw();
  const matched = { principalMatch: true, interestMatch: true, feesMatch: true, totalAdvancesMatch: true, recurringAmountsMatch: true };
  t.match(await ask('GET', line), { json: { data: { amountsValidation: matched } } });
  t.match(await ask('GET', path), {
    json: {
      data: {
        amountsValidation: matched,
        assetType: 'creditCard',
        assetDisplayName: 'Card',
        mainBorrowerExternalId: 'ann-1',
        chargedOffReason: null,
      },
    },
  });
  const other = `/people/ext-ann-1/loans/${String(dataOf(await created())['id'])}`;
  t.match(await ask('GET', other), { json: { data: { amountsValidation: null } } }, 'before activation nothing is compared');
  t.match(await ask('POST', `${other}/validate`, {}), { status: 200, json: { data: { amountsValidation: null, issues: [] } } });
  t.match(await ask('POST', `${other}/activate`, {}), { json: { data: { amountsValidation: matched } } });
  t.match(await ask('POST', `${line}/validate`, {}), { status: 200, json: { data: { amountsValidation: matched } } });
  t.match(await ask('GET', `${path}/expected-payments`), { status: 200, json: { count: 1, data: { schedule: [{}] } } });
  await ask('POST', `${path}/purchases`, { amount: 10 });
  await ask('POST', `${line}/charge-off`, { chargedOffReason: 'legal' });
  t.match(await ask('GET', path), { json: { data: { status: 'chargedOff', chargedOffReason: 'legal' } } });
});
