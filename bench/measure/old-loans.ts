import { randomUUID } from 'node:crypto';
import type { Client } from '../cli/service-client.js';

/** An object whose history grows, and the calls that are measured at each age. */
export interface Aging {
  readonly name: string;
  /** Unit of its history. */
  readonly unit: string;
  /** Adds one entry; entries are counted from 0. */
  grow(entry: number): Promise<unknown>;
  readonly measured: readonly Measured[];
}

/** A call of the interface. */
interface Measured {
  readonly name: string;
  /** It adds to the history. */
  readonly adds?: true;
  /** It takes long, and is called less often. */
  readonly isSlow?: true;
  readonly run: () => Promise<unknown>;
}

/** A company in test mode whose days pass on command. */
export interface OldLender {
  readonly aging: readonly Aging[];
  /** Other objects of the same kinds, to warm the code up before the measurement. */
  readonly warming: readonly Aging[];
  /** Resolves when all work of the days up to `date` is done. */
  readonly advance: (date: string) => Promise<void>;
}

/** Milliseconds between two looks whether the days are closed. */
const LOOK_MS = 20;
const FAILED = '?limit=10&status=failed';
const TEN = '?limit=10';
const PAID = { type: 'oneTime', amount: 1, isExternal: true, status: 'succeeded' } as const;
/** A line's purchases are of 2.00, and every fourth one is followed by this payment, so that a balance remains. */
const LINE_PAYMENT = { ...PAID, amount: 7 } as const;
const PURCHASES_A_PAYMENT = 4;

/** One object of each kind, new on `startDate`, in a service without data. */
export async function openOldLender(client: Client, startDate: string): Promise<OldLender> {
  const { id: clockId } = await client.data('POST', '/test-clocks', { startDate });
  const person = `/people/${await made(client, '/people', { name: { firstName: 'Ada', lastName: 'Alder' } })}`;
  const oneOfEach = async (): Promise<readonly Aging[]> => [
    await installmentLoan(client, person, 'installment loan', {}),
    await installmentLoan(client, person, 'loan with scheduled interest', {
      byInstalment: { interestMethod: 'periodic', recalculation: 'progressive', amountsIn: 'cents' },
    }),
    await cumulativeLoan(client, person),
    await line(client, person),
    await caseWithNotes(client, person),
    await borrowerWithInteractions(client),
  ];
  return {
    aging: await oneOfEach(),
    warming: await oneOfEach(),
    async advance(to) {
      const { operationId } = await client.data('POST', `/test-clocks/${String(clockId)}/advance`, { to });
      while (await isRunning(client, String(operationId))) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    },
  };
}

async function isRunning(client: Client, operationId: string): Promise<boolean> {
  const { status } = await client.data('GET', `/operations/${operationId}`);
  if (status === 'failed') throw new Error(`the days of operation ${operationId} could not be closed`);
  return status === 'running';
}

/** The id of what was made. */
export const made = async (client: Client, path: string, body: object): Promise<string> =>
  String((await client.data('POST', path, body))['id']);

interface NewLoan {
  readonly type: string;
  readonly atOrigination: object;
}

/** The address of an active loan of a product of its own. */
async function activeLoan(client: Client, person: string, loan: NewLoan & { readonly product: object }): Promise<string> {
  return activeLoanOf(client, person, { ...loan, loanTypeId: await newProduct(client, loan.type, loan.product) });
}

/** The id of a new loan type. */
export async function newProduct(client: Client, type: string, settings: object): Promise<string> {
  const company = (await client.list('/companies'))[0];
  const name = `Bench ${randomUUID().slice(0, 8)}`;
  return made(client, `/companies/${String(company?.['id'])}/loan-types`, { type, name, ...settings });
}

/** The address of an active loan of a borrower, whose address is given. */
export async function activeLoanOf(
  client: Client,
  person: string,
  { type, atOrigination, loanTypeId }: NewLoan & { readonly loanTypeId: string },
): Promise<string> {
  const loanId = await made(client, `${person}/loans`, {
    type,
    loanTypeId,
    status: 'originated',
    servicedBy: 'creditor',
    newDrawsAllowed: type === 'lineOfCredit',
    atOrigination: {
      paymentFrequency: 'monthly',
      specificDays: [15],
      interestRates: [{ interestType: 'absolute', days: null, rate: 0.08 }],
      personAddress: { state: 'IL', country: 'US' },
      originationLicense: 'stateLicense',
      originatingCreditorName: 'Northwind Lending',
      ...atOrigination,
    },
  });
  const loan = `${person}/loans/${loanId}`;
  await client.ask('POST', `${loan}/activate`, {});
  return loan;
}

