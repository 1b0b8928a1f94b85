import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { Engine } from '../../../../actors/index.js';
import { type AchReading, cents, codeOf, type FoundEntry, must, readAch, transactionCode, writeAch } from '../../../../engine/index.js';
import { AddressRules, ServerKeys } from '../../../../gateway/index.js';
import { BankSftp } from '../../../../gateway/runners/bank-sftp.js';
import { ACCOUNT } from '../../../actors/borrower/lender.js';
import { type SftpServer, sftpServerFor } from '../../../persistence/sftp-server.js';
import { dataOf, idOf } from '../http-lender.js';
import { type LoanOverHttp, openLoanOverHttp } from '../loan-over-http.js';

export type Data = Readonly<Record<string, unknown>>;

export interface AchOverHttp extends LoanOverHttp {
  readonly server: SftpServer;
  /** The folder of the bank: `out` has what the service has put, `in` what the bank gives. */
  readonly bank: string;
  readonly processorId: string;
  readonly instrumentId: string;
  /** Does the work that waits. */
  settled(): Promise<void>;
  pay(amount: number, body?: object): Promise<string>;
  transaction(id: string): Promise<Data>;
  names(): readonly string[];
  read(name: string): AchReading;
  /** Puts a file of the bank into the inbox. */
  give(name: string, content: string | Buffer): void;
}

/** The fields of an active processor. */
export const processorBody = (server: Pick<SftpServer, 'port' | 'username' | 'password'>, changes: object = {}): object => ({
  paymentTypes: ['ach'],
  processorType: 'achDirectUS',
  processorName: 'First Bank of Albany',
  status: 'active',
  isDefault: true,
  timezone: 'America/New_York',
  achCutoff: '16:00:00Z',
  achFileHeaderImmediateDestination: '021000021',
  achFileHeaderImmediateOrigin: '1234567890',
  achFileHeaderImmediateDestinationName: 'FIRST BANK OF ALBANY',
  achFileHeaderImmediateOriginName: 'NORTHWIND LENDING',
  achBatchHeaderCompanyName: 'NORTHWIND',
  achBatchHeaderCompanyId: '1234567890',
  achBatchHeaderOriginatingDFIId: '02100002',
  achSECCode: 'WEB',
  sftpHostname: `127.0.0.1:${server.port}`,
  sftpUsername: server.username,
  sftpPassword: server.password,
  sftpCdDirOutbox: '/out',
  sftpCdDirInbox: '/in',
  sftpAchConfirmationFileNameRegex: '^CONF_.*\\.txt$',
  sftpAchReturnFileNameRegex: '^RET_.*\\.ach$',
  ...changes,
});

/** What speaks to banks on this machine, for a runner of a test. */
export const bankSftpOf = ({ engine }: { readonly engine: Engine }): BankSftp =>
  new BankSftp(new AddressRules(['127.0.0.0/8']), new ServerKeys({ report: () => undefined }).start(engine));

export function openBank(t: Test): { readonly bank: string; readonly server: Promise<SftpServer> } {
  const bank = t.testdir({ out: {}, in: {} });
  return { bank, server: sftpServerFor(t, bank) };
}

/** A lender with a processor, and a borrower with a loan and a verified account. */
export async function openAch(t: Test, processor: object = {}, product: object = {}): Promise<AchOverHttp> {
  const { bank, server: opening } = openBank(t);
  const server = await opening;
  const lender = await openLoanOverHttp(t, product);
  const { ask, h, loan } = lender;
  const made = await ask('POST', '/payment-processors', processorBody(server, processor));
  if (made.status !== 201) throw new Error(made.text);
  const [instrument] = (await ask('POST', '/people/ext-ann-1/payment-instruments?force=true', { ...ACCOUNT, verified: true })).json[
    'data'
  ] as readonly { readonly id: string }[];
  const instrumentId = must(instrument, 'an instrument').id;
  return {
    ...lender,
    server,
    bank,
    processorId: idOf(made),
    instrumentId,
    settled: () => h.ach.settled(),
    async pay(amount, body = {}) {
      const paid = await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount, paymentInstrumentId: instrumentId, ...body });
      if (paid.status !== 201) throw new Error(paid.text);
      return idOf(paid);
    },
    transaction: async (id) => dataOf(await ask('GET', `${loan}/transactions/${id}`)),
    names: () => readdirSync(join(bank, 'out')).sort(),
    read: (name) => readAch(readFileSync(join(bank, 'out', name), 'latin1')),
    give(name, content) {
      mkdirSync(join(bank, 'in'), { recursive: true });
      writeFileSync(join(bank, 'in', name), content);
    },
  };
}

/** The file with which a bank sends entries back, or says what has changed in their accounts. */
export function bankFile(
  reading: AchReading,
  back: readonly { readonly entry: FoundEntry; readonly code: string; readonly data?: string; readonly amountCents?: number }[],
): string {
  const { line: _line, ...header } = must(reading.header, 'a file of the service');
  const first = must(reading.batches[0], 'a batch').header;
  return writeAch({
    header: { ...header, immediateDestination: header.immediateOrigin, immediateOrigin: header.immediateDestination },
    batches: [
      {
        header: { ...first, serviceClass: '200', sec: back.every(({ code }) => code.startsWith('C')) ? 'COR' : first.sec },
        entries: back.map(({ entry, code, data, amountCents = entry.amountCents }, at) => {
          const { line: _at, addendaLines: _lines, ...own } = entry;
          const known = must(transactionCode(entry.transactionCode), 'a transaction code');
          const trace = `02100002${String(at + 1).padStart(7, '0')}`;
          const isChange = code.startsWith('C');
          const common = { code, originalTrace: entry.trace, originalReceivingBank: entry.routingNumber.slice(0, 8), trace };
          return {
            ...own,
            transactionCode: must(codeOf({ ...known, use: 'returned' }), 'a code of returns'),
            amountCents: cents(isChange ? 0 : amountCents),
            trace,
            addendaIndicator: '1',
            addenda: [
              isChange
                ? { ...common, type: 'change' as const, correctedData: data ?? '' }
                : { ...common, type: 'return' as const, dateOfDeath: null, information: '' },
            ],
          };
        }),
      },
    ],
  });
}
