import { randomUUID } from 'node:crypto';
import { must, fieldOf, textIn, recordsIn } from '../../engine/index.js';
import { type CommandRequest, type Engine, JsonText, type Tenant } from '../../actors/index.js';
import { foundCompany } from '../cli/lookups.js';
import type { GatewayService, Service } from '../access.js';
import { Random } from './import-rate.js';
import { inParallel } from '../cli/service-client.js';

export interface Lender extends Portfolio {
  readonly engine: Engine;
  readonly execute: (type: string, target: string | null, body: unknown, params?: Readonly<Record<string, string>>) => Promise<unknown>;
}

/** Company and loan type of the loans. */
export interface Product {
  readonly tenant: Tenant;
  readonly loanTypeId: string;
}

export interface Portfolio extends Product {
  readonly loans: readonly { readonly personId: string; readonly loanId: string }[];
}

const BENCH = { type: 'system', id: 'bench' } as const;
const EVERYTHING: ReadonlySet<string> = new Set(['*']);

/** Loans that are made at the same time. */
const IN_FLIGHT = 256;
const SEED = 7;

/** Months of a loan with history. */
export const LONGEST = 60;

export interface PortfolioOptions {
  /** Months of history: all loans then have 60 months, began so long ago and were paid each month. */
  readonly months?: number;
  /** The value of an index that the loans follow: their rates are spreads. */
  readonly index?: number;
  /** Borrowers have an e-mail address, a telephone and a home, and agree to electronic statements. */
  readonly isReachable?: boolean;
  /** Commands carry idempotency keys, so that one whose answer was late can be sent again. */
  readonly isKeyed?: boolean;
  /** The product of earlier loans that these are added to; a new one when absent. */
  readonly product?: Product | undefined;
  /** Of the amounts and rates. */
  readonly seed?: number;
  /** Called with the product before the first loan. */
  onProduct?(product: Product): void;
  /** Called with each loan when all of it is durable. */
  readonly onBooked?: (loan: Portfolio['loans'][number]) => void;
}

/** A company with a product and active loans of 12 to 60 months, in test mode, through the engine's own commands. */
export async function makePortfolio(
  { engine, settings }: Pick<Service, 'engine' | 'settings'>,
  count: number,
  report: (line: string) => void,
  options: PortfolioOptions = {},
): Promise<Lender> {
  return { engine, ...(await makePortfolioThrough({ companies: engine, settings }, count, report, options)) };
}

/** The same through any service that executes commands, such as a gateway of a cluster. */
export async function makePortfolioThrough(
  { companies, settings }: Pick<GatewayService, 'companies' | 'settings'>,
  count: number,
  report: (line: string) => void,
  options: PortfolioOptions,
): Promise<Omit<Lender, 'engine'>> {
  const { months = 0, index, isKeyed = false, isReachable = false, seed = 0, onBooked = () => undefined } = options;
  await foundCompany(companies, settings);
  const tenant = must(
    companies.tenants().find(({ mode }) => mode === 'test'),
    'the company has a test mode',
  );
  const execute = async (
    type: string,
    target: string | null,
    body: unknown,
    params: Readonly<Record<string, string>> = {},
  ): Promise<unknown> => {
    const commandId = randomUUID();
    const request: CommandRequest = {
      commandId,
      ...(isKeyed ? { idempotency: { key: commandId, digest: '' } } : {}),
      company: tenant.company,
      mode: tenant.mode,
      type,
      target,
      params,
      body,
      actor: BENCH,
      permissions: EVERYTHING,
      address: null,
      requestId: 'bench',
    };
    return patiently(async () => plain((await companies.execute(request)).data));
  };
  const { loanTypeId } = options.product ?? (await makeProduct());
  options.onProduct?.({ tenant, loanTypeId });
  const random = new Random(SEED + seed);
  const begun = performance.now();
  let booked = 0;
  const loans = await inParallel(
    Array.from({ length: count }, (_, at) => at),
    IN_FLIGHT,
    async () => {
      const personId = idOf(await execute('person.create', null, { name: { firstName: 'Ada', lastName: 'Alder' } }));
      const loanId = idOf(await execute('loan.create', personId, loanBody(loanTypeId, random, { months, index }), { personId }));
      const activated = await execute('loan.activate', loanId, months === 0 ? {} : { activationDate: monthsAgo(months) }, { personId });
      for (const { date, amount } of dueSoFar(activated, months)) {
        await execute(
          'transaction.create',
          loanId,
          { ...PAYMENT, amount: Number(JSON.stringify(amount)), effectiveDate: date },
          { personId },
        );
      }
      if (isReachable) await makeReachable(personId, booked); // last: nobody writes to them about their new loans
      onBooked({ personId, loanId });
      booked += 1;
      if (booked % 10_000 === 0)
        report(`${booked.toLocaleString('en-US')} loans booked, ${Math.round((booked * 1000) / (performance.now() - begun))} a second`);
      return { personId, loanId };
    },
  );
  return { tenant, loanTypeId, loans, execute };

  async function makeReachable(personId: string, at: number): Promise<void> {
    for (const contact of contactsOf(at)) await execute('contact.create', personId, contact, { personId });
    await execute('consent.update', personId, [{ name: 'electronicComms', status: 'consented', source: 'borrower' }], { personId });
  }

  async function makeProduct(): Promise<Product> {
    const made = idOf(await execute('loanType.create', tenant.company, { type: 'installment', name: `Bench ${randomUUID().slice(0, 8)}` }));
    if (index !== undefined)
      await execute('indexRate.create', tenant.company, { annualRate: index, startDate: monthsAgo(LONGEST) }, { loanTypeId: made });
    return { tenant, loanTypeId: made };
  }
}

