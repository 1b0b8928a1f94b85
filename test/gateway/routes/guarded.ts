import type { Test } from 'tap';
import { EMAIL, HOME, PHONE } from '../../actors/borrower/lender.js';
import { dataOf, idOf } from './http-lender.js';
import { type LoanOverHttp, openLoanOverHttp } from './loan-over-http.js';

/** Ann lives in Albany and has a number of Washington, D.C. It is Tuesday, 3 March 2026, 10:30 there. */
export const MORNING = '2026-03-03T15:30:00Z';
export const NIGHT = '2026-03-04T03:30:00Z';
export const ANN = '/people/ext-ann-1';

export interface Guarded extends LoanOverHttp {
  readonly loanId: string;
  readonly phoneId: string;
  check(body: object): Promise<Readonly<Record<string, unknown>>>;
}

export async function openGuarded(t: Test): Promise<Guarded> {
  const lender = await openLoanOverHttp(t);
  await lender.ask('POST', `${ANN}/contacts`, HOME);
  await lender.ask('POST', `${ANN}/contacts`, EMAIL);
  const phoneId = idOf(await lender.ask('POST', `${ANN}/contacts`, { ...PHONE, receiveTextMessages: true }));
  const check = async (body: object): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await lender.ask('POST', `${ANN}/can-interact`, { channel: 'voice', theme: 'opsCollDebt', startedAt: MORNING, ...body });
    t.equal(answer.status, 200, answer.text);
    return dataOf(answer);
  };
  return { ...lender, loanId: lender.loan.split('/').at(-1) ?? '', phoneId, check };
}
