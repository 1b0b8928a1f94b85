import type { FactDraft } from '../../kernel/fact.js';
import type { NewPurchase, PurchaseChanged, PurchaseMade } from './evolve.js';
import { nextPurchaseNumber } from './find.js';
import type { LoanState } from '../state.js';
import type { PurchaseStatus } from './machine.js';

type Required = 'id' | 'draw' | 'kind' | 'status' | 'amountCents' | 'made';

/** A new purchase: what is not said of it is not there. */
export function newPurchase(state: LoanState, said: Pick<NewPurchase, Required> & Partial<NewPurchase>): NewPurchase {
  return {
    purchase: nextPurchaseNumber(state),
    originalCents: said.amountCents,
    effective: said.made,
    externalId: null,
    authorizationPurchaseId: null,
    originalPurchaseId: null,
    details: null,
    declineReason: null,
    originalDrawId: null,
    refundPayment: null,
    refundTransactionId: null,
    metaData: null,
    caseId: null,
    authorizedBefore: null,
    ...said,
  };
}

export const madeDraft = (purchase: NewPurchase): FactDraft => ({ type: 'PurchaseMade', body: { purchase } satisfies PurchaseMade });

export const changedDraft = (purchaseId: string, changes: PurchaseChanged['changes'], caseId: string | null): FactDraft => ({
  type: 'PurchaseChanged',
  body: { purchaseId, changes, caseId } satisfies PurchaseChanged,
});

export const statusDraft = (purchaseId: string, status: PurchaseStatus, caseId: string | null): FactDraft =>
  changedDraft(purchaseId, { status }, caseId);
