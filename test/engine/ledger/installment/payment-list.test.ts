import fc from '../../../fast-check.js';
import { test } from 'tap';
import type { Day } from '../../../../engine/index.js';
import { MONEY_KINDS } from '../../../../engine/ledger/core/facts.js';
import type { PaymentState } from '../../../../engine/ledger/core/state.js';
import { PaymentList } from '../../../../engine/ledger/installment/payment-list.js';
import { PARAMETERS } from './histories.js';

/* A list of payments is read like a plain array of them, however many of them are packed, and its copies keep theirs. */

const cents = fc.oneof({ weight: 5, arbitrary: fc.nat(1_000_000) }, fc.maxSafeInteger(), fc.constant(-0));
const back = fc.record({ principalCents: cents, interestCents: cents, feesCents: cents, overCents: cents });

const payments = fc
  .record({
    kind: fc.constantFrom(...MONEY_KINDS),
    day: fc.nat(40_000),
    seconds: fc.nat(86_399),
    amountCents: cents,
    principalCents: cents,
    interestCents: cents,
    feesCents: cents,
    overCents: cents,
    isProcessing: fc.boolean(),
    chargedBack: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, back),
  })
  .map(({ kind, day, chargedBack, ...rest }) => ({
    kind,
    day: day as Day,
    ...rest,
    ...(chargedBack === null ? {} : { chargedBack, chargebacks: [{ ...chargedBack, chargeback: 1 }] }),
  }));

type Step =
  | { readonly type: 'push'; readonly count: number; readonly payment: Omit<PaymentState, 'transaction'> }
  | { readonly type: 'replace'; readonly at: number; readonly payment: Omit<PaymentState, 'transaction'> }
  | { readonly type: 'copy' };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('push' as const), count: fc.integer({ min: 1, max: 150 }), payment: payments }),
    fc.record({ type: fc.constant('replace' as const), at: fc.nat(2_000), payment: payments }),
    fc.constant({ type: 'copy' as const }),
  ),
  { maxLength: 12 },
);

void test('a list of payments is read like an array of them', async (t) => {
  fc.assert(
    fc.property(steps, (history) => {
      let [list, known]: [PaymentList, PaymentState[]] = [new PaymentList(), []];
      const former: (readonly [PaymentList, readonly PaymentState[]])[] = [];
      for (const step of history) {
        if (step.type === 'copy') {
          former.push([list, known]);
          [list, known] = [list.copy(), [...known]];
        } else if (step.type === 'push') {
          for (let each = 0; each < step.count; each += 1) {
            const payment = { transaction: known.length + 1, ...step.payment };
            list.push(payment);
            known.push(payment);
          }
        } else if (known.length > 0) {
          const at = step.at % known.length;
          known[at] = { transaction: at + 1, ...step.payment };
          list.replace(at, { transaction: at + 1, ...step.payment });
        }
      }
      for (const [each, its] of [...former, [list, known] as const]) assertSame(each, its);
    }),
    PARAMETERS,
  );
  t.pass();
});

function assertSame(list: PaymentList, known: readonly PaymentState[]): void {
  const indexes = [-known.length - 1, -1, 0, 1, 127, 128, 255, 256, known.length - 1, known.length];
  const seen = [list.length, [...list], indexes.map((index) => list.at(index)), list.find(({ transaction }) => transaction === 130)];
  const wanted = [known.length, known, indexes.map((index) => known.at(index)), known.find(({ transaction }) => transaction === 130)];
  if (exact(seen) !== exact(wanted)) throw new Error(`other payments: ${exact(seen).slice(0, 400)} and not ${exact(wanted).slice(0, 400)}`);
  const isOver = ({ overCents }: PaymentState): boolean => overCents > 500_000;
  if (list.findLastIndex(isOver) !== known.findLastIndex(isOver) || exact(list.filter(isOver)) !== exact(known.filter(isOver)))
    throw new Error('others are found');
}

/** With the sign of zero, which a digest sees. */
function exact(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (Object.is(each, -0) ? '-0' : each === undefined ? 'undefined' : each));
}
