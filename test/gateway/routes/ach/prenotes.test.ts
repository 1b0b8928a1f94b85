import { test } from 'tap';
import { SimulatedBank } from '../../../../bench/bank/simulated-bank.js';
import { must, parseDay } from '../../../../engine/index.js';
import { ACCOUNT } from '../../../actors/borrower/lender.js';
import { dataOf, listOf } from '../http-lender.js';
import { type AchOverHttp, bankFile, type Data, openAch } from './ach-over-http.js';

const BORROWER = '/people/ext-ann-1/payment-instruments';
const OTHER = { ...ACCOUNT, accountNumber: '880022', verified: true };

/** Adds an active account to the borrower. */
async function added({ ask }: Pick<AchOverHttp, 'ask'>, account: object = OTHER): Promise<string> {
  const [made] = listOf(await ask('POST', `${BORROWER}?force=true`, account));
  return String(must(made, 'an account')['id']);
}

/** Events about payment instruments. */
const instrumentEvents = async ({ ask }: Pick<AchOverHttp, 'ask'>, eventType: string): Promise<readonly Data[]> =>
  listOf(await ask('GET', `/events?eventType=${eventType}&order=asc&limit=100`)).map(({ data }) => data as Data);

/** The bank says that it has a file. */
const confirmed = ({ give, names }: AchOverHttp, at: number): void => give(`CONF_${at}.txt`, `${names()[at] ?? ''} ACCEPTED\n`);

/** Debits and prenotes of the newest file: transaction code, cents, reference. */
const entriesOf = ({ names, read }: AchOverHttp, at: number): readonly (readonly [string, number, string])[] =>
  read(must(names()[at], `file ${at}`)).batches.flatMap(({ entries }) =>
    entries.map(({ transactionCode, amountCents, individualId }) => [transactionCode, amountCents, individualId] as const),
  );

test('a new account gets a prenote with the next file, and is debited on the third banking day after it has settled', async (t) => {
  const ach = await openAch(t);
  const { ask, pay, settled, transaction, names, read, goTo, processorId, instrumentId, loan } = ach;
  t.match(dataOf(await ask('GET', `/payment-processors/${processorId}`)), { achPrenotes: false, achPrenoteWaitDays: 3 });
  t.match(dataOf(await ask('PUT', `/payment-processors/${processorId}`, { achPrenotes: true })), { achPrenotes: true });
  const id = await added(ach);
  t.match(dataOf(await ask('GET', `${BORROWER}/${id}`)), {
    status: 'active',
    prenote: { status: 'ordered', orderedAt: /^2026-03-02/, achFileId: null, effectiveEntryDate: null, achReturnCode: null },
  });
  const [before, first] = [await pay(20), await pay(30, { paymentInstrumentId: id })];
  await goTo('2026-03-03');
  await settled();
  t.strictSame(entriesOf(ach, 0), [
    ['27', 2_000, before],
    ['28', 0, id],
  ]);
  const file = read(must(names()[0], 'a file'));
  t.same([...file.errors, ...file.warnings], []);
  t.match(file.batches[1]?.header, { entryDescription: 'PRENOTE', sec: 'WEB', serviceClass: '225' });
  t.match(await transaction(first), { status: 'initiated', processorTransactionId: null }, 'it waits');
  const sent = dataOf(await ask('GET', `${BORROWER}/${id}`));
  t.match(sent, { status: 'active', prenote: { status: 'sent', effectiveEntryDate: '2026-03-04' } });
  const achFileId = (sent['prenote'] as { readonly achFileId: string }).achFileId;
  t.match((await ask('GET', `/ach-files/${achFileId}`)).json, { data: { entryCount: 2, debitTotalAmount: 20 } });
  t.match(listOf(await ask('GET', `/ach-files/${achFileId}/transactions`)), [
    { transactionId: before, isPrenote: false, paymentInstrumentId: instrumentId },
    { transactionId: null, isPrenote: true, paymentInstrumentId: id, amount: 0 },
  ]);
  confirmed(ach, 0);
  // It settles on Wednesday 4 March; the third banking day after it is Monday the 9th.
  for (const date of ['2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07']) {
    await goTo(date);
    await settled();
  }
  t.equal(names().length, 1, 'nothing goes to the account while it waits');
  t.match(await transaction(first), { status: 'initiated' });
  await goTo('2026-03-10');
  await settled();
  t.strictSame(entriesOf(ach, 1), [['27', 3_000, first]]);
  t.match(await transaction(first), { status: 'pending' });
  const second = await pay(40, { paymentInstrumentId: id });
  await goTo('2026-03-11');
  await settled();
  t.strictSame(entriesOf(ach, 2), [['27', 4_000, second]], 'one prenote is enough');
  const changes = (await instrumentEvents(ach, 'payment.instrument.updated')).flatMap((data) => data['changes'] as readonly unknown[]);
  t.match(changes, [{ field: 'prenote', oldValue: 'ordered', newValue: 'sent' }]);
  t.equal(listOf(await ask('GET', `${loan}/transactions?status=failed`)).length, 0);
});

