import { setTimeout as pause } from 'node:timers/promises';
import { type Test, test } from 'tap';
import { unitOf } from '../../actors/index.js';
import { LIMITS } from '../../actors/kernel/limits.js';
import { must } from '../../engine/index.js';
import { ANN, HOME, PHONE } from '../actors/borrower/lender.js';
import type { Over } from '../actors/harness.js';
import { loanBody } from '../actors/loan/setting.js';
import { dataOf, type HttpLender, idOf, openHttpLender } from '../gateway/routes/http-lender.js';

interface Shared extends HttpLender {
  readonly ann: string;
  /** Of another unit, if there are several. */
  readonly cora: string;
  readonly loanId: string;
  /** What the guard says about a call that collects. */
  check(personId: string, body?: object): Promise<Record<string, unknown>>;
}

/** Ann's loan, with Cora as co-borrower. Both live in Albany. */
async function openShared(t: Test, over: Over): Promise<Shared> {
  const lender = await openHttpLender(t, over);
  const { ask, h, company } = lender;
  const unitOfPerson = (id: string): string => (h.cluster ? must(unitOf(must(h.engine.world.shardOf(id), id)), id).name : id);
  const { id: loanTypeId } = await h.data('loanType.create', company, { type: 'installment', name: 'Personal loan' });
  const ann = idOf(await ask('POST', '/people', ANN));
  let cora = ann;
  while (unitOfPerson(cora) === unitOfPerson(ann))
    cora = idOf(await ask('POST', '/people', { name: { firstName: 'Cora', lastName: 'Quimby' } }));
  for (const id of [ann, cora]) for (const contact of [HOME, PHONE]) await ask('POST', `/people/${id}/contacts`, contact);
  const loanId = idOf(await ask('POST', `/people/${ann}/loans`, loanBody(loanTypeId)));
  const loan = `/people/${ann}/loans/${loanId}`;
  await ask('POST', `${loan}/activate`, {});
  t.match(await ask('POST', `${loan}/people`, { personId: cora, loanRelationType: 'coBorrower' }), { status: 201 });
  return {
    ...lender,
    ann,
    cora,
    loanId,
    check: async (personId, body = {}) => {
      const call = { channel: 'voice', theme: 'opsCollDebt', startedAt: '2026-03-03T15:30:00Z', ...body };
      return dataOf(await ask('POST', `/people/${personId}/can-interact`, call));
    },
  };
}

const PETITION = { caseType: 'bankruptcy', status: 'processing', courtCaseChapter: 'chapter13' };

for (const over of ['oneProcess', 'cluster'] as const) {
  test(`the petition of another person on the loan protects the borrower, over ${over}`, async (t) => {
    // A unit knows the cases of another one for two seconds.
    const othersRead = async (): Promise<void> => pause(over === 'cluster' ? LIMITS.remoteMs + 100 : 0);
    const { ask, check, ann, cora, loanId } = await openShared(t, over);
    for (const [one, other] of [
      [ann, cora],
      [cora, ann],
    ] as const) {
      t.match(await check(one), { result: true });
      t.match(await check(one, { loanId }), { result: true });
      const petition = await ask('POST', `/people/${other}/cases`, { ...PETITION, loanIds: [loanId] });
      t.match(petition, { status: 200 });
      await othersRead();
      t.match(await check(one, { loanId }), { result: false, ruleCode: 'US-BANKRUPTCY' }, 'of the loan that is named');
      // The unit of a co-borrower does not list a loan of another unit.
      if (over === 'oneProcess' || one === ann)
        t.match(await check(one), { result: false, ruleCode: 'US-BANKRUPTCY' }, 'of all loans that are listed');
      await ask('PUT', `/people/${other}/cases/${idOf(petition)}`, { status: 'canceled' });
      await othersRead();
      t.match(await check(one, { loanId }), { result: true }, 'no longer');
    }
  });
}
