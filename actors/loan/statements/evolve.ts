import { type Day, must, type PeriodView } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { amount, dateText, orNull, toJsonText } from '../../wire.js';
import { activatedOf, activationOf } from '../context.js';
import { periodId } from '../derived-ids.js';
import { loanEvent } from '../events.js';
import { periodsIn, runningOf } from '../ledger/running.js';
import type { Activated, LoanState } from '../state.js';
import type { Applying } from '../applying.js';
import { withLineTexts } from './activities.js';
import { figuresOf, type StatementRecord } from './record.js';
import type { StatementDetailsReply } from './types.js';

type Apply = { readonly [Type in keyof StatementFacts]: (applying: Applying, body: StatementFacts[Type]) => void };

export const APPLY_STATEMENTS: Apply = { StatementIssued: issued, StatementUpdated: updated, StatementOmitted: omitted };

const servicingIn = ({ state }: Applying): Activated => must(activationOf(state), `${state.id} has no ledger`);

function issued(applying: Applying, body: StatementIssued): void {
  const { state, fact, emit, env } = applying;
  const statement = withLineTexts(state, body.statement);
  const servicing = servicingIn(applying);
  const { by: createdBy, businessAt: at } = fact;
  servicing.statements = [...servicing.statements, { ...statement, createdBy, createdAt: at, updatedAt: at }];
  if (!statement.isTest && statement.dueDay > servicing.statedThrough) servicing.statedThrough = statement.dueDay;
  if (statement.isTest) return;
  emit?.(
    loanEvent(state, 'statement.created', {
      statementId: statement.id,
      periodId: periodId(env, state, statement.period),
      dueDate: dateText(statement.dueDay),
      amountDue: orNull(amount, figuresOf(statement).minimumDueAmount),
      documentId: statement.documentDescriptorId,
      version: statement.version,
    }),
  );
}

function updated(applying: Applying, { id, changes }: StatementUpdated): void {
  const servicing = servicingIn(applying);
  const updatedAt = applying.fact.businessAt;
  servicing.statements = servicing.statements.map((known) => (known.id === id ? { ...known, ...changes, updatedAt } : known));
}

function omitted(applying: Applying, { dueDay }: StatementOmitted): void {
  servicingIn(applying).statedThrough = dueDay;
}

export interface StatementFacts {
  readonly StatementIssued: StatementIssued;
  readonly StatementUpdated: StatementUpdated;
  readonly StatementOmitted: StatementOmitted;
}

/** A period of a line in which nothing was owed and nothing happened has no statement. */
export interface StatementOmitted {
  readonly dueDay: Day;
}

/** A new statement without the fields that follow from the fact's envelope. */
export type NewStatement = Omit<StatementRecord, 'createdBy' | 'createdAt' | 'updatedAt'>;

export interface StatementIssued {
  readonly statement: NewStatement;
  readonly caseId: string | null;
}

export type StatementChanges = Partial<Pick<StatementRecord, 'documentDescriptorId' | 'isExternal' | 'metaData' | 'figures'>>;

export interface StatementUpdated {
  readonly id: string;
  readonly changes: StatementChanges;
  readonly caseId: string | null;
}

/** The statement that an id names; 404 if the loan has no such statement. */
export function statementOf(state: LoanState, id: string | undefined): StatementRecord {
  const found = activationOf(state)?.statements.find((statement) => statement.id === id);
  return found ?? refuse('notFound', `The loan has no statement ${id ?? ''}.`);
}

/** The period that an id names; 404 if the loan has no such period. */
export function periodNamed(state: LoanState, env: EvolveEnv, id: string | undefined): PeriodView {
  activatedOf(state);
  const found = periodsIn(runningOf(state, env)).find(({ ordinal }) => periodId(env, state, ordinal) === id);
  return found ?? refuse('notFound', `The loan has no period ${id ?? ''}.`);
}

/** The statement that an id names, for messages that mention it. */
export const findStatement = (state: LoanState, id: string): StatementRecord | undefined =>
  activationOf(state)?.statements.find((statement) => statement.id === id);

type Row = readonly [label: string, value: unknown];

