import { test } from 'tap';
import { loanParts, packLoan, unpackLoan } from '../../../actors/loan/packing.js';
import type { LoanState } from '../../../actors/loan/state.js';
import { must } from '../../../engine/index.js';
import { openSetting } from './setting.js';

test('a snapshot keeps what banks have said of payouts, and one of an earlier release has none', async (t) => {
  const { h, personId, active } = await openSetting();
  const mdr = { mdrAmount: 12, isAmortized: true };
  const { id } = await active({ atOrigination: { mdr } });
  const params = { personId, payoutId: `${id}-0` };
  await h.command('payout.confirm', id, { amount: 100 }, { permissions: ['*'], params });
  await h.command('payout.return', id, { amount: 30 }, { permissions: ['*'], params });
  const state = must(h.engine.stateOf<LoanState>({ company: h.company, mode: 'test' }, 'loan', id), 'the loan');
  const part = (name: string): unknown => structuredClone(loanParts(state).find((each) => each.name === name)?.value);
  const packed = packLoan(state);
  const kept = unpackLoan(structuredClone(packed), part);
  t.match(kept, {
    payouts: [
      { type: 'booked', amountCents: 100_00 },
      { type: 'returned', amountCents: 30_00 },
    ],
    merchantDiscount: { amountCents: 12_00 },
  });
  t.strictSame([kept.payouts, kept.merchantDiscount], [state.payouts, state.merchantDiscount]);
  const { payouts: _payouts, merchantDiscount: _discount, ...earlier } = packed;
  t.match(unpackLoan(structuredClone(earlier), part), { payouts: [], merchantDiscount: null });
  await h.engine.close();
});
