import type { FeeState, LineLedgerEvent } from '../../../engine/index.js';
import type { Fact } from '../../kernel/fact.js';
import type { Activated, RemovedFee } from '../state.js';
import type { Why } from '../tell.js';

type FeeCanceled = Extract<LineLedgerEvent, { readonly type: 'feeCanceled' }>;

/**
 * A replay books late fees again or not: one that it does not is canceled, and the ledger knows it no more. It was told under its id,
 * so that it stays to be read there.
 */
export function noteRemoved(activation: Activated, canceled: FeeCanceled, fact: Fact, { caseId }: Why): void {
  const { feeTypeId, obligation, chargeDay, amountCents } = canceled;
  if (obligation === null) return;
  const others = activation.removedFees.filter((other) => !isSame(other, { feeTypeId, obligation }));
  activation.removedFees = [...others, { feeTypeId, obligation, chargeDay, amountCents, removedAt: fact.businessAt, caseId }];
}

type Named = Pick<FeeState, 'feeTypeId' | 'obligation'>;

const isSame = (removed: RemovedFee, { feeTypeId, obligation }: Named): boolean =>
  removed.feeTypeId === feeTypeId && removed.obligation === obligation;

/** Those that the ledger does not hold: one that was waived, or that was booked once more, is in it. */
export const removedFrom = ({ removedFees }: Activated, fees: readonly Named[]): readonly RemovedFee[] =>
  removedFees.filter((removed) => !fees.some((fee) => isSame(removed, fee)));
