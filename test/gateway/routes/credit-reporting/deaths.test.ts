import { type Test, test } from 'tap';
import { type CreditOverHttp, idOf, openCredit } from './credit-over-http.js';

async function openDeath({ ask }: CreditOverHttp): Promise<string> {
  const made = await ask('POST', '/people/ext-ann-1/cases', { caseType: 'deceased' });
  if (made.status >= 300) throw new Error(made.text);
  return `/people/ext-ann-1/cases/${idOf(made)}`;
}

async function completed({ ask }: CreditOverHttp, path: string, outcome: string): Promise<void> {
  for (const body of [{ status: 'processing' }, { status: 'completed', outcome }]) {
    const changed = await ask('PUT', path, body);
    if (changed.status !== 200) throw new Error(changed.text);
  }
}

/** The ECOA code of the borrower in the file of a day. */
async function ecoaOn(t: Test, { goTo, madeFile, accountsOf }: CreditOverHttp, date: string): Promise<unknown> {
  await goTo(date);
  const file = await madeFile();
  t.match(file, { held: [] });
  const [account] = await accountsOf(file);
  return account?.base.ecoaCode;
}

for (const outcome of ['denied', 'withdrawn', 'duplicate'])
  test(`a death whose case is completed as ${outcome} was reported in error: the borrower is alive in the next file`, async (t) => {
    const lender = await openCredit(t);
    const path = await openDeath(lender);
    t.equal(await ecoaOn(t, lender, '2026-04-01'), 'X');
    await completed(lender, path, outcome);
    t.equal(await ecoaOn(t, lender, '2026-05-01'), '1');
    t.equal(await ecoaOn(t, lender, '2026-06-01'), '1');
    t.match(await lender.ask('PUT', path, { status: 'reopened' }), { status: 200 });
    t.equal(await ecoaOn(t, lender, '2026-07-01'), 'X', 'it is looked into once more');
  });

test('a death stays reported after its case is completed as approved', async (t) => {
  const lender = await openCredit(t);
  const path = await openDeath(lender);
  await completed(lender, path, 'approved');
  t.equal(await ecoaOn(t, lender, '2026-04-01'), 'X');
  t.equal(await ecoaOn(t, lender, '2026-05-01'), 'X');
});
