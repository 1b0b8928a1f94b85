import { setTimeout as pause } from 'node:timers/promises';
import type { Test } from 'tap';
import { idOf, listOf } from '../http-lender.js';
import { type LoanOverHttp, openLoanOverHttp, SMALL } from '../loan-over-http.js';

export type Data = Readonly<Record<string, unknown>>;

export interface LedgerLender extends LoanOverHttp {
  /** The path of the books. */
  readonly root: string;
  /** The batches of a query, after everything is sealed that is over. */
  batches(query?: string): Promise<readonly Data[]>;
  /** Goes to noon of a day, and seals the days before. */
  sealTo(date: string): Promise<void>;
  /** Orders the file of a batch and waits for it; its record and its text. */
  exported(batchId: unknown, body: object): Promise<{ readonly record: Data; readonly text: string }>;
}

/** The rows of a report. */
export const rowsOf = (data: Data): readonly Data[] => data['rows'] as readonly Data[];

const DAY_MS = 86_400_000;
const MOST_TRIES = 200;

/** Goes to noon of a day, and seals the days before. */
export const sealingOf =
  ({ ask, company, h, goTo }: Pick<LoanOverHttp, 'ask' | 'company' | 'h' | 'goTo'>) =>
  async (date: string): Promise<void> => {
    await goTo(date);
    const last = new Date(Date.parse(date) - DAY_MS).toISOString().slice(0, 10);
    // Loans of other shards may be behind for a moment.
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      await h.campaigns.ledgerSettled();
      const [newest] = listOf(await ask('GET', `/companies/${company}/general-ledger/batches?basis=accrual&fromDate=${last}`));
      if (newest !== undefined) return;
      h.nowMs += 2_000;
      await pause(20);
    }
  };

/** A lender with one active loan, whose books are read over HTTP. */
export async function openGeneralLedger(t: Test, product: object = {}, terms: object = SMALL): Promise<LedgerLender> {
  const lender = await openLoanOverHttp(t, product, terms);
  const { ask, company, h } = lender;
  const root = `/companies/${company}/general-ledger`;
  const sealTo = sealingOf(lender);
  return {
    ...lender,
    root,
    async batches(query = '') {
      await h.campaigns.ledgerSettled();
      return listOf(await ask('GET', `${root}/batches?limit=100${query}`));
    },
    sealTo,
    async exported(batchId, body) {
      const ordered = await ask('POST', `${root}/batches/${String(batchId)}/export`, body);
      if (ordered.status !== 202) throw new Error(ordered.text);
      await h.campaigns.ledgerSettled();
      const batch = (await ask('GET', `${root}/batches/${String(batchId)}`)).json['data'] as { readonly exports: readonly Data[] };
      const record = batch.exports.find(({ id }) => id === idOf(ordered)) ?? {};
      const content = await ask('GET', `${root}/batches/${String(batchId)}/exports/${idOf(ordered)}/content`);
      return { record, text: content.text };
    },
  };
}
