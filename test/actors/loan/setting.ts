import { type ActorModule, actorModule, withRules } from '../../../actors/index.js';
import { type CaseState, newCase } from '../../../actors/casework/cases/state.js';
import { companyModule } from '../../../actors/company/index.js';
import { loanModule } from '../../../actors/loan/index.js';
import { type Data, Harness } from '../harness.js';

interface Person {
  readonly id: string;
  externalId: string | null;
  stamp: number;
  readonly contacts: readonly { readonly id: string; readonly contactType: string }[];
  readonly instruments: readonly never[];
  readonly documents: readonly { readonly id: string; readonly externalId: null }[];
  readonly commPreferences: { readonly language?: string };
}

/** A stand-in for borrowers: what loans ask of them. */
const personModule: ActorModule = actorModule<Person>({
  definition: {
    kind: 'person',
    prefix: 'BO',
    initial: (id) => ({
      id,
      externalId: null,
      stamp: 0,
      contacts: [{ id: 'CT-AAAA-AAAA', contactType: 'address' }],
      instruments: [],
      documents: ['DD-SIGN-EDXX', 'DD-AAAA-AAAA', 'DD-AAAA-BBBB'].map((documentId) => ({ id: documentId, externalId: null })),
      commPreferences: {},
    }),
    evolve: (state, fact) => {
      if (fact.type === 'PersonCreated') Object.assign(state, fact.body, { stamp: fact.stamp });
    },
    clone: (state) => ({ ...state }),
    row: ({ id, externalId, stamp }) => ({ id, externalId, createdStamp: stamp, updatedStamp: stamp, parentId: null, fields: {} }),
    pack: (state) => state,
    unpack: (packed) => packed as Person,
  },
  commands: [
    {
      kind: 'person',
      type: 'person.create',
      place: { on: 'root' },
      decide: ({ id, body, env }) => {
        env.createKey(id);
        return { facts: [{ type: 'PersonCreated', body }], reply: (after) => ({ data: { id: after.id } }) };
      },
    },
  ],
  queries: [],
});

/** A stand-in for casework: a case as loans find and leave it. */
const caseModule: ActorModule = actorModule<CaseState>({
  definition: {
    kind: 'case',
    prefix: 'CS',
    initial: newCase,
    evolve: (state, fact) => Object.assign(state, fact.body),
    clone: (state) => ({ ...state }),
    row: ({ id, personId }) => ({ id, externalId: null, createdStamp: 0, updatedStamp: 0, parentId: personId, fields: {} }),
    pack: (state) => state,
    unpack: (packed) => packed as CaseState,
  },
  commands: [
    {
      kind: 'case',
      type: 'case.create',
      place: { on: 'beside', kind: 'person' },
      decide: ({ besideId }) => ({
        facts: [{ type: 'CaseOpened', body: { personId: besideId } }],
        reply: (after) => ({ data: { id: after.id } }),
      }),
    },
  ],
  queries: [],
});

/** A company with one product and one borrower. */
export interface Setting {
  readonly h: Harness;
  readonly personId: string;
  readonly loanTypeId: string;
  /** Moves the clock to noon of a day in the company's zone, closing the days between. */
  goTo(date: string): Promise<void>;
  create(body?: object): Promise<Data>;
  /** A loan that was created and activated today. */
  active(body?: object, activation?: object): Promise<Data>;
}

export async function openSetting(loanType: object = {}, startDate = '2024-01-15', loans: ActorModule = loanModule()): Promise<Setting> {
  const h = await Harness.open(() => withRules([companyModule, personModule, caseModule, loans]));
  const goTo = async (date: string): Promise<void> => {
    h.nowMs = Date.parse(`${date}T17:00:00Z`);
    await h.engine.sweeper.advance({ company: h.company, mode: 'test' }, h.nowMs);
    await h.engine.settled();
  };
  h.nowMs = Date.parse(`${startDate}T17:00:00Z`);
  await h.makeCompany();
  const { id: personId } = await h.data('person.create', null, { externalId: 'ada' });
  const { id: loanTypeId } = await h.data('loanType.create', h.company, { type: 'installment', name: 'Personal loan', ...loanType });
  const create = (body: object = {}): Promise<Data> =>
    h.data('loan.create', personId, loanBody(loanTypeId, body), { params: { personId } });
  return {
    h,
    personId,
    loanTypeId,
    goTo,
    create,
    async active(body = {}, activation = {}) {
      const loan = await create(body);
      await h.command('loan.activate', loan.id, activation, { params: { personId } });
      return h.query('loan.get', loan.id);
    },
  };
}

/** 10,000.00 at 5 % over 36 months, due on the 15th; `atOrigination` is joined in. */
export function loanBody(loanTypeId: string, body: { readonly atOrigination?: object; readonly externalId?: string } = {}): object {
  return {
    type: 'installment',
    loanTypeId,
    status: 'originated',
    servicedBy: 'creditor',
    newDrawsAllowed: false,
    ...body,
    atOrigination: {
      amountFinanced: 10_000,
      duration: 36,
      paymentFrequency: 'monthly',
      specificDays: [15],
      interestRates: [{ interestType: 'absolute', days: null, rate: 0.05 }],
      personAddress: { addressLine1: '1 Elm Street', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' },
      originationLicense: 'stateLicense',
      originatingCreditorName: 'Northwind Lending',
      ...body.atOrigination,
    },
  };
}

/** A line of 5,000.00 at 18 %, due on the 15th, statements 21 days before; at least 5 % of principal or 25.00 a month. */
export function lineBody(loanTypeId: string, body: { readonly atOrigination?: object } = {}): object {
  const {
    amountFinanced: _financed,
    duration: _duration,
    ...shared
  } = (loanBody(loanTypeId) as { readonly atOrigination: Readonly<Record<string, unknown>> }).atOrigination;
  return {
    ...loanBody(loanTypeId),
    type: 'lineOfCredit',
    newDrawsAllowed: true,
    ...body,
    atOrigination: {
      ...shared,
      creditLimitAmount: 5_000,
      interestRates: [{ interestType: 'absolute', days: null, rate: 0.18 }],
      minPaymentCalculation: { percentageOfPrincipal: 0.05, minAmount: 25 },
      ...body.atOrigination,
    },
  };
}
