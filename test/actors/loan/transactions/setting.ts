import type { ActorModule } from '../../../../actors/index.js';
import { type Data, itemsOf } from '../../harness.js';
import { loanBody, openSetting, type Setting } from '../setting.js';

/** A borrower with payment instruments and a loan of 10,000.00 at 5 %, activated on 2024-01-15 (a Monday). */
export interface PaySetting extends Setting {
  readonly loanId: string;
  /** Posts a transaction, by default 299.72 from the checking account. */
  pay(body?: object): Promise<Data>;
  post(body: object): Promise<Data>;
  act(action: string, transactionId: string, body?: object): Promise<Data>;
  get(transactionId: string): Promise<Data>;
  loan(): Promise<Data>;
  /** Names and data of the loan's events since the last time they were asked for. */
  events(): Promise<readonly Event[]>;
  eventTypes(): Promise<readonly string[]>;
  /** Lets the days pass up to noon of a date, as the service does while it runs. */
  pass(date: string): Promise<void>;
}

export interface Event {
  readonly id: string;
  readonly eventType: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const INSTRUMENTS = [
  bankAccount('PT-CHEC-KING', '1234'),
  bankAccount('PT-BOUN-CESS', '9901'),
  bankAccount('PT-LATE-BACK', '9810'),
  { ...bankAccount('PT-GONE-GONE', '5555'), status: 'inactive' },
  { ...bankAccount('PT-CHEK-CHEK', '7777'), instrumentType: 'check', isExternal: true, externalId: 'check-7' },
];

function bankAccount(id: string, lastFour: string): object {
  return {
    id,
    externalId: null,
    instrumentType: 'bankAccount',
    isExternal: false,
    status: 'active',
    deletedAt: null,
    details: { accountNumberLastFour: lastFour },
  };
}

/** Harness commands hold every permission unless a test says otherwise. */
const ALL = ['*'];

export async function openPaySetting(
  loanType: object = {},
  body: { readonly atOrigination?: object } = {},
  loans?: ActorModule,
  bodyOf: typeof loanBody = loanBody,
): Promise<PaySetting> {
  const setting = await openSetting(loanType, '2024-01-15', loans);
  const { h, loanTypeId } = setting;
  const { id: personId } = await h.data('person.create', null, { externalId: 'bea', instruments: INSTRUMENTS });
  const made = await h.data('loan.create', personId, bodyOf(loanTypeId, body), { params: { personId } });
  const loanId = made.id;
  await h.command('loan.activate', loanId, {}, { params: { personId } });
  let seen = 0;
  const events = async (): Promise<readonly Event[]> => {
    const all: Event[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await h.query('event.list', null, {
        loanId,
        order: 'asc',
        limit: 100,
        ...(cursor === undefined ? {} : { startingAfter: cursor }),
      });
      const items = itemsOf(page) as unknown as readonly Event[];
      all.push(...items);
      cursor = items.at(-1)?.id;
      if (items.length < 100) break;
    }
    const fresh = all.slice(seen);
    seen = all.length;
    return fresh;
  };
  await events();
  const post = (posted: object): Promise<Data> => h.data('transaction.create', loanId, posted, { permissions: ALL, params: { personId } });
  return {
    ...setting,
    personId,
    loanId,
    post,
    pay: (paid = {}) => post({ type: 'oneTime', amount: 299.72, paymentInstrumentId: 'PT-CHEC-KING', ...paid }),
    act: (action, transactionId, acted = {}) =>
      h.data(`transaction.${action}`, loanId, acted, { permissions: ALL, params: { personId, transactionId } }),
    get: (transactionId) => h.query('transaction.get', loanId, {}, { params: { personId, transactionId } }),
    loan: () => h.query('loan.get', loanId),
    events,
    eventTypes: async () => (await events()).map((event) => event.eventType),
    pass: setting.goTo,
  };
}

export const external = (body: object = {}): object => ({ type: 'oneTime', amount: 299.72, isExternal: true, ...body });
