import { test } from 'tap';
import { must } from '../../../../engine/index.js';
import { dataOf, listOf } from '../http-lender.js';
import { bankFile, openAch } from './ach-over-http.js';

for (const { code, data, changed } of [
  { code: 'C01', data: '99887766', changed: ['accountNumber'] },
  { code: 'C05', data: '37', changed: ['details'] },
  { code: 'C04', data: 'QUIMBY ANNABELLE', changed: ['accountHolderName'] },
])
  test(`the notification of change ${code} is recorded with what it has changed, and used by the next entry`, async (t) => {
    const { ask, pay, settled, names, read, goTo, give, instrumentId } = await openAch(t);
    await pay(20);
    await goTo('2026-03-03');
    await settled();
    const file = read(must(names()[0], 'a file'));
    const entry = must(file.batches[0]?.entries[0], 'an entry');
    await goTo('2026-03-04');
    give('RET_N.ach', bankFile(file, [{ entry, code, data }]));
    await settled();
    const account = dataOf(await ask('GET', `/people/ext-ann-1/payment-instruments/${instrumentId}`));
    if (code === 'C04') t.match(account, { accountHolderName: data });
    const events = listOf(await ask('GET', '/events?eventType=payment.instrument.updated')).map(
      (event) => event['data'] as { readonly changes: readonly { readonly field: string }[] },
    );
    const changes = events.flatMap((event) => event.changes).map(({ field }) => field);
    t.strictSame(changes, changed);
    const differences = listOf(await ask('GET', '/reconciliations')).flatMap((day) => day['items'] as readonly Record<string, unknown>[]);
    t.notMatch(differences, [{ description: /no corrected data/ }]);
    await pay(21);
    await goTo('2026-03-05');
    await settled();
    const next = read(must(names()[1], 'a second file')).batches[0]?.entries[0];
    t.match(next, {
      transactionCode: code === 'C05' ? '37' : '27',
      accountNumber: code === 'C01' ? data : '7700112233',
      receiverName: code === 'C04' ? data : 'ANNABEL QUIMBY',
    });
  });
