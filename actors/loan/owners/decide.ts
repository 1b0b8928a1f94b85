import type { Day } from '../../../engine/index.js';
import {
  CHANGE_OWNERS,
  companyOf,
  type OwnerChangeBody,
  type OwnerSent,
  ownersFrom,
  ownersSent,
  type OwnersOfManyBody,
} from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision, EvolveEnv } from '../../kernel/actor.js';
import { dateText, dayOfText, rateOf } from '../../wire.js';
import { beginAction } from '../commands/order.js';
import { activatedOf } from '../context.js';
import { isPaid } from '../remittances/owed.js';
import type { LoanState } from '../state.js';
import type { OwnersChanged } from './facts.js';

/** `PUT L/investors`: replaces the owners from a day on. */
const changeOwners: CommandSpec<LoanState, OwnerChangeBody> = {
  kind: 'loan',
  type: 'loan.changeOwners',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'update');
    const investors = ownersSent(companyOf(context.env, context.env.tenant), request.investors);
    return decided(context, { effectiveDate: ownersFrom(request), investors, caseId: request.caseId ?? null, ownerChangeId: null });
  },
};

/** The same for one of many loans. The change of many has checked the owners. */
const changeOwnersOfMany: CommandSpec<LoanState, OwnersOfManyBody> = {
  kind: 'loan',
  type: CHANGE_OWNERS,
  place: { on: 'target' },
  decide(context) {
    const { caseId = null, ...change } = context.body;
    return decided(context, { ...change, caseId });
  },
};

export const ownerCommands: readonly CommandSpec<LoanState>[] = [changeOwners, changeOwnersOfMany];

interface Change {
  readonly effectiveDate: string;
  readonly investors: readonly OwnerSent[];
  readonly caseId: string | null;
  readonly ownerChangeId: string | null;
}

function decided({ state, env }: CommandContext<LoanState>, change: Change): Decision<LoanState> {
  const { activation } = activatedOf(state).contract.terms;
  const effectiveDay = dayOfText(change.effectiveDate);
  if (effectiveDay < activation) {
    refuse('ruleViolation', 'Owners cannot change before the activation of the loan.', {
      errors: [{ path: 'effectiveDate', expected: `${dateText(activation)} or later`, message: 'is before activation' }],
    });
  }
  const settled = settledThrough(state, env);
  if (settled !== null && effectiveDay <= settled) {
    refuse('ruleViolation', 'Payments from that day on are settled with the owners of then.', {
      errors: [{ path: 'effectiveDate', expected: `after ${dateText(settled)}`, message: 'is in a settled period' }],
    });
  }
  const body: OwnersChanged = {
    effectiveDay,
    owners: change.investors.map(({ investorId, share, priceRatio, metro2 }) => ({
      id: env.newId('IA'),
      investorId,
      share: rateOf(share),
      ...(priceRatio === undefined ? {} : { priceRatio: rateOf(priceRatio) }),
      isK2SegmentReported: metro2.reportK2Segment,
    })),
    caseId: change.caseId,
    ownerChangeId: change.ownerChangeId,
  };
  return { facts: [{ type: 'OwnersChanged', body }], reply: () => ({ data: undefined }) };
}

/** The last day through which payments of the loan are settled; null while none is. */
function settledThrough({ parties }: LoanState, env: EvolveEnv): Day | null {
  let last: Day | null = null;
  for (const { settlementId, through } of parties.remittances) {
    if ((last === null || through > last) && isPaid(env, settlementId)) last = through;
  }
  return last;
}
