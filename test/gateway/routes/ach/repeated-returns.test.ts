import { test } from 'tap';
import { must } from '../../../../engine/index.js';
import { dataOf, listOf } from '../http-lender.js';
import { type AchOverHttp, bankFile, type Data, openAch } from './ach-over-http.js';

const UNCONFIRMED = { sftpAchConfirmationFileNameRegex: null };

const differencesOf = async ({ ask }: AchOverHttp): Promise<readonly Data[]> =>
  listOf(await ask('GET', '/reconciliations')).flatMap(({ items }) => items as readonly Data[]);

test('an entry that comes back again in another file, on another day and line, is the same return and noted once', async (t) => {
  const lender = await openAch(t, UNCONFIRMED);
  const { pay, settled, goTo, read, names, give, transaction, emitted } = lender;
  const [first, second, third] = [await pay(20), await pay(30), await pay(40)];
  await goTo('2026-03-03');
  await settled();
  const file = read(must(names()[0], 'a file'));
  const entryOf = (id: string) =>
    must(
      file.batches[0]?.entries.find(({ individualId }) => individualId === id),
      id,
    );
  const late = { entry: entryOf(first), code: 'R01' };
  const wrong = { entry: entryOf(second), code: 'R01', amountCents: 3001 };
  const unknown = { entry: { ...entryOf(second), trace: '021000020000099' }, code: 'R03' };
  const other = { entry: entryOf(third), code: 'R01' };
  await goTo('2026-05-20');
  give('RET_1.ach', bankFile(file, [late, wrong, unknown]));
  await settled();
  const before = await differencesOf(lender);
  t.equal(before.length, 3);
  await goTo('2026-05-21');
  give('RET_2.ach', bankFile(file, [other, unknown, wrong, late]));
  await settled();
  give('RET_3.ach', bankFile(file, [wrong, late]));
  await settled();
  const after = await differencesOf(lender);
  t.strictSame(
    after
      .filter(({ transactionId }) => transactionId !== third)
      .map(({ id }) => id)
      .sort(),
    before.map(({ id }) => id).sort(),
  );
  t.match(
    after.filter(({ transactionId }) => transactionId === third),
    [{ kind: 'lateReturn' }],
  );
  t.match(await transaction(first), { status: 'failed', achReturnCode: 'R01' });
  t.equal((await emitted('payment.failed')).length, 2);
  // Another code or another amount is another answer of the bank.
  give('RET_4.ach', bankFile(file, [{ ...wrong, amountCents: 3002 }]));
  await settled();
  t.equal((await differencesOf(lender)).length, after.length + 1);
});

test('a holiday of the lender does not lengthen the window in which a bank may return', async (t) => {
  const lender = await openAch(t, UNCONFIRMED);
  const { ask, company, pay, settled, goTo, read, names, give } = lender;
  await ask('PUT', `/companies/${company}`, { config: { calendar: { holidays: ['2026-03-05'] } } });
  const id = await pay(20);
  await goTo('2026-03-03');
  await settled();
  const file = read(must(names()[0], 'a file'));
  const entry = must(
    file.batches[0]?.entries.find(({ individualId }) => individualId === id),
    id,
  );
  await goTo('2026-03-09'); // it settled on the 4th: two banking days later is the 6th
  give('RET_1.ach', bankFile(file, [{ entry, code: 'R01' }]));
  await settled();
  t.match(await differencesOf(lender), [{ kind: 'lateReturn', transactionId: id }]);
});

test('a copy of a return that came in time is not late', async (t) => {
  const lender = await openAch(t, UNCONFIRMED);
  const { pay, settled, goTo, read, names, give, transaction } = lender;
  const id = await pay(20);
  await goTo('2026-03-03');
  await settled();
  const file = read(must(names()[0], 'a file'));
  const entry = must(file.batches[0]?.entries[0], 'an entry');
  await goTo('2026-03-05');
  give('RET_1.ach', bankFile(file, [{ entry, code: 'R01' }]));
  await settled();
  await goTo('2026-04-20');
  give('RET_2.ach', bankFile(file, [{ entry, code: 'R01' }]));
  await settled();
  t.match(await differencesOf(lender), []);
  t.equal((await differencesOf(lender)).length, 0);
  t.match(await transaction(id), { status: 'failed', achReturnCode: 'R01' });
});

test('a refund that a bank returns twice is one difference, on whatever days', async (t) => {
  const lender = await openAch(t, UNCONFIRMED);
  const { ask, pay, settled, goTo, read, names, give, loan, transaction } = lender;
  const id = await pay(20);
  await goTo('2026-03-03');
  await settled();
  await goTo('2026-03-12');
  t.equal((await ask('POST', `${loan}/transactions/${id}/reverse`, {})).status, 200);
  await goTo('2026-03-13');
  await settled();
  const file = read(must(names()[1], 'the file with the refund'));
  const entry = must(file.batches[0]?.entries[0], 'an entry');
  for (const day of ['2026-03-16', '2026-03-17']) {
    await goTo(day);
    give(`RET_${day}.ach`, bankFile(file, [{ entry, code: 'R03' }]));
    await settled();
  }
  const found = await differencesOf(lender);
  t.equal(found.length, 1);
  t.match(await transaction(id), { reversingTransactionStatus: 'failed' });
});

test('a correction that comes again does not undo a newer one', async (t) => {
  const lender = await openAch(t, UNCONFIRMED);
  const { pay, settled, goTo, read, names, give, ask, instrumentId } = lender;
  await pay(20);
  await goTo('2026-03-03');
  await settled();
  const file = read(must(names()[0], 'a file'));
  const entry = must(file.batches[0]?.entries[0], 'an entry');
  await goTo('2026-03-05');
  const old = bankFile(file, [{ entry, code: 'C01', data: '1111222233' }]);
  give('RET_1.ach', old);
  await settled();
  // The second notification has another number of the bank's own.
  await goTo('2026-03-06');
  give(
    'RET_2.ach',
    bankFile(file, [
      { entry, code: 'C05', data: '27' },
      { entry, code: 'C01', data: '4444555566' },
    ]),
  );
  await settled();
  const account = async (): Promise<Data> => dataOf(await ask('GET', `/people/ext-ann-1/payment-instruments/${instrumentId}`));
  t.match(await account(), { accountNumberLastFour: '5566' });
  give('RET_3.ach', old);
  await settled();
  t.match(await account(), { accountNumberLastFour: '5566' });
  t.match(await differencesOf(lender), []);
});
