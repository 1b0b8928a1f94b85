import { cents, startOfDay } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { amount, dateText, dateTimeText, orNull } from '../../wire.js';
import { recordOf } from '../context.js';
import { seededFeeId } from '../derived-ids.js';
import { isLine, type RunningLedger } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import type { FeeReply } from './types.js';

const SEEDED_KINDS = ['dynamicFee', 'serviceFee'] as const;

/**
 * What a migrated line owed of fees at its cutoff, of each draw and of the line itself: nobody says of which fees it is made. Origination
 * and draw fees are in the list anyway.
 */
export function seededFees(state: LoanState, env: EvolveEnv, ledger: RunningLedger): readonly FeeReply[] {
  if (!isLine(ledger)) return [];
  const { zone } = recordOf(state);
  const bearers = [{ draw: null, fees: ledger.fees }, ...ledger.draws];
  return bearers.flatMap(({ draw, fees }) => {
    const bearer = draw === null ? null : (state.draws.find((known) => known.draw === draw) ?? null);
    return SEEDED_KINDS.flatMap((kind): readonly FeeReply[] => {
      const parts = fees.filter((part) => part.fee === null && part.obligation === null && part.feeTypeId === kind);
      const [first] = parts;
      const id = seededFeeId(env, state, bearer, kind);
      if (first === undefined || id === null) return [];
      const amountCents = parts.reduce((sum, part) => sum + part.amountCents, 0);
      const openCents = parts.reduce((sum, part) => sum + part.openCents, 0);
      const dueDays = parts.flatMap(({ dueDay }) => (dueDay === null ? [] : [dueDay]));
      return [
        {
          id,
          type: kind,
          amount: amount(cents(amountCents)),
          originalAmount: amount(cents(amountCents)),
          remainingAmount: amount(cents(openCents)),
          status: openCents === 0 ? 'paid' : 'booked',
          createdDate: dateText(first.chargeDay),
          scheduledDate: dateText(first.chargeDay),
          dueDate: orNull(dateText, dueDays.sort((a, b) => a - b)[0]),
          feeTypeId: null,
          drawId: bearer?.id ?? null,
          dynamicFeeDetails: null,
          timestamps: { createdAt: dateTimeText(startOfDay(zone, first.chargeDay)) },
        },
      ];
    });
  });
}
