import { test } from 'tap';
import { addDays, applyFact, balancesOf, cents, computeLedger, type LedgerFact, type LedgerState } from '../../../../engine/index.js';
import { countBlocks } from '../../../executed-blocks.js';
import { keptTerms, PLAIN_KEEPING } from './kept-loans.js';
import { loan, money, SMALL_LOAN } from './loans.js';

/* What a fact of a loan costs may not grow with its payments, also if the loan owes overpaid money to the borrower. */

/** Enough that old payments are packed, which are packed again when one of them changes. */
const YOUNG = 400;
const OLD = 1_600;
/** By this part of the young cost the old one may be higher. */
const MOST = 0.5;

const small = loan({ ...SMALL_LOAN, rate: '0' });
const TERMS = {
  'by the day': small,
  'by installment': keptTerms(small, { ...PLAIN_KEEPING, chargebackOrder: ['fees', 'penalties', 'interest', 'principal'] }),
};

/** When the payments pay too much: the first money, or all that comes later. */
const LIVES = {
  'all payments were paid over': { first: '1200.00', isReopened: false },
  'the first payment was paid over': { first: '1250.00', isReopened: true },
};

test('a fact of a loan that owes overpaid money costs the same after many payments', async (t) => {
  const blocksOf = await countBlocks(t);
  for (const [kind, terms] of Object.entries(TERMS))
    for (const [life, { first, isReopened }] of Object.entries(LIVES)) {
      if (isReopened && terms.keeping !== undefined) continue; // its overpaid money pays what is owed again
      const state: LedgerState = computeLedger(terms, [], terms.activation);
      let sequence = 0;
      const take = (fact: (position: Pick<LedgerFact, 'effective' | 'recordedDay' | 'sequence'>) => LedgerFact): void => {
        sequence += 1;
        const day = addDays(terms.activation, Math.floor(sequence / 8));
        applyFact(state, fact({ effective: { day, seconds: 50_000 + sequence }, recordedDay: day, sequence }));
      };
      const pay = (amount: string): void =>
        take((position) => ({
          ...position,
          type: 'payment',
          transaction: position.sequence,
          kind: 'payment',
          amountCents: money(amount),
          isProcessing: false,
          isPrepaymentEnabled: true,
          principalOnlyCents: cents(0),
        }));
      const steps: Readonly<Record<string, () => void>> = {
        payment: () => pay('3.00'),
        fee: () =>
          take((position) => ({
            ...position,
            type: 'feeCharged',
            fee: position.sequence,
            feeTypeId: 'byHand',
            kind: 'otherFee',
            amountCents: money('1.00'),
            chargeLogic: 'immediate',
          })),
        balances: () => void balancesOf(state),
      };
      pay(first);
      // Principal that is paid out later is not paid by overpaid money of a loan by the day.
      if (isReopened)
        take((position) => ({ ...position, type: 'advance', advance: 1, amountCents: money('90000.00'), reamortization: 'keepAmounts' }));
      const growTo = (size: number): void => {
        while (state.payments.length < size) pay('3.00');
      };
      const costs = new Map<string, number[]>();
      growTo(YOUNG / 2);
      for (const run of Object.values(steps)) run();
      for (const size of [YOUNG, OLD]) {
        growTo(size);
        for (const [name, run] of Object.entries(steps)) costs.set(name, [...(costs.get(name) ?? []), await blocksOf(run)]);
      }
      t.ok(state.totals.reimbursementCents > 0, 'it owes overpaid money');
      for (const [name, [young = 0, old = 0]] of costs)
        t.ok(
          young > 0 && old < young * (1 + MOST),
          `${kind}, ${life}, ${name}: ${young} blocks after ${YOUNG} payments, ${old} after ${OLD}`,
        );
    }
});
