import { type Cents, cents, type Credit, greatest, takenCents, ZERO } from '../../../engine/index.js';
import { currentSettings } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { loanTypeOf } from '../context.js';
import type { LoanState } from '../state.js';
import type { Standing } from '../views/balances.js';
import { heldCents } from './open-to-buy.js';
import type { PurchaseRecord } from './purchase.js';

interface Reading {
  readonly state: LoanState;
  readonly env: EvolveEnv;
}

/**
 * How a line, or the draw `of` it, stands now, with the credit that its purchases hold before they are settled. The ledger
 * knows of no authorizations, so that days past are shown without them.
 */
export function withHolds(standing: Standing, { state, env }: Reading, of: string | null = null): Standing {
  if (state.line === null) return standing;
  const logic = currentSettings(loanTypeOf(env, state)).creditLimit.openToBuyLogic;
  const held = state.purchases.held();
  const less = (shown: Standing, purchases: readonly PurchaseRecord[]): Standing => ({
    ...shown,
    credit: shown.credit && lessHeld(shown.credit, heldCents(logic, purchases)),
  });
  const purchasesOf = (drawId: string): readonly PurchaseRecord[] => {
    const number = state.draws.find(({ id }) => id === drawId)?.draw;
    return held.filter(({ draw }) => draw === number);
  };
  if (of !== null) return less(standing, purchasesOf(of));
  const draws = standing.draws.map(({ drawId, standing: own }) => ({ drawId, standing: less(own, purchasesOf(drawId)) }));
  return { ...less(standing, held), draws };
}

function lessHeld(credit: Credit, byPurchases: Cents): Credit {
  const held: Credit = { ...credit, heldCents: cents(credit.heldCents + byPurchases) };
  return { ...held, availableCents: greatest(ZERO, cents(held.limitCents - takenCents(held))) };
}
