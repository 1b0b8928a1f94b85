import type { ShardsReport } from '../../actors/index.js';
import { must } from '../../engine/index.js';
import { type Client, HttpFailure } from '../cli/service-client.js';
import type { Booked } from './book-loans.js';

export type Loan = Booked['loans'][number];

/** Loans that stand for a book: some of each unit among them. */
const SAMPLE = 256;
/** Milliseconds until a loan whose owner is gone is asked for again. */
const AGAIN_MS = 20;
/** Milliseconds between two looks at what is not stored, and records above which it is looked at again. */
const LOOK_MS = 1_000;
const STORED_RECORDS = 10_000;
/** Longest wait for an owner, in milliseconds: one that begins without snapshots reads all of its journal. */
const OWNER_MS = 3_600_000;

/** Asks for each loan until it is answered, with its paid total; how long that took, in milliseconds. */
export async function answered(
  client: Client,
  loans: readonly Loan[],
  check: (paidCents: number, at: number) => void,
): Promise<readonly number[]> {
  const begun = performance.now();
  return Promise.all(
    loans.map(async (loan, at) => {
      for (;;) {
        try {
          check(await paidOf(client, loan), at);
          return performance.now() - begun;
        } catch (cause) {
          if (!(cause instanceof HttpFailure) || cause.status !== 503 || performance.now() - begun > OWNER_MS) throw cause;
        }
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }),
  );
}

/** Resolves when lists are answered: after a start their index is still being read. */
export async function listed(client: Client): Promise<void> {
  for (const begun = performance.now(); ; ) {
    try {
      return void (await client.ask('GET', '/people?limit=1'));
    } catch (cause) {
      if (!(cause instanceof HttpFailure) || cause.status !== 503 || performance.now() - begun > OWNER_MS) throw cause;
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** Resolves when snapshots have come up with what was changed, so that a takeover reads a tail as of any other day. */
export async function stored(client: Client): Promise<void> {
  for (const begun = performance.now(); performance.now() - begun < OWNER_MS; ) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    try {
      const { units } = JSON.parse(await client.text('GET', '/health/shards')) as ShardsReport;
      if (units.reduce((sum, { unstoredRecords }) => sum + unstoredRecords, 0) <= STORED_RECORDS) return;
    } catch (cause) {
      if (!(cause instanceof HttpFailure) || cause.status !== 503) throw cause;
    }
  }
  throw new Error('Snapshots have not come up with what was changed.');
}

async function paidOf(client: Client, { personId, loanId }: Loan): Promise<number> {
  const { paidBalances } = await client.data('GET', `/people/${personId}/loans/${loanId}/balances`);
  return cents((paidBalances as { readonly paidTotalAmount: number }).paidTotalAmount);
}

/** Spread evenly over the book. */
export const sampleOf = (loans: readonly Loan[]): readonly Loan[] =>
  Array.from({ length: Math.min(SAMPLE, loans.length) }, (_, at) =>
    must(loans[Math.floor((at * loans.length) / Math.min(SAMPLE, loans.length))], 'a loan'),
  );

export const cents = (amount: number): number => Math.round(amount * 100);
