import type { Answer, Service } from './service.js';

/** Ids of a small portfolio that tests post payments to. */
export interface Portfolio {
  readonly personId: string;
  readonly instrumentId: string;
  readonly loanIds: readonly string[];
}

/** A product, a borrower, a check to pay with, and some active loans of 100,000.00 at no interest over 120 months. */
export async function makePortfolio(service: Service, loans: number): Promise<Portfolio> {
  const company = await service.company();
  const loanTypeId = idOf(
    await service.ask('POST', `/companies/${company}/loan-types`, {
      name: 'Personal',
      type: 'installment',
      assetType: 'personalClosedEndUnsecured',
      assetDisplayName: 'Personal loan',
    }),
  );
  const personId = idOf(await service.ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Verde' } }));
  const instrument = await service.ask('POST', `/people/${personId}/payment-instruments`, {
    instrumentType: 'check',
    isExternal: true,
    status: 'active',
    payerName: 'Ada Verde',
    checkNumber: '101',
  });
  const instrumentId = String((instrument.json['data'] as readonly { readonly id: string }[])[0]?.id);
  const loanIds: string[] = [];
  for (let index = 0; index < loans; index++) {
    const loanId = idOf(await service.ask('POST', `/people/${personId}/loans`, loanBody(loanTypeId)));
    const active = await service.ask('POST', `/people/${personId}/loans/${loanId}/activate`, {});
    if (active.status !== 200) throw new Error(`a loan could not be activated: ${JSON.stringify(active.json)}`);
    loanIds.push(loanId);
  }
  return { personId, instrumentId, loanIds };
}

export const loanBody = (loanTypeId: string): object => ({
  type: 'installment',
  loanTypeId,
  status: 'originated',
  servicedBy: 'creditor',
  newDrawsAllowed: false,
  atOrigination: {
    amountFinanced: 100000,
    duration: 120,
    paymentFrequency: 'monthly',
    specificDays: [15],
    interestRates: [{ interestType: 'absolute', days: null, rate: 0 }],
    personAddress: { addressLine1: '1 Main Street', city: 'Austin', state: 'TX', postalCode: '78701', country: 'US' },
    originationLicense: 'stateLicense',
    originatingCreditorName: 'First Lender',
  },
});

export function idOf({ status, json }: Answer): string {
  const id = (json['data'] as { readonly id?: unknown } | undefined)?.id;
  if (typeof id !== 'string') throw new Error(`no object was made (${status}): ${JSON.stringify(json)}`);
  return id;
}
