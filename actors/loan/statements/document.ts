import { toJsonText } from '../../wire.js';
import type { StatementDetailsReply } from './types.js';

type Row = readonly [label: string, value: unknown];

/** What the balance was made of, in the order of the identity. */
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

/** The statement as a page of plain HTML: what it shows is what the details say. */
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
      details.activities.map(({ postedDate, description, amount }) => [`${postedDate} ${description}`, amount]),
    ),
    table('Year to date', pick(YEAR)),
    '</body></html>',
  ].join('\n');
}

function table(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(([label, value]) => `<tr><th scope="row">${escaped(label)}</th><td>${escaped(textOf(value))}</td></tr>`);
  return `<h2>${escaped(title)}</h2><table>${lines.join('')}</table>`;
}

/** Amounts print digit by digit, as in every reply. */
const textOf = (value: unknown): string => (value === null ? '' : typeof value === 'string' ? value : toJsonText(value));

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
