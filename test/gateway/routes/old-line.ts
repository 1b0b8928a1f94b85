import type { Test } from 'tap';
import { ANN } from '../../actors/borrower/lender.js';
import { type HttpLender, idOf, openHttpLender } from './http-lender.js';
import { lineBody } from './line-over-http.js';

export interface OldLine extends HttpLender {
  readonly loanTypeId: string;
  readonly line: string;
  readonly draw: string;
}

/** A line of another system, with statements on the 22nd and due dates on the 15th, with one draw; today is 2026-03-02. */
export async function oldLine(t: Test, migration: object = {}): Promise<OldLine> {
  const lender = await openHttpLender(t);
  const { id: loanTypeId } = await lender.h.data('loanType.create', lender.company, { type: 'lineOfCredit', name: 'Card' });
  await lender.ask('POST', '/people', ANN);
  const made = async (path: string, body: object): Promise<string> => `${path}/${idOf(await lender.ask('POST', path, body))}`;
  const line = await made(
    '/people/ext-ann-1/loans',
    lineBody(loanTypeId, {
      migration: { activatedDate: '2025-10-01', ...migration },
      atOrigination: { fees: { originationFeeAmount: 3 } },
    }),
  );
  const draw = await made(`${line}/draws`, { status: 'originated', externalId: 'd-1', atOrigination: { fees: { drawFeeAmount: 4 } } });
  return { ...lender, loanTypeId, line, draw };
}

/** What the other system has stated on 2026-02-22, with 55.00 due on 2026-03-15. */
export async function stated({ ask, line, draw }: OldLine): Promise<void> {
  await ask('POST', `${line}/migration/past-periods`, { pastPeriods: [DECEMBER, JANUARY] });
  await ask('POST', `${line}/migration/period`, { ...FEBRUARY, obligation: { obligationAmount: 55 } });
  await ask('POST', `${draw}/migration/period`, {
    ...FEBRUARY,
    nonDueBalances: { nonDuePrincipalAmount: 900 },
    dueBalances: { duePrincipalAmount: 45, dueInterestAmount: 10 },
    fullBalanceAmount: 955,
  });
}

export const period = (startDate: string, endDate: string, statementDate: string, dueDate: string): object => ({
  startDate,
  endDate,
  statementDate,
  dueDate,
});

export const DECEMBER = period('2025-11-25', '2025-12-24', '2025-12-25', '2026-01-15');
export const JANUARY = period('2025-12-25', '2026-01-24', '2026-01-25', '2026-02-15');
export const FEBRUARY = period('2026-01-25', '2026-02-21', '2026-02-22', '2026-03-15');
