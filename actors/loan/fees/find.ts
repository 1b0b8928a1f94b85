import type { FeeReference, FeeState } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext } from '../../kernel/actor.js';
import { activatedOf, todayOf } from '../context.js';
import { lateFeeId } from '../derived-ids.js';
import { feesIn, runningOn } from '../ledger/running.js';
import type { ChargedFee, LoanState } from '../state.js';
import { removedFrom } from './removed.js';
import { seededFees } from './seeded.js';

/** A dynamic fee that a path names: one by hand, or a late one as the ledger has it. */
export type NamedFee =
  | { readonly type: 'byHand'; readonly fee: ChargedFee }
  | { readonly type: 'late'; readonly id: string; readonly fee: FeeState; readonly reference: FeeReference };

/** 404 for what is no fee, 409 for one that is canceled. */
export function namedFee({ state, env, command }: CommandContext<LoanState>): NamedFee {
  const asked = command.params['feeId'] ?? '';
  const id = asked.startsWith('ext-') ? (env.findExternal(env.tenant, 'loanFee', asked.slice(4)) ?? asked) : asked;
  const byHand = activatedOf(state).fees.find((fee) => fee.id === id);
  if (byHand !== undefined) {
    if (byHand.canceledAt !== null) refuseCanceled(id);
    return { type: 'byHand', fee: byHand };
  }
  const ledger = runningOn(state, env, todayOf(env, state));
  if (seededFees(state, env, ledger).some((fee) => fee.id === id)) refuseSeeded(id);
  for (const fee of feesIn(ledger)) {
    const { feeTypeId, obligation } = fee;
    if (fee.fee !== null || obligation === null || lateFeeId(env, state, feeTypeId, obligation) !== id) continue;
    if (fee.isCanceled) refuseCanceled(id);
    return { type: 'late', id, fee, reference: { type: 'late', feeTypeId, obligation } };
  }
  const removed = removedFrom(activatedOf(state), feesIn(ledger));
  if (removed.some(({ feeTypeId, obligation }) => lateFeeId(env, state, feeTypeId, obligation) === id)) refuseCanceled(id);
  return refuse('notFound', `The loan has no dynamic fee ${id}.`);
}

/** Nobody knows of which fees it is made: a balance that was brought too high is lowered by a credit. */
const refuseSeeded = (id: string): never =>
  refuse('invalidState', `The fee ${id} came with the balances of the cutoff: a service credit lowers it.`);

const refuseCanceled = (id: string): never => refuse('invalidState', `The fee ${id} is canceled.`);
