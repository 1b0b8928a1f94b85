import { test } from 'tap';
import { settlementFacts } from '../../../../actors/loan/general-ledger/owners.js';
import type { RemittanceStatusChanged } from '../../../../actors/loan/remittances/index.js';
import type { LoanState } from '../../../../actors/loan/state.js';
import type { EvolveEnv } from '../../../../actors/kernel/actor.js';
import { cents, dayAt, dayOf, formatDay, startOfDay } from '../../../../engine/index.js';

const ZONE = 'America/New_York';

const noonOf = (date: number): number => startOfDay(ZONE, dayOf(2026, 3, date)) + 12 * 3_600_000;

interface Sample {
  readonly isTransferRecorded?: true;
  /** What the settlement is now, by the shared shard. */
  readonly status: string;
  readonly changes: readonly { readonly status: RemittanceStatusChanged['status']; readonly on: number }[];
}

/** What is posted of a settlement of 60.00, less a fee of 0.50, whose lines were recorded on 2026-03-02. */
function postedOf({ isTransferRecorded, status, changes }: Sample): readonly string[] {
  const [settlementId, investorId] = ['SE-1', 'IR-1'];
  const line = { transactionId: 'TX-1', effectiveDay: dayOf(2026, 3, 1), principalCents: cents(5_000), interestCents: cents(1_000) };
  const state = {
    id: 'LN-1',
    record: { zone: ZONE },
    parties: {
      remittances: [
        {
          settlementId,
          investorId,
          through: dayOf(2026, 3, 1),
          lines: [{ ...line, feesCents: cents(0), processingFeeCents: cents(50) }],
          recordedAt: noonOf(2),
          ...(isTransferRecorded === undefined ? {} : { isTransferRecorded }),
        },
      ],
      remittanceStatuses: changes.map(({ status: its, on }) => ({
        settlementId,
        investorId,
        status: its,
        pays: [settlementId],
        recordedAt: noonOf(on),
      })),
    },
  } as unknown as LoanState;
  const env = { read: () => ({ status }) } as unknown as EvolveEnv;
  return settlementFacts(state, env, null).flatMap(({ recordedDay, items }) =>
    items.map(({ event }) => (event.type === 'moved' ? `${formatDay(recordedDay).slice(-2)} ${event.rule} ${event.amount}` : event.type)),
  );
}

test('each status of a transfer is posted on the day on which the loan has recorded it', (t) => {
  const isTransferRecorded = true;
  const [initiated, succeeded, failed] = [
    { status: 'initiated', on: 4 },
    { status: 'succeeded', on: 5 },
    { status: 'failed', on: 9 },
  ] as const;
  const sent = ['04 servicingFee 50', '04 settlement 5950'];
  t.strictSame(postedOf({ isTransferRecorded, status: 'pending', changes: [] }), [], 'nothing has left');
  t.strictSame(postedOf({ isTransferRecorded, status: 'initiated', changes: [initiated] }), sent);
  const arrived = [...sent, '05 payoutSettledAtBank 5950'];
  t.strictSame(postedOf({ isTransferRecorded, status: 'succeeded', changes: [initiated, succeeded] }), arrived);
  t.strictSame(postedOf({ isTransferRecorded, status: 'failed', changes: [initiated, { ...failed, on: 5 }] }), [
    ...sent,
    '05 servicingFee -50',
    '05 settlementFailed -5950',
  ]);
  const returned = ['09 settlementReturned -5950', '09 servicingFee -50', '09 settlementFailed -5950'];
  t.strictSame(postedOf({ isTransferRecorded, status: 'failed', changes: [initiated, succeeded, failed] }), [...arrived, ...returned]);
  t.strictSame(postedOf({ isTransferRecorded, status: 'canceled', changes: [{ status: 'canceled', on: 3 }] }), [], 'it never left');
  t.end();
});

test('a settlement of an earlier release has paid when its lines were recorded, until it fails in this one', (t) => {
  const paid = ['02 servicingFee 50', '02 settlement 5950', '02 payoutSettledAtBank 5950'];
  t.strictSame(postedOf({ status: 'succeeded', changes: [] }), paid);
  t.strictSame(postedOf({ status: 'failed', changes: [] }), [], 'it had failed before');
  t.strictSame(
    postedOf({ status: 'initiated', changes: [{ status: 'succeeded', on: 5 }] }),
    paid,
    'what has arrived since is not posted twice',
  );
  t.strictSame(postedOf({ status: 'failed', changes: [{ status: 'failed', on: 9 }] }), [
    ...paid,
    '09 settlementReturned -5950',
    '09 servicingFee -50',
    '09 settlementFailed -5950',
  ]);
  t.equal(dayAt(ZONE, noonOf(9)), dayOf(2026, 3, 9));
  t.end();
});
