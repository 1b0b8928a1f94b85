import type { Day } from '../calendar/index.js';
import type { EntrySource, LedgerFact } from '../ledger/core/index.js';
import type { LineFact } from '../ledger/line/index.js';
import type { AccountingEvent } from './accounting-events.js';
import type { Cause } from './believed.js';
import type { CourseItem } from './course.js';
import type { Account } from './lines.js';

interface Causes {
  causeOf(source: EntrySource, day: Day): Cause;
}

const OUT: Account = { role: 'clearingOutgoing' };
const IN: Account = { role: 'clearingIncoming' };
const BANK: Account = { role: 'bank' };

/** A fact of a ledger of either product. */
export type AnyFact = LedgerFact | LineFact;

/** Money that the ledger does not count any more. */
export const voidedOf = (facts: readonly AnyFact[]): ReadonlySet<number> =>
  new Set(facts.flatMap((fact) => (fact.type === 'paymentVoided' ? [fact.transaction] : [])));

type MoneyFact = Extract<AnyFact, { readonly type: 'payment' | 'paymentSettled' | 'reimbursed' }>;

/** Where the money of a payment is: in processing until the bank has it. */
export const counterOfPayment = (source: EntrySource, fact: { readonly isProcessing?: boolean } | undefined): Account =>
  source.type === 'activation' ? OUT : fact?.isProcessing === true ? IN : BANK;

/** Payments that the bank has, and money that was sent to the borrower: they move no balance of the ledger. */
export function moneyMoves(
  facts: readonly MoneyFact[],
  voided: ReadonlySet<number>,
  { through, details, movedTo }: { readonly through: Day; readonly details: Causes; readonly movedTo: ReadonlyMap<number, Day> },
): readonly CourseItem[] {
  const amounts = new Map(
    facts.flatMap((fact) => (fact.type === 'payment' && fact.isProcessing ? [[fact.transaction, fact] as const] : [])),
  );
  return facts.flatMap((fact): readonly CourseItem[] => {
    if (voided.has(fact.transaction)) return [];
    const { day } = fact.effective;
    const cause = details.causeOf({ type: 'fact', sequence: fact.sequence }, day);
    const item = (event: AccountingEvent, on = day): readonly CourseItem[] =>
      on > through ? [] : [{ cause, day: on, isDaily: false, event }];
    if (fact.type === 'reimbursed') {
      return item({ type: 'reimbursement', parts: { credit: fact.amountCents }, counter: OUT });
    }
    const paid = fact.type === 'paymentSettled' ? amounts.get(fact.transaction) : undefined;
    if (paid === undefined || paid.kind === 'credit') return [];
    const paidOn = movedTo.get(fact.transaction) ?? paid.effective.day;
    return item({ type: 'settledAtBank', amount: paid.amountCents, netFee: 0, from: IN, bank: BANK }, paidOn > day ? paidOn : day);
  });
}

/** The day to which a payment was moved last. */
export const movesOf = (facts: readonly AnyFact[]): ReadonlyMap<number, Day> =>
  new Map(facts.flatMap((fact) => (fact.type === 'paymentMoved' ? [[fact.transaction, fact.newEffective.day] as const] : [])));

/** Payments, their settlement, and money that was sent to the borrower. */
export const moneyFactsOf = (facts: readonly AnyFact[]): readonly MoneyFact[] =>
  facts.filter((fact): fact is MoneyFact => fact.type === 'payment' || fact.type === 'paymentSettled' || fact.type === 'reimbursed');

/** A canceled loan has no balances: the borrower's money that came in, and was not charged back, is the borrower's. */
export function canceledItems(facts: readonly AnyFact[], through: Day, details: Causes): readonly CourseItem[] {
  const voided = voidedOf(facts);
  const movedTo = movesOf(facts);
  const money = moneyFactsOf(facts);
  const paid = money.flatMap((fact): readonly CourseItem[] => {
    const on = movedTo.get(fact.transaction) ?? fact.effective.day;
    if (fact.type !== 'payment' || fact.kind === 'credit' || voided.has(fact.transaction) || on > through) return [];
    const source: EntrySource = { type: 'fact', sequence: fact.sequence };
    const event: AccountingEvent = { type: 'payment', parts: { credit: fact.amountCents }, counter: counterOfPayment(source, fact) };
    return [{ cause: details.causeOf(source, on), day: on, isDaily: false, event }];
  });
  return [...paid, ...moneyChargedBack(facts, voided, through, details), ...moneyMoves(money, voided, { through, details, movedTo })];
}

function moneyChargedBack(facts: readonly AnyFact[], voided: ReadonlySet<number>, through: Day, details: Causes): readonly CourseItem[] {
  const reversed = new Set(facts.flatMap((fact) => (fact.type === 'chargebackReversed' ? [fact.chargeback] : [])));
  return facts.flatMap((fact): readonly CourseItem[] => {
    if (fact.type !== 'paymentChargedBack' || reversed.has(fact.chargeback) || voided.has(fact.transaction)) return [];
    const { day } = fact.effective;
    if (day > through) return [];
    const event: AccountingEvent = { type: 'takenBack', parts: { credit: fact.amountCents }, counter: IN };
    return [{ cause: details.causeOf({ type: 'fact', sequence: fact.sequence }, day), day, isDaily: false, event }];
  });
}
