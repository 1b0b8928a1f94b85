import { test } from 'tap';
import { followsAfter } from '../following-page.js';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { bai2, line, openStatements } from './statements-over-http.js';

test('the next page of files, statements, entries and reconciliations follows also after what has left the list', async (t) => {
  const { ask, pay, goTo, settled, give, upload, matched, live } = await openStatements(t);
  for (const date of ['2026-03-03', '2026-03-04', '2026-03-05']) {
    await pay(10);
    await goTo(date);
    await settled();
  }
  await followsAfter(t, ask, '/ach-files?status=uploaded', async (id) => {
    const { fileName } = dataOf(await ask('GET', `/ach-files/${id}`));
    give('CONF_1.txt', `${String(fileName)} ACCEPTED\n`);
    await settled();
    t.match(dataOf(await ask('GET', `/ach-files/${id}`)), { status: 'confirmed' });
  });

  const odd = [1, 2, 3].map((each) => line({ cents: each * 5_00, bankReference: `ODD-${each}` }));
  const first = idOf(await upload(bai2('2026-03-05', 0, odd)));
  await matched();
  await followsAfter(t, ask, `/bank-statements/${first}/entries?status=unexpected`, async (entry) => {
    const fileId = String(listOf(await ask('GET', '/ach-files?direction=outgoing'))[0]?.['id']);
    t.match(await ask('POST', `/bank-statements/${first}/entries/${entry}/match`, { achFileId: fileId }), { status: 200 });
    await matched();
  });

  await upload(bai2('2026-03-06', 900_00, []));
  await matched();
  await upload(bai2('2026-03-09', 900_00, []));
  await matched();
  await followsAfter(t, ask, '/bank-statements?fromDate=2026-03-01', async (id) => {
    t.equal((await ask('DELETE', `/bank-statements/${id}`)).status, 204);
    await matched();
  });

  await live('2026-03-10');
  for (const date of ['2026-03-10', '2026-03-11']) {
    await upload(bai2(date, 0, [line({ day: line({}).day, cents: 77_00, bankReference: date })]));
    await matched();
  }
  t.ok(listOf(await ask('GET', '/reconciliations?status=differences')).length > 1);
  await followsAfter(t, ask, '/reconciliations?status=differences', async (id) => {
    t.equal((await ask('POST', `/reconciliations/${id}/resolve`, { resolution: 'Asked the bank' })).status, 200);
  });
});
