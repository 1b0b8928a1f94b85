import { type Test, test } from 'tap';
import { actorModules } from '../../../actors/index.js';
import { type Data, Harness, itemsOf, plain, refusalOf } from '../harness.js';
import { loanBody } from './setting.js';

/*
 * The loans of a borrower whose data key is gone are serviced like others, by their own ids: that of an erased one, or a key that was lost
 * and given up. Nothing personal can be recorded of such a borrower any more.
 */

type How = 'erased' | 'lost';

const CHECK = { instrumentType: 'check', isExternal: true, status: 'active', payerName: 'Ann Quimby', checkNumber: '55-12' };

interface Gone {
  readonly h: Harness;
  readonly personId: string;
  readonly loanId: string;
  pay(more?: object, key?: string): Promise<Data>;
  payments(): Promise<readonly Data[]>;
  goTo(date: string): Promise<void>;
}

/** A loan of 10,000.00 with a payment: paid off where the borrower is erased, since loans that are serviced need theirs. */
async function openGone(t: Test, how: How): Promise<Gone> {
  const h = await Harness.open(() => actorModules());
  t.teardown(() => h.close());
  const goTo = async (date: string): Promise<void> => {
    h.nowMs = Date.parse(`${date}T17:00:00Z`);
    await h.engine.sweeper.advance({ company: h.company, mode: 'test' }, h.nowMs);
    await h.engine.settled();
  };
  h.nowMs = Date.parse('2024-01-15T17:00:00Z');
  await h.makeCompany();
  const { id: personId } = await h.data('person.create', null, { externalId: 'ann-1', name: { firstName: 'Ann', lastName: 'Quimby' } });
  const { id: checkId } = await h.data('paymentInstrument.create', personId, CHECK, { permissions: ['*'] });
  const { id: loanTypeId } = await h.data('loanType.create', h.company, { type: 'installment', name: 'Personal loan' });
  const body = { ...loanBody(loanTypeId), externalId: 'loan-of-ann', metaData: { hint: 'aunt Gerda' }, nickname: 'Anns roof' };
  const { id: loanId } = await h.data('loan.create', personId, body, { params: { personId } });
  const pay = (more: object = {}, key?: string): Promise<Data> =>
    h.data(
      'transaction.create',
      loanId,
      { type: 'oneTime', amount: 299.72, isExternal: true, status: 'succeeded', paymentInstrumentId: checkId, ...more },
      { params: { personId }, permissions: ['*'], query: { force: true }, ...(key === undefined ? {} : { key }) },
    );
  await h.command('loan.activate', loanId, {}, { params: { personId } });
  await goTo('2024-02-15');
  await pay({ externalId: 'payment-of-ann', metaData: { hint: 'uncle Ferdinand' }, ...(how === 'erased' ? { amount: 20_000 } : {}) });
  if (how === 'erased') await h.command('person.erase', personId, {}, { system: true });
  else {
    await h.keys.destroy(personId);
    await h.restart();
  }
  return { h, personId, loanId, pay, payments: async () => itemsOf(await h.query('transaction.list', loanId)), goTo };
}

const COMMANDS: { readonly [Each in How]: readonly (readonly [string, object])[] } = {
  erased: [
    ['loan.update', { muteLoanNotices: true }],
    ['loan.refresh', {}],
    ['loan.replay', {}],
  ],
  lost: [
    ['loan.update', { muteLoanNotices: true }],
    ['loan.freeze', {}],
    ['loan.unfreeze', {}],
    ['loan.refresh', {}],
    ['loan.replay', {}],
  ],
};

for (const how of ['erased', 'lost'] as const) {
  test(`${how}: commands with an idempotency key are carried out, and answered again alike`, async (t) => {
    const { h, personId, loanId, pay } = await openGone(t, how);
    for (const [type, body] of COMMANDS[how]) {
      const asked = { params: { personId }, key: `key-${type}` };
      const run = async (): Promise<unknown> => plain((await h.command(type, loanId, body, asked)).data);
      const first = await run();
      t.notMatch(JSON.stringify(first), /of-ann|Gerda|roof/, type);
      t.strictSame(await run(), first, `${type} again`);
    }
    if (how === 'lost') {
      const paid = await pay({}, 'key-pay');
      t.strictSame(await pay({}, 'key-pay'), paid);
      await h.restart();
      t.strictSame(await pay({}, 'key-pay'), paid, 'after a restart');
    }
    t.match(await h.query('loan.get', loanId), { externalId: null, metaData: null, nickname: null, muteLoanNotices: true });
    t.strictSame(h.reports, []);
  });

  test(`${how}: what a client wants to find again is refused before anything is recorded`, async (t) => {
    const { h, personId, loanId, pay, payments } = await openGone(t, how);
    const [before, paid] = [await h.query('loan.get', loanId), await payments()];
    for (const change of [{ externalId: 'again-of-ann' }, { metaData: { hint: 'again Gerda' } }, { nickname: 'Anns garden' }]) {
      const [name = ''] = Object.keys(change);
      for (const key of [{}, { key: `key-${name}` }]) {
        const refused = await h.refusal('loan.update', loanId, change, { params: { personId }, ...key });
        t.match(refused, { errorType: 'invalidState', errors: [{ path: name }] }, name);
      }
    }
    if (how === 'lost') t.equal((await refusalOf(pay({ externalId: 'second-of-ann' }))).errorType, 'invalidState');
    t.strictSame([await h.query('loan.get', loanId), await payments()], [before, paid]);
    await h.restart();
    t.strictSame([await h.query('loan.get', loanId), await payments()], [before, paid]);
    t.notOk(/again|second-of-ann|garden/.test(h.written()));
  });

  test(`${how}: the days go on`, async (t) => {
    const { h, loanId, goTo, pay } = await openGone(t, how);
    await goTo('2024-05-20');
    if (how === 'lost') await pay({ amount: 900 }, 'key-late');
    await goTo('2024-09-20');
    const loan = await h.query('loan.get', loanId);
    await h.restart();
    t.strictSame(await h.query('loan.get', loanId), loan);
    t.strictSame(h.reports, []);
  });
}
