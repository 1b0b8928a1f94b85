import { randomUUID } from 'node:crypto';
import { type CommandRequest, type Engine, JsonText, type Tenant } from '../../actors/index.js';
import { must } from '../../engine/index.js';
import { foundCompany } from '../found-company.js';
import type { House } from '../house.js';

/** An object whose history grows, and what is asked of it at each age. */
export interface Aging {
  readonly name: string;
  /** What its history consists of. */
  readonly unit: string;
  /** Adds one entry; entries are counted from 0. */
  grow(entry: number): Promise<unknown>;
  /** Each is one call of the interface; what adds to the history itself says so. */
  readonly measured: readonly { readonly name: string; readonly adds?: true; run(): Promise<unknown> }[];
}

/** A company in test mode whose days pass when it is told to. */
export interface OldLender {
  readonly aging: readonly Aging[];
  /** Others of the same kinds: what is measured first shall not pay for code that runs for the first time. */
  readonly warming: readonly Aging[];
  advance(date: string): Promise<void>;
}

type Params = Readonly<Record<string, string>>;

const WHO = { type: 'system', id: 'bench' } as const;
const EVERYTHING: ReadonlySet<string> = new Set(['*']);

/** The engine's commands and queries, as the interface calls them. */
class Caller {
  constructor(
    readonly engine: Engine,
    readonly tenant: Tenant,
  ) {}

  async command(type: string, target: string | null, body: unknown, params: Params = {}, query: object = {}): Promise<string> {
    const request: CommandRequest = {
      ...this.tenant,
      commandId: randomUUID(),
      type,
      target,
      params,
      body,
      query,
      actor: WHO,
      permissions: EVERYTHING,
      address: null,
      requestId: 'bench',
    };
    const { data } = await this.engine.execute(request);
    const plain: unknown = data instanceof JsonText ? JSON.parse(data.text) : data;
    return String((plain as { readonly id?: unknown } | undefined)?.id);
  }

  query(type: string, target: string | null, query: object, params: Params = {}): Promise<unknown> {
    return this.engine.query({ ...this.tenant, type, target, params, query, permissions: EVERYTHING });
  }
}

const TEN = { limit: 10 } as const;
const FAILED = { ...TEN, status: ['failed'] } as const;
const PAID = { type: 'oneTime', amount: 1, isExternal: true, status: 'succeeded' } as const;
/** A line's purchases are of 2.00, and each fourth one is followed by this payment: something stays owed. */
const LINE_PAYMENT = { ...PAID, amount: 7 } as const;
const PURCHASES_A_PAYMENT = 4;

/** One object of each kind, new on `startDate`. */
export async function openOldLender({ engine, settings }: Pick<House, 'engine' | 'settings'>, startDate: string): Promise<OldLender> {
  await foundCompany(engine, settings);
  const tenant = must(
    engine.tenants().find(({ mode }) => mode === 'test'),
    'the company has a test mode',
  );
  const caller = new Caller(engine, tenant);
  const clockId = await caller.command('testClock.create', null, { startDate });
  const personId = await caller.command('person.create', null, { name: { firstName: 'Ada', lastName: 'Alder' } });
  const oneOfEach = async (): Promise<readonly Aging[]> => [
    await installmentLoan(caller, personId, 'installment loan', {}),
    await installmentLoan(caller, personId, 'loan by installment', {
      byInstalment: { interestMethod: 'periodic', recalculation: 'progressive', amountsIn: 'cents' },
    }),
    await line(caller, personId),
    await caseWithNotes(caller, personId),
    await borrowerWithInteractions(caller),
  ];
  return {
    aging: await oneOfEach(),
    warming: await oneOfEach(),
    async advance(to) {
      await caller.command('testClock.advance', clockId, { to }, {}, { sync: true });
    },
  };
}

async function activeLoan(
  caller: Caller,
  personId: string,
  { type, product, atOrigination }: { readonly type: string; readonly product: object; readonly atOrigination: object },
): Promise<string> {
  const { company } = caller.tenant;
  const loanTypeId = await caller.command('loanType.create', company, { type, name: `Bench ${randomUUID().slice(0, 8)}`, ...product });
  const body = {
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
  };
  const loanId = await caller.command('loan.create', personId, body, { personId });
  await caller.command('loan.activate', loanId, {}, { personId });
  return loanId;
}