/** The figures that add up to the closing balance, in their order. */
const SUMMARY: readonly (readonly [string, keyof StatementDetailsReply])[] = [
  ['Previous balance', 'previousBalance'],
  ['Paid out', 'totalAdvancesForThisPeriod'],
  ['Interest', 'totalInterestForThisPeriod'],
  ['Fees', 'totalFeesForThisPeriod'],
  ['Payments', 'totalPaymentsForThisPeriod'],
  ['Payments reversed', 'totalPaymentReversalsForThisPeriod'],
  ['Credits', 'totalCreditsForThisPeriod'],
  ['Credits reversed', 'totalCreditReversalsForThisPeriod'],
  ['Refunds', 'totalRefundsForThisPeriod'],
  ['Adjustments', 'totalAdjustmentsForThisPeriod'],
  ['New balance', 'newBalanceAmount'],
];

const DUE: readonly (readonly [string, keyof StatementDetailsReply])[] = [
  ['Payment due date', 'paymentDueDate'],
  ['Minimum payment due', 'minimumDueAmount'],
  ['Overdue', 'overdueAmount'],
  ['Credit balance', 'creditBalanceAmount'],
];

const YEAR: readonly (readonly [string, keyof StatementDetailsReply])[] = [
  ['Fees charged this year', 'yearToDateFeesCharged'],
  ['Interest charged this year', 'yearToDateInterestCharged'],
];

/** The statement as a page of plain HTML, with the values of its details. */
export function statementDocument(details: StatementDetailsReply): string {
  const pick = (names: readonly (readonly [string, keyof StatementDetailsReply])[]): readonly Row[] =>
    names.map(([label, name]) => [label, details[name]]);
  const cycle = `${details.billingCycleStartDate} to ${details.billingCycleEndDate}`;
  const warning = `If the payment is late, a fee of up to ${textOf(details.lateFeeUpToAmount)} may be charged.`;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<title>Statement ${escaped(details.statementDate)}</title></head><body>`,
    `<h1>Statement of ${escaped(details.statementDate)}</h1><p>Billing cycle ${escaped(cycle)}</p>`,
    table('Payment', pick(DUE)),
    details.isDisplayLatePaymentWarning ? `<p>Late payment warning: ${escaped(warning)}</p>` : '',
    ...minimumPaymentParts(details),
    table('Balance', pick(SUMMARY)),
    table(
      'Interest',
      details.interestBreakdown.map(({ rate, days, unroundedInterestAmount }) => [
        `${textOf(rate)} for ${days} days`,
        unroundedInterestAmount,
      ]),
    ),
    table(
      'Activity',
      details.activities.map((activity) => [`${activity.postedDate} ${activity.description}`, activity.amount]),
    ),
    table('Year to date', pick(YEAR)),
    '</body></html>',
  ].join('\n');
}

const ONLY_MINIMUM =
  'If you make only the minimum payment each period, you will pay more in interest and it will take you longer to pay off your balance.';
const NEVER_PAID_OFF =
  'Even if you make no more charges, if you make only the minimum payment each month we estimate you will never pay off the balance ' +
  'shown on this statement because your payment will be less than the interest charged each month.';

/** The wording is that of Regulation Z, 12 CFR 1026.7(b)(12). */
function minimumPaymentParts({ minimumPaymentWarning: warning }: StatementDetailsReply): readonly string[] {
  if (warning === null) return [];
  const { monthsToPayoff, totalPaidAmount, threeYearPaymentAmount, threeYearSavingsAmount } = warning;
  const rows: readonly Row[] = [
    ['Only the minimum payment: time to pay off', monthsToPayoff === null ? null : timeText(monthsToPayoff)],
    ['Only the minimum payment: estimated total', totalPaidAmount],
    ['Monthly payment to pay off in 3 years', threeYearPaymentAmount],
    ['Savings', threeYearSavingsAmount],
  ];
  return [
    `<p>Minimum Payment Warning: ${escaped(monthsToPayoff === null ? NEVER_PAID_OFF : ONLY_MINIMUM)}</p>`,
    table(
      'Paying off this balance',
      rows.filter(([, value]) => value !== null),
    ),
  ];
}

const MONTHS_PER_YEAR = 12;

/** Less than two years in months, else in whole years, halves up (1026.7(b)(12)(i)(B)). */
const timeText = (months: number): string =>
  months < 2 * MONTHS_PER_YEAR ? `${months} ${months === 1 ? 'month' : 'months'}` : `${Math.floor(months / MONTHS_PER_YEAR + 0.5)} years`;

function table(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(([label, value]) => `<tr><th scope="row">${escaped(label)}</th><td>${escaped(textOf(value))}</td></tr>`);
  return `<h2>${escaped(title)}</h2><table>${lines.join('')}</table>`;
}

/** Amounts are printed exactly as in replies. */
const textOf = (value: unknown): string => (value === null ? '' : typeof value === 'string' ? value : toJsonText(value));

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
