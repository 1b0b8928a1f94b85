import type { SftpServer } from '../../persistence/sftp-server.js';
import { ACCOUNT, HOME, PHONE } from '../../actors/borrower/lender.js';
import { loanBody } from '../../actors/loan/setting.js';
import { processorBody } from '../../gateway/routes/ach/ach-over-http.js';
import { EQUIFAX, REPORTER } from '../../gateway/routes/credit-reporting/credit-over-http.js';
import { ACCOUNT_OF_INVESTOR } from '../../gateway/routes/parties/settled-lender.js';
import type { Answer } from '../../service/service.js';
import type { Ask } from '../../service/spread-loans.js';

export type Data = Readonly<Record<string, unknown>>;

/** The folders of the server: what is for the bank, from it, and for the others. */
export const FOLDERS = ['out', 'in', 'inbox', 'tapes', 'agency', 'alpha', 'beta'] as const;

export const FIRST_DAY = '2026-03-02';
export const SHARES = { alpha: 0.6, beta: 0.4 } as const;
/** Monday and Wednesday. */
export const TAPE_DAYS: readonly number[] = [1, 3];
export const FINANCED_CENTS = 500_000;

export interface MoneyLender {
  readonly company: string;
  readonly clock: string;
  readonly investors: { readonly alpha: string; readonly beta: string };
  readonly tape: string;
  /** Paths of the loans. Each is of another borrower and is paid by autopay on another day of the week. */
  readonly loans: readonly string[];
}

const LOANS = 5;

export function dataOf({ status, json }: Answer): Data {
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(json)}`);
  return json['data'] as Data;
}

export const idOf = (answer: Answer): string => String(dataOf(answer)['id']);

/** All objects of a list. */
export async function listOf(ask: Ask, path: string): Promise<readonly Data[]> {
  const all: Data[] = [];
  for (let after = ''; ; after = `&startingAfter=${String(all.at(-1)?.['id'])}`) {
    const answer = await ask('GET', `${path}${path.includes('?') ? '&' : '?'}limit=100${after}`);
    all.push(...(dataOf(answer) as unknown as readonly Data[]));
    if (answer.json['hasMore'] !== true) return all;
  }
}

/** A lender whose money moves by files: a processor with both cut-offs, two investors, a tape, a credit agency, loans with autopay. */
export async function makeMoneyLender(ask: Ask, sftp: SftpServer): Promise<MoneyLender> {
  const login = { username: sftp.username, password: sftp.password };
  const host = `127.0.0.1:${sftp.port}`;
  const own = { sftpHostname: host, sftpUsername: login.username, sftpPassword: login.password };
  const [{ id: company }] = dataOf(await ask('GET', '/companies')) as unknown as readonly [{ readonly id: string }];
  const clock = idOf(await ask('POST', '/test-clocks', { startDate: FIRST_DAY }));
  dataOf(
    await ask(
      'POST',
      '/payment-processors',
      processorBody(sftp, { timezone: 'America/New_York', achSameDayCutoff: '12:00:00Z', sftpCdDirInbox: '/inbox' }),
    ),
  );
  const agency = await ask('POST', `/companies/${company}/credit-agencies`, { ...EQUIFAX, ...own, sftpCdDir: '/agency' });
  const loanTypeId = idOf(
    await ask('POST', `/companies/${company}/loan-types`, {
      ...REPORTER,
      name: 'Weekly',
      type: 'installment',
      creditAgencyIds: [idOf(agency)],
      autopay: { retry: { maxAttempts: 2, daysBetween: 1 }, maxConsecutiveFailures: 50 },
    }),
  );
  const invest = async (name: 'alpha' | 'beta', settlementFrequency: 'daily' | 'weekly'): Promise<string> => {
    const sftpSettings = { host, ...login, cdDir: `/${name}` };
    const investor = { legalName: name, externalId: name, settlementFrequency, sftpSettings };
    const id = idOf(await ask('POST', `/companies/${company}/investors`, investor));
    dataOf(await ask('POST', `/companies/${company}/investors/${id}/settlement-instruments`, { ...ACCOUNT_OF_INVESTOR, isExternal: true }));
    return id;
  };
  const investors = { alpha: await invest('alpha', 'weekly'), beta: await invest('beta', 'daily') };
  const loans: string[] = [];
  for (let number = 1; number <= LOANS; number += 1) loans.push(await makeLoan(ask, { loanTypeId, investors, number }));
  return { company, clock, investors, tape: await makeTape(ask, company, { ...own, sftpCdDir: '/tapes' }), loans };
}

async function makeTape(ask: Ask, company: string, server: object): Promise<string> {
  const loanTapeTypeId = idOf(
    await ask('POST', `/companies/${company}/loan-tape-types`, {
      tapeName: 'Loans',
      tapeType: 'loans',
      fields: ['reportDate', 'loanExternalId', 'currentPrincipalAmount'],
      compressionType: 'noCompression',
      schedule: 'weekly',
      specificDays: TAPE_DAYS,
    }),
  );
  return idOf(await ask('POST', `/companies/${company}/loan-tapes`, { loanTapeTypeId, ...server }));
}

interface LoanOrder {
  readonly loanTypeId: string;
  readonly investors: MoneyLender['investors'];
  readonly number: number;
}

async function makeLoan(ask: Ask, { loanTypeId, investors, number }: LoanOrder): Promise<string> {
  const person = idOf(
    await ask('POST', '/people', {
      name: { firstName: 'Ann', lastName: `Quimby ${'ABCDEFGH'[number] ?? ''}` },
      dateOfBirth: '1984-05-17',
      identity: { identityType: 'SSN', value: `900-11-22${number}3` },
    }),
  );
  for (const contact of [HOME, PHONE]) dataOf(await ask('POST', `/people/${person}/contacts`, contact));
  const owners = Object.entries(SHARES).map(([name, share]) => ({ investorId: investors[name as keyof typeof SHARES], share }));
  const body = loanBody(loanTypeId, {
    atOrigination: {
      amountFinanced: FINANCED_CENTS / 100,
      duration: 104,
      paymentFrequency: 'weekly',
      specificDays: [number],
      interestRates: [{ interestType: 'absolute', days: null, rate: 0.18 }],
      investors: owners,
    },
  });
  const loan = `/people/${person}/loans/${idOf(await ask('POST', `/people/${person}/loans`, body))}`;
  dataOf(await ask('POST', `${loan}/activate`, {}));
  await renewAccount(ask, loan, 7_700_000 + number);
  return loan;
}

/** The id of a document of the borrower of a loan. */
export const signed = async (ask: Ask, loan: string): Promise<string> => {
  const made = (await ask('POST', `${loan.replace(/\/loans\/.*/, '')}/documents`, { type: 'other' })).json;
  return String(made['id']);
};

/** Gives the borrower of a loan an account, from which autopay takes its payments from now on. */
export async function renewAccount(ask: Ask, loan: string, accountNumber: number): Promise<string> {
  const account = { ...ACCOUNT, accountNumber: String(accountNumber), verified: true };
  const [made] = dataOf(
    await ask('POST', `${loan.replace(/\/loans\/.*/, '')}/payment-instruments?force=true`, account),
  ) as unknown as readonly [{ readonly id: string }];
  await ask('DELETE', `${loan}/autopay`); // 404 where there is none
  dataOf(await ask('POST', `${loan}/autopay`, { paymentInstrumentId: made.id, agreementDocumentId: await signed(ask, loan) }));
  return made.id;
}