async function installmentLoan(caller: Caller, personId: string, name: string, product: object): Promise<Aging> {
  const loanId = await activeLoan(caller, personId, {
    type: 'installment',
    product,
    atOrigination: { amountFinanced: 20_000, duration: 360 },
  });
  const params = { personId };
  const pay = (): Promise<unknown> => caller.command('transaction.create', loanId, { ...PAID, externalId: randomUUID() }, params);
  return {
    name,
    unit: 'payments',
    grow: pay,
    measured: [
      { name: 'payment', adds: true, run: pay },
      { name: 'balances', run: () => caller.query('loan.balances', loanId, {}, params) },
      { name: 'page of ten transactions', run: () => caller.query('transaction.list', loanId, TEN, params) },
      { name: 'page of failed transactions', run: () => caller.query('transaction.list', loanId, FAILED, params) },
    ],
  };
}

async function line(caller: Caller, personId: string): Promise<Aging> {
  const loanId = await activeLoan(caller, personId, {
    type: 'lineOfCredit',
    product: {},
    atOrigination: { creditLimitAmount: 50_000, minPaymentCalculation: { percentageOfPrincipal: 0.05, minAmount: 25 } },
  });
  const drawId = await caller.command('draw.create', loanId, { status: 'originated', atOrigination: {} }, { personId });
  const params = { personId, drawId };
  await caller.command('draw.activate', loanId, {}, params);
  const buy = (): Promise<unknown> => caller.command('purchase.create', loanId, { amount: 2, externalId: randomUUID() }, params);
  const pay = (): Promise<unknown> =>
    caller.command('transaction.create', loanId, { ...LINE_PAYMENT, externalId: randomUUID() }, { personId });
  return {
    name: 'line of credit',
    unit: 'purchases',
    grow: (entry) => (entry % PURCHASES_A_PAYMENT === PURCHASES_A_PAYMENT - 1 ? Promise.all([buy(), pay()]) : buy()),
    measured: [
      { name: 'purchase', adds: true, run: buy },
      { name: 'payment', adds: true, run: pay },
      { name: 'balances', run: () => caller.query('loan.balances', loanId, {}, { personId }) },
      { name: 'page of ten purchases', run: () => caller.query('purchase.list', loanId, TEN, params) },
      { name: 'page of ten transactions', run: () => caller.query('transaction.list', loanId, TEN, { personId }) },
    ],
  };
}

async function caseWithNotes(caller: Caller, personId: string): Promise<Aging> {
  const caseId = await caller.command('case.create', personId, { caseType: 'generic' }, { personId });
  const params = { personId, caseId };
  const note = (): Promise<unknown> => caller.command('note.create', personId, { content: 'Called back, will pay on Friday.' }, params);
  return {
    name: 'case',
    unit: 'notes',
    grow: note,
    measured: [
      { name: 'note', adds: true, run: note },
      { name: 'case', run: () => caller.query('case.get', caseId, {}, params) },
      { name: 'page of ten notes', run: () => caller.query('note.listOfCase', null, TEN, params) },
    ],
  };
}

async function borrowerWithInteractions(caller: Caller): Promise<Aging> {
  const personId = await caller.command('person.create', null, { name: { firstName: 'Ben', lastName: 'Birch' } });
  const params = { personId };
  const speak = (): Promise<unknown> => caller.command('interaction.create', personId, { channel: 'voice', theme: 'opsServicing' }, params);
  return {
    name: 'borrower',
    unit: 'interactions',
    grow: speak,
    measured: [
      { name: 'interaction', adds: true, run: speak },
      {
        name: 'check of a contact',
        adds: true,
        run: () => caller.command('person.canInteract', personId, { channel: 'voice', theme: 'opsServicing' }, params),
      },
      { name: 'page of ten interactions', run: () => caller.query('interaction.listOfPerson', null, TEN, params) },
    ],
  };
}
