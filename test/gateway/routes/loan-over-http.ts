import { join } from 'node:path';
import type { Test } from 'tap';
import { apiKeyAuthenticator, OWN_LOOKUPS, resourceRoutes } from '../../../gateway/index.js';
import { FolderBlobs } from '../../../persistence/index.js';
import { ANN } from '../../actors/borrower/lender.js';
import type { HarnessOptions } from '../../actors/harness.js';
import { loanBody } from '../../actors/loan/setting.js';
import { ask, gatewayFor, type HttpAnswer, keyRecord } from '../harness.js';
import { type HttpLender, idOf, listOf, openHttpLender } from './http-lender.js';

type Data = Readonly<Record<string, unknown>>;

export interface LoanOverHttp extends HttpLender {
  readonly loanTypeId: string;
  /** The path of a loan that was activated on the first day. */
  readonly loan: string;
  /** Creates another loan of the same person; returns its path. */
  created(body?: object): Promise<string>;
  active(body?: object): Promise<string>;
  /** Moves the clock to noon of a day, closing the days between. */
  goTo(date: string): Promise<void>;
  /** The data of a loan's events of a type, oldest first. */
  emitted(eventType: string, loan?: string): Promise<readonly Data[]>;
  /** Asks with a key that has these permissions alone. */
  askWith(permissions: readonly string[], method: string, path: string, body?: object): Promise<HttpAnswer>;
}

/** 1,200.00 at 18 % over twelve months: activated on 2026-03-02, due on the 15th from 2026-03-15 to 2027-02-15. */
export const SMALL = { amountFinanced: 1200, duration: 12, interestRates: [{ interestType: 'absolute', days: null, rate: 0.18 }] };

/** A person's loan, activated on 2026-03-02, asked over HTTP. */
export async function openLoanOverHttp(
  t: Test,
  product: object = {},
  atOrigination: object = SMALL,
  options: HarnessOptions = {},
): Promise<LoanOverHttp> {
  const lender = await openHttpLender(t, undefined, options);
  const { h } = lender;
  const goTo = async (date: string): Promise<void> => {
    h.nowMs = Date.parse(`${date}T17:00:00Z`);
    await h.engine.sweeper.advance({ company: h.company, mode: 'test' }, h.nowMs);
    await h.engine.settled();
  };
  const { id: loanTypeId } = await h.data('loanType.create', lender.company, { type: 'installment', name: 'Personal loan', ...product });
  await lender.ask('POST', '/people', ANN);
  const loans = '/people/ext-ann-1/loans';
  const created = async (body: object = {}): Promise<string> =>
    `${loans}/${idOf(await lender.ask('POST', loans, loanBody(loanTypeId, { atOrigination, ...body })))}`;
  const active = async (body: object = {}): Promise<string> => {
    const loan = await created(body);
    await lender.ask('POST', `${loan}/activate`, {});
    return loan;
  };
  const loan = await active();
  const routes = resourceRoutes(OWN_LOOKUPS, undefined, { blobs: new FolderBlobs(join(h.folder, 'documents')) });
  return {
    ...lender,
    loanTypeId,
    loan,
    created,
    active,
    goTo,
    emitted: async (eventType, of = loan) => {
      const loanId = of.split('/').at(-1) ?? '';
      return listOf(await lender.ask('GET', `/events?loanId=${loanId}&eventType=${eventType}&order=asc&limit=100`)).map(
        ({ data }) => data as Data,
      );
    },
    askWith: async (permissions, method, path, body) => {
      const key = `test_${permissions.join('_').replace(/\W/g, '_')}_0123456789abcdef`;
      const record = keyRecord(key, { company: lender.company, userId: lender.userId, permissions: new Set(permissions) });
      const { gateway } = await gatewayFor(t, {
        routes,
        engine: h.engine,
        authenticator: apiKeyAuthenticator(() => record),
      });
      return ask(gateway.port, `/api${path}`, { method, key, ...(body === undefined ? {} : { body }) });
    },
  };
}

/** The reply without the ids that only a booking has, to compare it with a preview. */
export function withoutNames(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (NAMES.has(key) ? undefined : inner)));
}

/** Of things that come into being with the booking. */
const NAMES = new Set(['id', 'documentDescriptorId', 'loanFeeId', 'operationId', 'requestId']);
