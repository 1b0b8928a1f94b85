import { type Cents, cents, creditOf, formatCents, takenCents } from '../../../engine/index.js';
import { currentSettings } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext } from '../../kernel/actor.js';
import { loanTypeOf, todayOf } from '../context.js';
import type { Draw } from '../draws/draw.js';
import type { LoanState } from '../state.js';
import { drawLimitOf } from '../draws/view.js';
import { lineOfCredit } from '../line/ledger.js';
import { exceededLimit, heldCents, type Limit, type OpenToBuyLogic, roomCents } from './credit.js';
import type { PurchaseRecord } from './posting.js';

interface Wanted {
  readonly draw: Draw;
  readonly amountCents: Cents;
  /** The purchase that was approved before. The credit that it holds counts as open, and its own amount is not checked again. */
  readonly approved: PurchaseRecord | null;
}

/** 422 if a purchase exceeds the line's limit or the draw's own. */
export function requireRoom({ state, env }: CommandContext<LoanState>, wanted: Wanted): void {
  const { approved, amountCents } = wanted;
  if (approved !== null && amountCents <= approved.amountCents) return;
  const { creditLimit } = currentSettings(loanTypeOf(env, state));
  const limits = limitsOf({ state, env }, wanted, creditLimit.openToBuyLogic);
  const exceeded = exceededLimit(limits, creditLimit.overLimitTolerancePercent, amountCents);
  if (exceeded === undefined) return;
  const room = formatCents(roomCents(exceeded, creditLimit.overLimitTolerancePercent));
  refuse('creditLimitExceeded', `The purchase exceeds the credit limit of the ${exceeded.of}: ${room} is available.`, {
    errors: [{ path: 'amount', expected: `at most ${room}, or force`, message: `is above the available credit of the ${exceeded.of}` }],
  });
}

function limitsOf(
  { state, env }: Pick<CommandContext<LoanState>, 'state' | 'env'>,
  { draw, approved }: Wanted,
  logic: OpenToBuyLogic,
): readonly Limit[] {
  const ledger = lineOfCredit.toReadOn(state, env, todayOf(env, state));
  const others = state.purchases.held().filter(({ id }) => id !== approved?.id);
  const limit = (of: Limit['of'], limitCents: Cents, usedCents: number, held: readonly PurchaseRecord[]): Limit => ({
    of,
    limitCents,
    availableCents: cents(limitCents - usedCents),
    heldCents: heldCents(logic, held),
  });
  const line = creditOf(ledger);
  const ofLine = limit('line', line.limitCents, takenCents(line), others);
  const ownCents = drawLimitOf(state, env, draw);
  if (ownCents === null) return [ofLine];
  const isActive = ledger.draws.some((known) => known.draw === draw.draw);
  const own = isActive ? creditOf(ledger, draw.draw) : null;
  const usedCents = own === null ? 0 : takenCents(own);
  return [
    ofLine,
    limit(
      'draw',
      ownCents,
      usedCents,
      others.filter((purchase) => purchase.draw === draw.draw),
    ),
  ];
}
