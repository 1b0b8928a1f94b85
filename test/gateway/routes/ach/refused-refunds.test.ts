import { test } from 'tap';
import { must } from '../../../../engine/index.js';
import { listOf } from '../http-lender.js';
import { type AchOverHttp, bankFile, openAch } from './ach-over-http.js';

/** A payment of 20.00 that has settled and is reversed on 2026-03-12; the ids of both transactions. */
async function reversed(lender: AchOverHttp): Promise<readonly [payment: string, reversal: string]> {
  const { ask, pay, settled, goTo, loan, transaction } = lender;
  const id = await pay(20);
  await goTo('2026-03-03');
  await settled();
  await goTo('2026-03-12');
  const back = await ask('POST', `${loan}/transactions/${id}/reverse`, {});
  if (back.status !== 200) throw new Error(back.text);
  return [id, String((await transaction(id))['reversedByTransactionId'])];
}

// A bank that confirms nothing.
const BANK = { sftpAchConfirmationFileNameRegex: null };

const differencesOf = async ({ ask }: AchOverHttp): Promise<readonly unknown[]> =>
  listOf(await ask('GET', '/reconciliations?status=differences')).flatMap(({ items }) => items as readonly unknown[]);

test('a refund to an account that was disabled meanwhile is a difference for a person', async (t) => {
  const lender = await openAch(t, BANK);
  const { ask, settled, goTo, transaction, names, instrumentId } = lender;
  const [id, reversal] = await reversed(lender);
  const account = `/people/ext-ann-1/payment-instruments/${instrumentId}`;
  t.equal((await ask('PUT', account, { status: 'inactive', inactiveReason: 'accountClosed' })).status, 200);
  const sent = names().length;
  await goTo('2026-03-13');
  await settled();
  await settled();
  t.equal(names().length, sent, 'no file has it');
  t.match(await transaction(id), { reversedByTransactionId: reversal, reversingTransactionStatus: 'failed' });
  t.match(await transaction(reversal), { status: 'failed', failureReason: 'invalidAccount' });
  const found = await differencesOf(lender);
  t.match(found, [{ kind: 'missingAtBank', transactionId: reversal, expectedAmount: 20, actualAmount: null, description: /inactive/ }]);
  t.equal(found.length, 1);
});

test('a refund that a bank returns has failed, and is a difference for a person', async (t) => {
  const lender = await openAch(t, BANK);
  const { ask, settled, goTo, transaction, names, read, give, emitted } = lender;
  const [id, reversal] = await reversed(lender);
  await goTo('2026-03-13');
  await settled();
  const file = read(must(names()[1], 'the file with the refund'));
  const entry = must(file.batches[0]?.entries[0], 'an entry');
  t.equal(entry.individualId, reversal);
  await goTo('2026-03-17');
  const returned = bankFile(file, [{ entry, code: 'R03' }]);
  give('RET_1.ach', returned);
  await settled();
  give('RET_2.ach', returned);
  await settled();
  t.match(await transaction(reversal), { status: 'failed', achReturnCode: 'R03' });
  t.match(await transaction(id), { status: 'succeeded', reversingTransactionStatus: 'failed', paidPrincipalAmount: 0 });
  const found = await differencesOf(lender);
  t.match(found, [
    { kind: 'missingAtBank', transactionId: reversal, processorReconciliationId: entry.trace, expectedAmount: 20, description: /R03/ },
  ]);
  t.equal(found.length, 1);
  t.equal((await emitted('payment.failed')).length, 1);
  const [file1] = listOf(await ask('GET', '/ach-files?direction=return'));
  t.match((await ask('GET', `/ach-files/${String(file1?.['id'])}/transactions`)).json, {
    data: [{ transactionId: reversal, problem: null }],
  });
});

test('a reimbursement that a bank returns is owed again, and is no difference', async (t) => {
  const lender = await openAch(t, BANK);
  const { ask, settled, goTo, transaction, names, read, give, loan, instrumentId } = lender;
  const over = { type: 'oneTime', amount: 1300, isExternal: true, status: 'succeeded' };
  t.equal((await ask('POST', `${loan}/transactions?force=true`, over)).status, 201);
  const order = { reimbursementAmount: 60, isExternal: false, paymentInstrumentId: instrumentId };
  const made = await ask('POST', `${loan}/reimburse`, order);
  t.equal(made.status, 200, made.text);
  const reimbursement = String((made.json['data'] as { readonly id: unknown }).id);
  await goTo('2026-03-03');
  await settled();
  const file = read(must(names()[0], 'a file'));
  const entry = must(file.batches[0]?.entries[0], 'an entry');
  await goTo('2026-03-05');
  give('RET_1.ach', bankFile(file, [{ entry, code: 'R03' }]));
  await settled();
  t.match(await transaction(reimbursement), { status: 'failed', achReturnCode: 'R03' });
  t.same(await differencesOf(lender), []);
});