/** Of a borrower by its number: telephones and addresses that nobody has. */
const contactsOf = (at: number): readonly object[] => [
  { contactType: 'email', label: 'personal', affiliation: 'self', status: 'primary', value: `borrower-${at}@example.com` },
  {
    contactType: 'phone',
    label: 'personal',
    affiliation: 'self',
    status: 'primary',
    value: `+1217555${String(100 + (at % 100)).padStart(4, '0')}`,
  },
  {
    contactType: 'address',
    label: 'home',
    status: 'primary',
    address: { addressLine1: `${at} Main Street`, city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' },
  },
];

function loanBody(
  loanTypeId: string,
  random: Random,
  { months, index }: { readonly months: number; readonly index: number | undefined },
): object {
  return {
    type: 'installment',
    loanTypeId,
    status: 'originated',
    servicedBy: 'creditor',
    newDrawsAllowed: false,
    atOrigination: {
      amountFinanced: 5_000 + random.below(200) * 100,
      duration: months === 0 ? random.pick([12, 24, 36, 60]) : LONGEST,
      paymentFrequency: 'monthly',
      interestRates: [{ interestType: index === undefined ? 'absolute' : 'spread', days: null, rate: random.pick([0.05, 0.08, 0.12]) }],
      personAddress: { state: 'IL', country: 'US' },
      originationLicense: 'stateLicense',
      originatingCreditorName: 'Northwind Lending',
    },
  };
}

/** The first day of the month that many months ago. */
export function monthsAgo(months: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString().slice(0, 10);
}

interface DuePayment {
  readonly date: string;
  /** A number as it is printed. */
  readonly amount: unknown;
}

/** The first rows of the schedule that an activation answers with. */
const dueSoFar = (activated: unknown, months: number): readonly DuePayment[] =>
  recordsIn(activated, 'schedule')
    .slice(0, months)
    .map((row) => ({ date: String(row['date']), amount: row['amount'] }));

/** The reply to a command that was sent again is a text. */
const plain = (data: unknown): unknown => (data instanceof JsonText ? JSON.parse(data.text) : data);

/** Asks again while the service cannot write; a refusal for another reason ends the run. */
async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const deadline = Date.now() + 60_000; ; ) {
    try {
      return await work();
    } catch (cause) {
      if (fieldOf(cause, 'errorType') !== 'unavailable' || Date.now() > deadline) throw cause;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

const idOf = (data: unknown): string => must(textIn(data, 'id'), 'a reply about an object has its id');

/** A payment that somebody else has collected: the smallest whole write on a ledger. */
export const PAYMENT = { type: 'oneTime', amount: 1, isExternal: true, status: 'succeeded' } as const;
