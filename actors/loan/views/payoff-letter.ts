import { toJsonText } from '../../wire.js';
import type { PayoffReply } from './balance-types.js';

/** Who writes to whom, and about what. */
export interface PayoffLetter {
  readonly lender: string | null;
  /** Null once nobody can read it any more. */
  readonly borrower: string | null;
  readonly loanId: string;
  readonly writtenOn: string;
  readonly figures: PayoffReply;
}

/** The amount of a pay-off letter, and what it is made of. */
const FIGURES: readonly (readonly [string, keyof PayoffReply])[] = [
  ['Principal', 'principalAmount'],
  ['Interest', 'interestAmount'],
  ['Fees', 'feesAmount'],
  ['Amount that pays the loan off', 'payoffAmount'],
  ['Interest of each further day', 'dailyInterestAmount'],
];

/** Money 4: shown where there is any. */
const MORE: readonly (readonly [string, keyof PayoffReply])[] = [
  ['Amount that keeps the promotion', 'promoPayoffAmount'],
  ['Payments on their way, which are not deducted', 'pendingPaymentsAmount'],
];

/** The letter as plain HTML: what it says is what the reply says. */
export function payoffLetterHtml({ lender, borrower, loanId, writtenOn, figures }: PayoffLetter): string {
  const more = MORE.filter(([, name]) => Number(figures[name] ?? 0) !== 0);
  return [
    lender === null ? '' : `<p><b>${escaped(lender)}</b></p>`,
    `<p>${escaped(writtenOn)}</p>`,
    `<h1>Pay-off of the loan ${escaped(loanId)}</h1>`,
    borrower === null ? '' : `<p>Dear ${escaped(borrower)},</p>`,
    `<p>on ${escaped(figures.payoffDate)} this pays off the loan:</p>`,
    `<ul>${[...FIGURES, ...more].map(([label, name]) => `<li>${label}: <b>${textOf(figures[name])}</b></li>`).join('')}</ul>`,
    `<p>The amount is good through ${escaped(figures.goodThroughDate)}. New charges, and payments that come back, change it.</p>`,
  ].join('\n');
}

/** Amounts print digit by digit, as in every reply. */
const textOf = (value: unknown): string => escaped(typeof value === 'string' ? value : toJsonText(value));

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