/** The address of an active draw of a line. */
export async function activeDraw(client: Client, loan: string): Promise<string> {
  const draw = `${loan}/draws/${await made(client, `${loan}/draws`, { status: 'originated', atOrigination: {} })}`;
  await client.ask('POST', `${draw}/activate`, {});
  return draw;
}

/** Terms of a line of credit. */
export const LINE = {
  type: 'lineOfCredit',
  atOrigination: { creditLimitAmount: 50_000, minPaymentCalculation: { percentageOfPrincipal: 0.05, minAmount: 25 } },
} as const;

async function installmentLoan(client: Client, person: string, name: string, product: object): Promise<Aging> {
  const loan = await activeLoan(client, person, { type: 'installment', product, atOrigination: { amountFinanced: 20_000, duration: 360 } });
  const pay = (): Promise<unknown> => client.ask('POST', `${loan}/transactions`, { ...PAID, externalId: randomUUID() });
  return {
    name,
    unit: 'payments',
    grow: pay,
    measured: [
      { name: 'payment', adds: true, run: pay },
      { name: 'balances', run: () => client.ask('GET', `${loan}/balances`) },
      { name: 'page of ten transactions', run: () => client.ask('GET', `${loan}/transactions${TEN}`) },
      { name: 'page of failed transactions', run: () => client.ask('GET', `${loan}/transactions${FAILED}`) },
      activityOf(client, loan),
    ],
  };
}

/** The newest lines, each with what it has changed in the ledger. */
const activityOf = (client: Client, loan: string): Measured => ({
  name: 'page of ten lines of the activity',
  isSlow: true,
  run: () => client.ask('GET', `${loan}/activity${TEN}`),
});

/** A loan on which each payment lowers the interest of its period and solves the coming rows again. */
const cumulativeLoan = (client: Client, person: string): Promise<Aging> =>
  installmentLoan(client, person, 'loan with cumulative recalculation', {
    byInstalment: { interestMethod: 'periodic', recalculation: 'cumulative', amountsIn: 'cents' },
  });

async function line(client: Client, person: string): Promise<Aging> {
  const loan = await activeLoan(client, person, { ...LINE, product: {} });
  const draw = await activeDraw(client, loan);
  const buy = (): Promise<unknown> => client.ask('POST', `${draw}/purchases`, { amount: 2, externalId: randomUUID() });
  const pay = (): Promise<unknown> => client.ask('POST', `${loan}/transactions`, { ...LINE_PAYMENT, externalId: randomUUID() });
  return {
    name: 'line of credit',
    unit: 'purchases',
    grow: (entry) => (entry % PURCHASES_A_PAYMENT === PURCHASES_A_PAYMENT - 1 ? Promise.all([buy(), pay()]) : buy()),
    measured: [
      { name: 'purchase', adds: true, run: buy },
      { name: 'payment', adds: true, run: pay },
      { name: 'balances', run: () => client.ask('GET', `${loan}/balances`) },
      { name: 'page of ten purchases', run: () => client.ask('GET', `${draw}/purchases${TEN}`) },
      { name: 'page of ten transactions', run: () => client.ask('GET', `${loan}/transactions${TEN}`) },
      activityOf(client, loan),
    ],
  };
}

async function caseWithNotes(client: Client, person: string): Promise<Aging> {
  const path = `${person}/cases/${await made(client, `${person}/cases`, { caseType: 'generic' })}`;
  const note = (): Promise<unknown> => client.ask('POST', `${path}/notes`, { content: 'Called back, will pay on Friday.' });
  return {
    name: 'case',
    unit: 'notes',
    grow: note,
    measured: [
      { name: 'note', adds: true, run: note },
      { name: 'case', run: () => client.ask('GET', path) },
      { name: 'page of ten notes', run: () => client.ask('GET', `${path}/notes${TEN}`) },
    ],
  };
}

async function borrowerWithInteractions(client: Client): Promise<Aging> {
  const person = `/people/${await made(client, '/people', { name: { firstName: 'Ben', lastName: 'Birch' } })}`;
  const contact = { channel: 'voice', theme: 'opsServicing' } as const;
  const speak = (): Promise<unknown> => client.ask('POST', `${person}/interactions`, contact);
  return {
    name: 'borrower',
    unit: 'interactions',
    grow: speak,
    measured: [
      { name: 'interaction', adds: true, run: speak },
      { name: 'check of a contact', adds: true, run: () => client.ask('POST', `${person}/can-interact`, contact) },
      { name: 'page of ten interactions', run: () => client.ask('GET', `${person}/interactions${TEN}`) },
    ],
  };
}
