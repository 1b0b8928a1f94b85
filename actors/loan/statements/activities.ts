import {
  type Cents,
  type CycleChange,
  type Day,
  type FeeState,
  type LineCycleChange,
  must,
  type Payment,
  cents,
} from '../../../engine/index.js';
import { companyOf, feeTypeOf } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { activatedOf, readable, recordOf } from '../context.js';
import { lateFeeId, originationFeeId } from '../derived-ids.js';
import { factsBehind, lastFact, storedFact } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { type ActivityKind, LINE_TEXTS, type StatementActivity, type StatementRecord } from './record.js';

/** Money that was reversed since the previous statement. */
export interface Reversed {
  readonly kind: 'payment' | 'credit';
  readonly payment: Payment;
  readonly amountCents: Cents;
  /** When it was reversed. */
  readonly day: Day;
  /** The previous statement counted it, so this one lists only the reversal. Otherwise it came and was reversed in this cycle. */
  readonly wasStated: boolean;
}

/** Reversals that `before` could not know of; if there is no previous statement, those from the cut on. */
export function reversedSince(state: LoanState, before: StatementRecord | null, after: Day | null): readonly Reversed[] {
  const found: Reversed[] = [];
  for (const { fact } of factsBehind(state, before?.knownFacts ?? 0)) {
    if (fact.type !== 'paymentVoided' || (before === null && after !== null && fact.effective.day < after)) continue;
    const payment = lastFact(state, (other) => other.type === 'payment' && other.transaction === fact.transaction);
    if (payment?.type !== 'payment') continue;
    const wasStated = after !== null && payment.effective.day < after && (before === null || payment.sequence <= before.knownFacts);
    found.push({
      kind: payment.kind === 'credit' ? 'credit' : 'payment',
      payment,
      amountCents: payment.amountCents,
      day: fact.effective.day,
      wasStated,
    });
  }
  return found;
}

const KINDS: { readonly [Flow in AnyChange['flow']]: ActivityKind } = {
  purchases: 'purchase',
  cashAdvances: 'purchase',
  advances: 'advance',
  fees: 'fee',
  payments: 'payment',
  credits: 'credit',
  chargebacks: 'paymentReversal',
  refunds: 'refund',
  adjustments: 'adjustment',
};

export const DESCRIPTIONS: { readonly [Kind in ActivityKind]: string } = {
  payment: 'Payment',
  paymentReversal: 'Payment reversed',
  credit: 'Credit',
  creditReversal: 'Credit reversed',
  refund: 'Refund',
  purchase: 'Purchase',
  fee: 'Fee',
  feeReversal: 'Fee reversed',
  interest: 'Interest',
  adjustment: 'Adjustment',
  advance: 'Principal paid out',
};

type AnyChange = CycleChange | LineCycleChange;

/** The parts of a cycle of either product that a statement lists. */
export interface ListedCycle {
  readonly day: Day;
  readonly fees: readonly FeeState[];
  readonly changes: readonly AnyChange[];
  readonly interestCents: Cents;
}

/** The activities of a statement: every change of the balance in its cycle, money that came and was reversed, and the interest. */
export function activitiesOf(state: LoanState, env: EvolveEnv, cycle: ListedCycle, reversed: readonly Reversed[]): Texts {
  const lines: Line[] = cycle.changes.map((change) => changeLine(state, env, cycle, change));
  const { day } = cycle;
  if (cycle.interestCents !== 0) lines.push(plainLine('interest', day, cycle.interestCents));
  for (const one of reversed) {
    const transactionId = transactionOf(state, one.payment.sequence, one.payment.transaction);
    if (!one.wasStated) {
      lines.push({ ...plainLine(one.kind, one.payment.effective.day, one.amountCents), transactionId });
    }
    const kind = one.kind === 'credit' ? 'creditReversal' : 'paymentReversal';
    lines.push({ ...plainLine(kind, one.day, one.amountCents), transactionDay: one.payment.effective.day, transactionId });
  }
  return withTextsApart(lines.sort((a, b) => a.postedDay - b.postedDay));
}

type Texts = Pick<StatementRecord, 'activities' | typeof LINE_TEXTS>;

/** `text` is printed instead of the description. */
export type Line = StatementActivity & { readonly text?: string };

export function withTextsApart(lines: readonly Line[]): Texts {
  const texts = lines.flatMap(({ text }, line) => (text === undefined ? [] : [[line, text] as const]));
  const activities = lines.map(({ text: _text, ...activity }) => activity);
  return { activities, [LINE_TEXTS]: texts.length === 0 ? null : texts };
}

