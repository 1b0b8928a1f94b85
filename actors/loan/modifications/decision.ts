import {
  type BalancesDeferred,
  type DueDateDeferred,
  type EffectiveTime,
  type LineScheduleChanged,
  type ScheduleChanged,
  ZERO,
} from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, Decision } from '../../kernel/actor.js';
import { amount } from '../../wire.js';
import { effectiveNow } from '../context.js';
import { finished } from '../commands/order.js';
import type { LedgerChange } from '../facts.js';
import type { ActionRequest } from '../requests.js';
import { requireTold } from '../ledger/kept.js';
import type { LoanState } from '../state.js';
import { scheduleReply } from '../views/schedule.js';
import type { ScheduleModified } from './evolve.js';
import { feeOfUse, toolFee } from './fee.js';
import type { ToolNow } from './schedule-now.js';
import type { ModificationTerms, ModificationTool, ModificationType } from './state.js';

/** One use of a tool. */
export interface ToolUse {
  /** Null: it is free. */
  readonly tool: ModificationTool | null;
  readonly terms: ModificationTerms;
  readonly change: LedgerChange<ScheduleChanged | DueDateDeferred | LineScheduleChanged | BalancesDeferred>;
  /** Default: now. */
  readonly effective?: EffectiveTime;
}

interface ToolRequest extends ActionRequest {
  readonly waiveFee?: boolean;
  readonly agreementDocumentId?: string | null;
}

/** The schedule changes and the product's fee is charged, in one decision: previewed or booked alike. */
export function toolDecision(context: CommandContext<LoanState>, request: ToolRequest, now: ToolNow, use: ToolUse): Decision<LoanState> {
  const { state, env } = context;
  requireTold(state, use.change.type);
  const caseId = request.caseId ?? null;
  const isFeeWaived = request.waiveFee === true;
  const fee = isFeeWaived ? null : feeOfUse(state, toolFee(state, now, use.tool, env), env, caseId);
  const body: ScheduleModified = {
    change: use.change,
    modification: {
      id: env.newId('MO'),
      terms: use.terms,
      agreementDocumentId: request.agreementDocumentId ?? null,
      fee: fee && { id: fee.id, amountCents: fee.amountCents },
      isFeeWaived,
    },
    recordedDay: now.today,
    caseId,
    reason: null,
  };
  return {
    facts: [{ type: 'ScheduleModified', body, effective: use.effective ?? effectiveNow(env, state) }, ...(fee === null ? [] : [fee.draft])],
    preview: request.previewMode === true,
    reply: (after) => {
      const { isLocked, paymentFrequency, specificDays, schedule } = scheduleReply(after, env);
      return finished(context, request, {
        data: { isLocked, paymentFrequency, specificDays, schedule, feeAmount: amount(fee?.amountCents ?? ZERO) },
      });
    },
  };
}

const DAYS_OF_A_YEAR = 365;

/** 409 when the tools of a kind were used as often as the product allows within a year back from today. */
export function requireUses(
  { state }: CommandContext<LoanState>,
  { today }: ToolNow,
  types: readonly ModificationType[],
  limit: number | null,
): void {
  if (limit === null) return;
  const used = state.modifications.history.filter(
    ({ terms, recordedDay }) => types.includes(terms.type) && recordedDay > today - DAYS_OF_A_YEAR,
  );
  if (used.length < limit) return;
  refuse('invalidState', `The product allows this ${limit} times within a year.`, {
    errors: [{ path: 'status', expected: `fewer than ${limit} uses within a year`, message: `used ${used.length} times` }],
  });
}
