import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SftpFolder } from '../bank/sftp-folder.js';
import { Client, type Json } from '../cli/service-client.js';
import { type Benchmark, type Measure, needsNats } from './benchmark.js';
import { measuresOfReads, readsBeside } from './reads-beside.js';
import { listed, measureEach, type ServedPortfolio } from './served-portfolio.js';

const CONNECTIONS = 32;
/** Milliseconds between two looks at a file, and the longest wait for it. */
const LOOK_MS = 100;
const LONGEST_MS = 3_600_000;
const DAY_MS = 86_400_000;
const LOGIN = { username: 'tapes', password: 'of a benchmark' };

/** The server is on this machine. */
const ALLOWED = { TENOR_OUTGOING_ALLOW: '127.0.0.1' };

/** What a funding partner asks for. */
const FIELDS = [
  'reportDate',
  'loanId',
  'loanExternalId',
  'mainBorrowerId',
  'dataStatus',
  'status',
  'activatedDate',
  'maturityDate',
  'amountFinanced',
  'currentPrincipalAmount',
  'outstandingInterestAmount',
  'outstandingFeesAmount',
  'outstandingTotalAmount',
  'overdueAmount',
  'daysOverdue',
  'interestRate',
  'periodicPaymentAmount',
  'nextDueDate',
  'lastPaymentDate',
  'lastPaymentAmount',
];

/** Files with a row for each loan, from their order until a server has them, of today and of a past day. */
export const tapesBenchmark: Benchmark = {
  name: 'tapes',
  title: 'Loan tapes of a whole portfolio, from the order to the file on an SFTP server, with reads served meanwhile',
  size: { standard: 20_000, unit: 'loans' },
  needs: needsNats,
  run: (context) =>
    measureEach(context, context.size ?? 20_000, { months: context.months ?? 3, environment: ALLOWED }, (served, report) =>
      measured(served, join(context.folder, 'received'), report),
    ),
};

async function measured(served: ServedPortfolio, folder: string, report: (line: string) => void): Promise<readonly Measure[]> {
  const client = new Client(served.port, served.testKey, CONNECTIONS);
  mkdirSync(folder, { recursive: true });
  const server = await SftpFolder.open(folder, LOGIN);
  try {
    await listed(client);
    const tapes = new Tapes(client, served, { folder, port: server.port });
    const measures: Measure[] = [];
    for (const [what, format, body] of CASES) {
      const tape = await tapes.tape(format);
      const made = await readsBeside(client, served, () => tapes.made(tape, body()));
      const name = `${served.name}: ${what}`;
      const rows = Number(made.result['rowCount']);
      const taken = made.processorSeconds.reduce((sum, each) => sum + each, 0);
      report(`${name}: ${rows} rows, ${String(made.result['bytes'])} bytes in ${made.seconds.toFixed(1)} s`);
      measures.push(
        { name, value: Math.round(made.seconds * 10) / 10, unit: 's', budget: { atMost: 60, forLoans: 1_000_000 } },
        { name: `${name}: rows`, value: rows, unit: '', budget: { atLeast: served.portfolio.loans.length } },
        { name: `${name}: rows a second`, value: Math.round(rows / made.seconds), unit: '/s' },
        {
          name: `${name}: processor of the service with these reads, for each row`,
          value: Math.round((taken * 1_000_000) / rows),
          unit: 'us',
        },
        ...measuresOfReads(name, made),
      );
    }
    return measures;
  } finally {
    client.close();
    server.close();
  }
}

/** A week ago all loans were there: they have months of history. */
const CASES = [
  ['a CSV file of today', 'CSV', () => ({})],
  ['a Parquet file of today', 'Parquet', () => ({})],
  ['a CSV file of a week ago', 'CSV', () => ({ reportDate: new Date(Date.now() - 7 * DAY_MS).toISOString().slice(0, 10) })],
] as const;

class Tapes {
  readonly #company: string;

  constructor(
    private readonly client: Client,
    { portfolio }: ServedPortfolio,
    private readonly received: { readonly folder: string; readonly port: number },
  ) {
    this.#company = portfolio.tenant.company;
  }

  /** The path of a tape of all loans. */
  async tape(tapeOutputFormat: 'CSV' | 'Parquet'): Promise<string> {
    const type = { tapeName: `Loans in ${tapeOutputFormat}`, tapeType: 'loans', fields: FIELDS, tapeOutputFormat };
    const { id: loanTapeTypeId } = await this.client.data('POST', `/companies/${this.#company}/loan-tape-types`, type);
    const address = { sftpHostname: `127.0.0.1:${this.received.port}`, sftpUsername: LOGIN.username, sftpPassword: LOGIN.password };
    const tapes = `/companies/${this.#company}/loan-tapes`;
    const { id } = await this.client.data('POST', tapes, { loanTapeTypeId, ...address, status: 'paused' });
    return `${tapes}/${String(id)}`;
  }

  /** The record of a file once the server has it. */
  async made(tape: string, body: object): Promise<Json> {
    const { id } = await this.client.data('POST', `${tape}/files`, body);
    for (const begun = performance.now(); performance.now() - begun < LONGEST_MS; ) {
      const file = (await this.client.list(`${tape}/files?limit=1`)).find((each) => each['id'] === id);
      if (file !== undefined && file['status'] !== 'pending') {
        const isWhole =
          file['status'] === 'succeeded' && statSync(join(this.received.folder, String(file['fileName']))).size === file['bytes'];
        if (!isWhole) throw new Error(`The file has not arrived: ${JSON.stringify(file)}`);
        return file;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    throw new Error('The file has not ended within an hour.');
  }
}