/** Moves the texts of a statement of an earlier release, which had them among the descriptions. */
export function withLineTexts<Statement extends Texts>(state: LoanState, statement: Statement): Statement {
  const { [LINE_TEXTS]: known }: Partial<Texts> = statement;
  if (known !== undefined) return statement;
  const { fees } = activatedOf(state);
  const isText = ({ kind, purchaseId, feeId, description }: StatementActivity): boolean =>
    (purchaseId !== undefined && description !== DESCRIPTIONS[kind]) ||
    fees.some(({ id, customDisplayName }) => id === feeId && customDisplayName === description);
  const lines = statement.activities.map((line): Line => {
    if (!isText(line)) return line;
    const { kind, description: text } = line;
    return { ...line, description: DESCRIPTIONS[kind], text };
  });
  return { ...statement, ...withTextsApart(lines) };
}

const plainLine = (kind: ActivityKind, day: Day, amountCents: Cents): StatementActivity => ({
  kind,
  postedDay: day,
  transactionDay: day,
  description: DESCRIPTIONS[kind],
  amountCents,
  transactionId: null,
  feeId: null,
});

function changeLine(state: LoanState, env: EvolveEnv, { fees }: ListedCycle, change: AnyChange): Line {
  const kind = KINDS[change.flow];
  const isLowering = kind === 'payment' || kind === 'credit' || kind === 'refund';
  const plain = plainLine(kind, change.day, cents(isLowering ? -change.amountCents : change.amountCents));
  const line = 'draw' in change && change.draw !== null ? { ...plain, draw: change.draw } : plain;
  if (kind === 'fee') return { ...line, ...feeOf(state, env, fees, change) };
  const { source } = change;
  const fact = source.type === 'fact' ? storedFact(state, source.sequence)?.fact : undefined;
  if (fact?.type === 'purchase') return { ...line, ...purchaseOf(state, fact.purchase) };
  return fact?.type === 'payment' || fact?.type === 'paymentChargedBack'
    ? { ...line, transactionId: transactionOf(state, fact.sequence, fact.transaction) }
    : line;
}

function purchaseOf({ purchases }: LoanState, number: number): Pick<Line, 'purchaseId' | 'text'> {
  const found = purchases.numbered(number);
  if (found === undefined) return {};
  const details = readable(found.details);
  const text = details?.description ?? details?.merchantName ?? undefined;
  return { purchaseId: found.id, ...(text === undefined ? {} : { text }) };
}

type FeeLine = Pick<Line, 'feeId' | 'description' | 'text'>;

function feeOf(state: LoanState, env: EvolveEnv, fees: readonly FeeState[], { entryType, source, day, amountCents }: AnyChange): FeeLine {
  if (entryType === 'originationFee') return { feeId: originationFeeId(env, state), description: 'Origination fee' };
  if (entryType === 'drawFee') return { feeId: null, description: 'Draw fee' };
  const activation = activatedOf(state);
  const fact = source.type === 'fact' ? storedFact(state, source.sequence)?.fact : undefined;
  if (fact?.type === 'feeCharged') {
    const fee = must(
      activation.fees.find((known) => known.fee === fact.fee),
      'the fee of a fact',
    );
    const { id: feeId, customDisplayName: text } = fee;
    return { feeId, description: displayName(state, env, fact.feeTypeId), ...(text === null ? {} : { text }) };
  }
  const late = fees.find((fee) => fee.fee === null && fee.chargeDay === day && fee.amountCents === amountCents && !fee.isCanceled);
  if (late === undefined || late.obligation === null) return { feeId: null, description: DESCRIPTIONS.fee };
  return { feeId: lateFeeId(env, state, late.feeTypeId, late.obligation), description: displayName(state, env, late.feeTypeId) };
}

const displayName = (state: LoanState, env: EvolveEnv, feeTypeId: string): string =>
  feeTypeOf(companyOf(env, state.tenant), recordOf(state).loanTypeId, feeTypeId)?.name.displayName ?? DESCRIPTIONS.fee;

/** The id of the transaction that the ledger counts, or counted, under a number. */
function transactionOf(state: LoanState, sequence: number, payment: number): string | null {
  const { recordedAt } = must(storedFact(state, sequence), 'a fact of the ledger');
  const counted = state.transactions.idOfPayment(payment);
  if (counted !== undefined) return counted;
  const voided = [...state.transactions.uncounted()].filter(
    ({ timestamps }) => (timestamps.appliedAt ?? timestamps.createdAt) === recordedAt,
  );
  return voided.length === 1 ? (voided[0]?.id ?? null) : null;
}
