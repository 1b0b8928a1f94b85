import { type PersonState, personWithoutUser, type StoredContentBody } from '../../borrower/index.js';
import { companyOf } from '../../company/index.js';
import type { QuerySpec } from '../../kernel/actor.js';
import { dateText, toJsonText } from '../../wire.js';
import { recordOf, requirePerson } from '../context.js';
import type { PayoffLetterRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import type { PayoffReply } from '../views/read-types.js';
import { payoffReply } from './balances.js';

/** A letter before it is recorded. Only the gateway uses it, to make the pages. */
export interface PayoffLetterDraft {
  readonly html: string;
  /** The figures of the letter as text: the recorded letter must have the same figures. */
  readonly figures: string;
}

/** The command that the gateway makes of a request, after it has stored the content of the letter. */
export interface PayoffLetterCommand extends PayoffLetterRequest, PayoffLetterDraft {
  readonly rendered: StoredContentBody;
}

/** The letter that `POST L/payoff-letter` will record. */
export const draftPayoffLetter: QuerySpec<LoanState, PayoffLetterRequest> = {
  kind: 'loan',
  type: 'loan.payoffLetter',
  on: 'target',
  read({ state, env, query, request }): PayoffLetterDraft {
    requirePerson(state, request.params['personId'], env);
    const { personId, zone } = recordOf(state);
    const figures = payoffReply(state, env, query.payoffDate);
    const { profile } = companyOf(env, state.tenant);
    const person = env.read<PersonState>('person', personId);
    const { name = null, businessDetails = null } = person ? personWithoutUser(person, env) : {};
    const borrower = businessDetails?.businessName ?? ([name?.firstName, name?.lastName].filter((part) => part != null).join(' ') || null);
    const html = payoffLetterHtml({
      lender: profile?.brandName ?? profile?.name ?? null,
      borrower,
      loanId: state.id,
      writtenOn: dateText(env.today(zone)),
      figures,
    });
    return { html, figures: toJsonText(figures) };
  },
};

/** The values of a payoff letter. */
interface PayoffLetter {
  readonly lender: string | null;
  /** Null after the borrower was erased. */
  readonly borrower: string | null;
  readonly loanId: string;
  readonly writtenOn: string;
  readonly figures: PayoffReply;
}

/** The amount of a payoff letter, and its parts. */
const FIGURES: readonly (readonly [string, keyof PayoffReply])[] = [
  ['Principal', 'principalAmount'],
  ['Interest', 'interestAmount'],
  ['Fees', 'feesAmount'],
  ['Amount that pays the loan off', 'payoffAmount'],
  ['Interest of each further day', 'dailyInterestAmount'],
];

/** Shown only if they are not zero. */
const MORE: readonly (readonly [string, keyof PayoffReply])[] = [
  ['Amount that keeps the promotion', 'promoPayoffAmount'],
  ['Payments on their way, which are not deducted', 'pendingPaymentsAmount'],
];

/** The letter as plain HTML, with the values of the reply. */
function payoffLetterHtml({ lender, borrower, loanId, writtenOn, figures }: PayoffLetter): string {
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

/** Amounts are printed exactly as in replies. */
const textOf = (value: unknown): string => escaped(typeof value === 'string' ? value : toJsonText(value));

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
