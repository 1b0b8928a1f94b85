import type { Answer } from '../service/service.js';
import { idOf, loanBody } from '../service/portfolio.js';

export type Ask = (method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>) => Promise<Answer>;

/** A borrower with a loan, and what was asked under an idempotency key. */
export interface MovedPerson {
  readonly personId: string;
  readonly loanId: string;
  readonly instrumentId: string;
}

export interface MovedPortfolio {
  readonly loanTypeId: string;
  readonly people: readonly MovedPerson[];
  /** A borrower without a loan. */
  readonly noLoanPersonId: string;
}

/** Borrowers all over the shards, each with an active loan. */
export async function makeMovedPortfolio(ask: Ask, people: number): Promise<MovedPortfolio> {
  const companies = (await ask('GET', '/companies')).json['data'] as readonly { readonly id: string }[];
  const loanTypeId = idOf(
    await ask('POST', `/companies/${companies[0]?.id}/loan-types`, {
      name: 'Personal',
      type: 'installment',
      assetType: 'personalClosedEndUnsecured',
      assetDisplayName: 'Personal loan',
    }),
  );
  const made: MovedPerson[] = [];
  for (let index = 0; index < people; index++) {
    const personId = idOf(
      await ask(
        'POST',
        '/people',
        { externalId: `person-${index}`, name: { firstName: 'Ada', lastName: `Verde ${index}` } },
        { 'Idempotency-Key': `person-${index}` },
      ),
    );
    const instrument = await ask('POST', `/people/${personId}/payment-instruments`, {
      instrumentType: 'check',
      isExternal: true,
      status: 'active',
      payerName: 'Ada Verde',
      checkNumber: '101',
    });
    const instrumentId = String((instrument.json['data'] as readonly { readonly id: string }[])[0]?.id);
    const loanId = idOf(await ask('POST', `/people/${personId}/loans`, loanBody(loanTypeId)));
    const active = await ask('POST', `/people/${personId}/loans/${loanId}/activate`, {});
    if (active.status !== 200) throw new Error(`a loan could not be activated: ${JSON.stringify(active.json)}`);
    made.push({ personId, loanId, instrumentId });
  }
  const noLoanPersonId = idOf(await ask('POST', '/people', { name: { firstName: 'Nora', lastName: 'Verde' } }));
  return { loanTypeId, people: made, noLoanPersonId };
}

/** A payment under an idempotency key. */
export const pay = (ask: Ask, { personId, loanId, instrumentId }: MovedPerson, key: string, amount = 12.5): Promise<Answer> =>
  ask(
    'POST',
    `/people/${personId}/loans/${loanId}/transactions`,
    { type: 'oneTime', amount, isExternal: true, status: 'succeeded', paymentInstrumentId: instrumentId },
    { 'Idempotency-Key': key },
  );

/** Everything that can be read of the portfolio: it must be the same wherever it is served. */
export async function answersOf(ask: Ask, { people }: MovedPortfolio): Promise<Readonly<Record<string, unknown>>> {
  const answers: Record<string, unknown> = {};
  const take = async (path: string): Promise<void> => {
    const { status, json } = await ask('GET', path);
    answers[path] = { status, data: json['data'] };
  };
  for (const { personId, loanId } of people) {
    for (const path of ['', `/loans/${loanId}`, `/loans/${loanId}/balances`, `/loans/${loanId}/transactions`])
      await take(`/people/${personId}${path}`);
    await take(`/loans/${loanId}/events?limit=100`);
  }
  return answers;
}

export const balancesAsOf = async (ask: Ask, { personId, loanId }: MovedPerson, recordedAsOf?: string): Promise<unknown> =>
  (await ask('GET', `/people/${personId}/loans/${loanId}/balances${recordedAsOf === undefined ? '' : `?recordedAsOf=${recordedAsOf}`}`))
    .json['data'];