test('a prenote that comes back makes the account inactive, and its payments fail', async (t) => {
  for (const [code, inactiveReason, failureReason] of [
    ['R03', 'invalidAccount', 'invalidAccount'],
    ['R04', 'invalidAccount', 'incorrectNumber'],
    ['R16', 'other', 'accountFrozen'],
  ] as const) {
    const ach = await openAch(t, { achPrenotes: true });
    const { ask, pay, settled, transaction, names, read, goTo, give } = ach;
    const id = await added(ach);
    const first = await pay(30, { paymentInstrumentId: id });
    await goTo('2026-03-03');
    await settled();
    const file = read(must(names()[0], 'a file'));
    const entry = must(
      file.batches[0]?.entries.find(({ individualId }) => individualId === id),
      'a prenote',
    );
    await goTo('2026-03-05');
    give('RET_1.ach', bankFile(file, [{ entry, code }]));
    give('RET_2.ach', bankFile(file, [{ entry, code }]));
    await settled();
    t.match(dataOf(await ask('GET', `${BORROWER}/${id}`)), {
      status: 'inactive',
      inactiveReason,
      failureReason,
      prenote: { status: 'returned', achReturnCode: code },
    });
    t.equal((await instrumentEvents(ach, 'payment.instrument.deactivated')).length, 1);
    await goTo('2026-03-06');
    await settled();
    t.match(await transaction(first), { status: 'failed', failureReason: 'invalidAccount', achReturnCode: null });
    t.equal(names().length, 1, 'nothing was debited');
    t.match(listOf(await ask('GET', '/ach-files?direction=return')), [{ entryCount: 1 }, { entryCount: 1 }]);
    t.match((await ask('GET', '/reconciliations?status=differences')).json, { total: 0 });

    t.equal((await ask('PUT', `${BORROWER}/${id}`, { status: 'active' })).status, 200);
    await goTo('2026-03-07');
    await settled();
    t.strictSame(entriesOf(ach, 1), [['28', 0, id]], 'an account that is activated again gets another one');
    t.match(dataOf(await ask('GET', `${BORROWER}/${id}`)), { prenote: { status: 'sent', achReturnCode: null } });
  }
});

test('a notification of change about a prenote corrects the account before it is debited', async (t) => {
  const ach = await openAch(t, { achPrenotes: true });
  const { pay, settled, names, read, goTo, give } = ach;
  const id = await added(ach);
  const first = await pay(30, { paymentInstrumentId: id });
  await goTo('2026-03-03');
  await settled();
  const file = read(must(names()[0], 'a file'));
  const entry = must(
    file.batches[0]?.entries.find(({ individualId }) => individualId === id),
    'a prenote',
  );
  await goTo('2026-03-05');
  give('RET_1.ach', bankFile(file, [{ entry, code: 'C03', data: '076401251   990033' }]));
  await settled();
  await goTo('2026-03-10');
  await settled();
  t.match(read(must(names()[1], 'a file')).batches[0]?.entries, [
    { individualId: first, transactionCode: '27', amountCents: 3_000, routingNumber: '076401251', accountNumber: '990033' },
  ]);
});

test('an account that deposits verify needs no prenote, and older accounts get none', async (t) => {
  const ach = await openAch(t);
  const { ask, pay, settled, goTo, processorId } = ach;
  t.equal((await ask('PUT', `/payment-processors/${processorId}`, { achPrenotes: true, achPrenoteWaitDays: 5 })).status, 200);
  const [made] = listOf(await ask('POST', BORROWER, { ...ACCOUNT, accountNumber: '660055' }));
  const id = String(made?.['id']);
  const paid = await pay(20);
  await goTo('2026-03-03');
  await settled();
  t.strictSame(
    entriesOf(ach, 0).map(([code, cents]) => [code, cents]),
    [
      ['22', 32],
      ['22', 45],
      ['27', 77],
      ['27', 2_000],
    ],
  );
  t.equal((await ask('POST', `${BORROWER}/${id}/verify`, { deposit1: 32, deposit2: 45 })).status, 200);
  const second = await pay(30, { paymentInstrumentId: id });
  await goTo('2026-03-04');
  await settled();
  t.strictSame(entriesOf(ach, 1), [['27', 3_000, second]]);
  t.ok(paid);
});

