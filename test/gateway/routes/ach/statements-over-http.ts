import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { SimulatedBank } from '../../../../bench/bank/simulated-bank.js';
import { type BankLine, bai2File } from '../../../../bench/bank/written-statements.js';
import { type Day, must, parseDay } from '../../../../engine/index.js';
import type { HttpAnswer } from '../../harness.js';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { type AchOverHttp, type Data, openAch } from './ach-over-http.js';

export const OWN_ACCOUNT = '4400112233';

export const day = (text: string): Day => must(parseDay(text), text);

export interface StatementsOverHttp extends AchOverHttp {
  readonly accountId: string;
  readonly simulated: SimulatedBank;
  /** Everything that the service and the bank do on a day, after the cut-off. */
  live(date: string): Promise<void>;
  upload(content: string | Buffer, query?: string): Promise<HttpAnswer>;
  /** The statement that the bank has written for a day; returns it once it is matched. */
  importDay(date: string, format?: 'bai2' | 'xml'): Promise<Data>;
  statement(id: string): Promise<Data>;
  entries(id: string, query?: string): Promise<readonly Data[]>;
  matched(): Promise<void>;
  /** The differences that nobody has resolved. */
  differences(): Promise<readonly Data[]>;
}

export const line = (changes: Partial<BankLine>): BankLine => ({
  day: day('2026-03-03'),
  cents: 0,
  code: '195',
  bankReference: 'BANK-1',
  customerReference: 'CUSTOMER-1',
  text: '',
  ...changes,
});

export const bai2 = (date: string, openingCents: number, lines: readonly BankLine[]): string =>
  bai2File({ account: OWN_ACCOUNT, day: day(date), openingCents, lines });

/** A lender with a processor, an account of its own, and a simulated bank. */
export async function openStatements(
  t: Test,
  bank: Partial<ConstructorParameters<typeof SimulatedBank>[0]> = {},
  product: object = {},
): Promise<StatementsOverHttp> {
  const lender = await openAch(t, {}, product);
  const { ask, h, settled, goTo, processorId } = lender;
  const made = await ask('POST', `/payment-processors/${processorId}/funding-instruments`, {
    instrumentType: 'bankAccount',
    accountNumber: OWN_ACCOUNT,
    routingNumber: '021000021',
    accountType: 'checking',
    accountHolderType: 'business',
    accountHolderName: 'Northwind Lending',
    externalId: 'main',
  });
  if (made.status !== 201) throw new Error(made.text);
  const simulated = new SimulatedBank({
    folder: lender.bank,
    seed: 1,
    shares: new Map(),
    losing: 0,
    repeating: 0,
    account: OWN_ACCOUNT,
    ...bank,
  });
  const matched = (): Promise<void> => h.campaigns.statementsSettled();
  const upload = (content: string | Buffer, query = 'fundingInstrumentId=ext-main'): Promise<HttpAnswer> =>
    ask('POST', `/bank-statements?${query}`, undefined, {
      body: Buffer.from(content),
      headers: { 'Content-Type': 'application/octet-stream' },
    });
  const statement = async (id: string): Promise<Data> => dataOf(await ask('GET', `/bank-statements/${id}`));
  return {
    ...lender,
    accountId: idOf(made),
    simulated,
    matched,
    upload,
    statement,
    async live(date) {
      await goTo(date);
      h.nowMs = Date.parse(`${date}T21:30:00Z`);
      await settled();
      simulated.run(day(date));
      await settled();
    },
    async importDay(date, format = 'bai2') {
      const name = `STMT_${date.replaceAll('-', '')}.${format}`;
      const uploaded = await upload(readFileSync(join(lender.bank, 'statements', name)));
      if (uploaded.status !== 201) throw new Error(uploaded.text);
      await matched();
      return statement(idOf(uploaded));
    },
    entries: async (id, query = '') => listOf(await ask('GET', `/bank-statements/${id}/entries?limit=100${query}`)),
    async differences() {
      const days = listOf(await ask('GET', '/reconciliations?status=differences&limit=100'));
      return days.flatMap(({ date, items }) =>
        (items as readonly Data[]).filter(({ resolvedAt }) => resolvedAt === null).map((item) => ({ date, ...item })),
      );
    },
  };
}
