import { idOf } from './portfolio.js';
import { patient, unlessBroken } from './patience.js';
import type { Answer } from './service.js';

/** Asks a service or a cluster with the key of its test mode. */
export type Ask = (method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>) => Promise<Answer>;

export interface SpreadLoans {
  readonly loanTypeId: string;
  /** Of the loans, in the order of their numbers. */
  readonly paths: readonly string[];
}

export interface RateOrder {
  readonly annualRate: number;
  readonly startDate: string;
}

export interface EndedOperation {
  readonly status: string;
  readonly progress: { readonly done: number; readonly total: number } | null;
  readonly counts: { readonly changed: number; readonly unchanged: number; readonly failed: number };
}

const AT_ONCE = 8;
const PATIENCE_MS = 120_000;

/** Active loans with a spread on an index of 3 %, each of another borrower, activated twenty months ago. */
export async function makeSpreadLoans(hasty: Ask, count: number, amountOf: (number: number) => number): Promise<SpreadLoans> {
  const ask = patient(hasty);
  const [{ id: company }] = (await ask('GET', '/companies')).json['data'] as readonly [{ readonly id: string }];
  const loanTypeId = idOf(
    await ask('POST', `/companies/${company}/loan-types`, {
      name: 'Spread',
      type: 'installment',
      assetType: 'personalClosedEndUnsecured',
      assetDisplayName: 'Personal loan',
    }),
  );
  await ask('POST', `/loan-types/${loanTypeId}/index-rates`, { annualRate: 0.03, startDate: '2020-01-01' });
  const paths: string[] = [];
  const make = async (number: number): Promise<void> => {
    const personId = idOf(await ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Verde' } }));
    const loanId = idOf(
      await ask('POST', `/people/${personId}/loans`, {
        type: 'installment',
        loanTypeId,
        status: 'originated',
        servicedBy: 'creditor',
        newDrawsAllowed: false,
        atOrigination: {
          amountFinanced: amountOf(number),
          duration: 60,
          paymentFrequency: 'monthly',
          interestRates: [{ interestType: 'spread', days: null, rate: 0.05 }],
          personAddress: { state: 'TX', country: 'US' },
          originationLicense: 'stateLicense',
          originatingCreditorName: 'First Lender',
        },
      }),
    );
    const { status, json } = await ask('POST', `/people/${personId}/loans/${loanId}/activate`, { activationDate: monthsAgo(20) });
    if (status !== 200) throw new Error(JSON.stringify(json));
    paths[number] = `/people/${personId}/loans/${loanId}`;
  };
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < count) await make(next++);
    }),
  );
  return { loanTypeId, paths };
}

/** Starts the operation for a new value of the index, again while a service that has just started refuses it. */
export async function orderRate(ask: Ask, loanTypeId: string, order: RateOrder, key: string): Promise<string> {
  const { json } = await patiently(202, () => ask('POST', `/loan-types/${loanTypeId}/index-rates`, order, { 'idempotency-key': key }));
  return String((json['data'] as { readonly operationId?: string }).operationId);
}

/** Waits until the operation has ended. */
export async function endOf(ask: Ask, operationId: string): Promise<EndedOperation> {
  return (await patiently(200, () => ask('GET', `/operations/${operationId}`))).json['data'] as EndedOperation;
}

/** The amounts of the rows of a loan. */
export async function paymentsOf(ask: Ask, path: string): Promise<readonly unknown[]> {
  const { json } = await patiently(200, () => ask('GET', `${path}/expected-payments`));
  return (json['data'] as { readonly schedule: readonly { readonly amount: number }[] }).schedule.map(({ amount }) => amount);
}

/** The numbers of a loan's events, oldest first. */
export async function eventNumbersOf(ask: Ask, path: string): Promise<readonly number[]> {
  const { json } = await patiently(200, () => ask('GET', `/events?loanId=${path.split('/').at(-1) ?? ''}&limit=100&order=asc`));
  return (json['data'] as readonly { readonly sequence: number }[]).map(({ sequence }) => sequence);
}

export function monthsAgo(months: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString().slice(0, 10);
}

/** Asks again while the operation runs (206) or the service is unavailable (503, a broken connection). */
async function patiently(wanted: number, ask: () => Promise<Answer>): Promise<Answer> {
  for (const end = Date.now() + PATIENCE_MS; ; ) {
    const answer = await ask().catch(unlessBroken);
    if (answer?.status === wanted) return answer;
    if (answer !== null && answer.status !== 206 && answer.status !== 503)
      throw new Error(`${answer.status}: ${JSON.stringify(answer.json)}`);
    if (Date.now() > end) throw new Error(`${wanted} did not come: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