test('a user orders a prenote of any account, and its payments wait for it whatever the setting', async (t) => {
  const ach = await openAch(t, { achPrenoteWaitDays: 4, achSameDayCutoff: '12:00:00Z' });
  const { ask, pay, settled, goTo, names, instrumentId, transaction, processorId } = ach;
  const path = `${BORROWER}/${instrumentId}`;
  t.match(await ask('POST', `${path}/prenote`), { status: 202, json: { data: { prenote: { status: 'ordered' } } } });
  t.match(await ask('POST', `${path}/prenote`), { status: 409 });
  const paid = await pay(20);
  await goTo('2026-03-03');
  await settled();
  t.strictSame(entriesOf(ach, 0), [['28', 0, instrumentId]], 'it is in the file of the next day, not in that of the same day');
  confirmed(ach, 0);
  await goTo('2026-03-07');
  await settled();
  t.equal(names().length, 1);
  await goTo('2026-03-10');
  await settled();
  t.equal(names().length, 2, 'the fourth banking day after 4 March');
  t.match(await transaction(paid), { status: 'pending' });

  t.equal((await ask('PUT', path, { status: 'inactive', inactiveReason: 'borrowerRequest' })).status, 200);
  t.match(await ask('POST', `${path}/prenote`), { status: 409, json: { message: /only an active account/ } });
  const external = await added(ach, { ...ACCOUNT, accountNumber: '5566', isExternal: true });
  t.match(await ask('POST', `${BORROWER}/${external}/prenote`), { status: 409 });
  t.equal((await ask('PUT', path, { status: 'active' })).status, 200);
  t.equal((await ask('PUT', `/payment-processors/${processorId}`, { status: 'deprecated', isDefault: false })).status, 200);
  t.match(await ask('POST', `${path}/prenote`), { status: 422 });
});

test('while the file of a prenote is rejected its account is not debited; the days count from when it was sent again', async (t) => {
  const ach = await openAch(t, { achPrenotes: true });
  const { ask, pay, settled, goTo, names, give, transaction } = ach;
  const id = await added(ach);
  const first = await pay(30, { paymentInstrumentId: id });
  await goTo('2026-03-03');
  await settled();
  give('CONF_1.txt', `${must(names()[0], 'a file')} REJECTED\n`);
  await settled();
  const [file] = listOf(await ask('GET', '/ach-files?direction=outgoing'));
  t.match(file, { status: 'failed' });
  await goTo('2026-03-10');
  await settled();
  t.equal(names().length, 1);
  t.equal((await ask('POST', `/ach-files/${String(file?.['id'])}/resend`)).status, 200);
  await settled();
  give('CONF_2.txt', `${must(names()[0], 'a file')} ACCEPTED\n`);
  await goTo('2026-03-13');
  await settled();
  t.match(await transaction(first), { status: 'initiated' }, 'it settled on 11 March');
  await goTo('2026-03-17');
  await settled();
  t.match(await transaction(first), { status: 'pending' });
});

test('a processor of cards has no prenotes, and fewer than three days are refused', async (t) => {
  const { ask, processorId } = await openAch(t);
  t.match(await ask('PUT', `/payment-processors/${processorId}`, { achPrenoteWaitDays: 2 }), {
    status: 400,
    json: { errors: [{ path: 'achPrenoteWaitDays' }] },
  });
  const cards = { paymentTypes: ['debitCard'], processorType: 'cardHTTP', processorName: 'Cards', status: 'draft', achPrenotes: true };
  t.match(await ask('POST', '/payment-processors?skipConnectionTest=true', cards), {
    status: 400,
    json: { errors: [{ path: 'achPrenotes' }] },
  });
});

test('the simulated bank returns prenotes of the codes that it was given, but for lack of funds', async (t) => {
  const ach = await openAch(t, { achPrenotes: true });
  const { ask, settled, goTo, bank: folder } = ach;
  const [one, two] = [await added(ach), await added(ach, { ...OTHER, accountNumber: '880033' })];
  await goTo('2026-03-03');
  await settled();
  const bankOf = (shares: readonly (readonly [string, number])[]): SimulatedBank =>
    new SimulatedBank({ folder, seed: 1, shares: new Map(shares), losing: 0, repeating: 0 });
  const bank = bankOf([
    ['R01', 1],
    ['R03', 1],
  ]);
  t.match(bank.run(must(parseDay('2026-03-03'), 'a day')), { taken: [/ACH/], rejected: [] });
  t.strictSame(new Set(bank.entries.map(({ code }) => code)), new Set(['R03']));
  await goTo('2026-03-07');
  bankOf([]).run(must(parseDay('2026-03-06'), 'a day'));
  await settled();
  for (const id of [one, two])
    t.match(dataOf(await ask('GET', `${BORROWER}/${id}`)), { status: 'inactive', prenote: { status: 'returned', achReturnCode: 'R03' } });
  t.equal(bankOf([]).balanceCents, 0);
});
