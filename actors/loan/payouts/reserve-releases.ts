import { type Cents, cents, type Day, formatCents, generalLedger, must, ZERO } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { CommandSpec, DecideEnv, EvolveEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { type AnyId, centsOf, type PositiveAmount } from '../../wire.js';
import type { ScheduledWork } from '../catch-up.js';
import { activatedOf, requireCase, requirePerson, todayOf } from '../context.js';
import { bookedLoan } from '../general-ledger/booked.js';
import type { LoanState } from '../state.js';
import { type MerchantReserve, type MerchantReserveReleased, merchantReserveOf, remainingOf } from './merchant-reserve.js';
import { KEEPING } from './payouts.js';

export interface ReleaseReserveRequest {
  /** Default: all that is left. */
  readonly amount?: PositiveAmount;
  readonly caseId?: AnyId | null;
}

type Release = Pick<MerchantReserveReleased, 'amountCents' | 'reason' | 'caseId'>;

function releaseDraft(state: LoanState, env: DecideEnv, { held }: MerchantReserve, { amountCents, reason, caseId }: Release): FactDraft {
  const recordedDay = todayOf(env, state);
  const owed = held.netsRefunds ? owedByMerchant(state, env, recordedDay) : ZERO;
  const nettedCents = cents(Math.max(0, Math.min(owed, amountCents)));
  const body: MerchantReserveReleased = { amountCents, nettedCents, recordedDay, reason, caseId };
  return { type: 'MerchantReserveReleased', body };
}

/** What the books of the loan have as due from its merchant: refunds and credits that it bears, less what was netted. */
function owedByMerchant(state: LoanState, env: EvolveEnv, today: Day): Cents {
  const loan = bookedLoan(state, env, KEEPING);
  if (loan === null) return ZERO;
  const lines = generalLedger.believedOn(loan, today).flatMap((each) => each.lines);
  return cents(lines.reduce((total, { role, amount: debit }) => (role === 'merchantReceivable' ? total + debit : total), 0));
}

/** What is left of the reserve is released on its day. */
export const merchantReserveWork: ScheduledWork = {
  nextDay: ({ parties: { merchantReserve } }) =>
    merchantReserve === undefined || remainingOf(merchantReserve) <= 0 ? null : merchantReserve.held.releaseOn,
  *due(state, _day, env) {
    const reserve = must(state.parties.merchantReserve, 'a reserve whose day has come');
    yield releaseDraft(state, env, reserve, { amountCents: remainingOf(reserve), reason: 'days', caseId: null });
  },
};

/** `POST L/merchant-reserve/release`. */
export const releaseReserve: CommandSpec<LoanState, ReleaseReserveRequest> = {
  kind: 'loan',
  type: 'merchantReserve.release',
  place: { on: 'target' },
  decide({ state, env, command, body: { amount, caseId = null } }) {
    requirePerson(state, command.params['personId'], env);
    requireCase(env, state, command, caseId);
    activatedOf(state);
    const reserve = state.parties.merchantReserve;
    const leftCents = reserve === undefined ? ZERO : remainingOf(reserve);
    if (reserve === undefined || leftCents <= 0) return refuse('invalidState', 'Nothing of the money of the merchant is held back.');
    const amountCents = amount === undefined ? leftCents : centsOf(amount);
    if (amountCents > leftCents)
      refuse('ruleViolation', 'More is to be released than is held back.', {
        errors: [{ path: 'amount', expected: `${formatCents(leftCents)} or less`, message: 'is above what is held back' }],
      });
    return {
      facts: [releaseDraft(state, env, reserve, { amountCents, reason: 'order', caseId })],
      reply: (after) => ({ data: merchantReserveOf(after) }),
    };
  },
};
