import { type Cents, creditOf, formatCents, payoffOf } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext } from '../../kernel/actor.js';
import { amount } from '../../wire.js';
import { todayOf } from '../context.js';
import { installment } from '../ledger/installment.js';
import { lineOfCredit, linePayoff } from '../line/ledger.js';
import { isMigrationTrial } from '../migration/stage.js';
import type { LoanState } from '../state.js';
import type { TransactionChanges } from './evolve.js';
import { isCredit, isPaidToBorrower, movedCents, type TransactionRecord } from './record.js';
import type { PaymentQuery } from './requests.js';

type Context = CommandContext<LoanState, unknown, PaymentQuery>;

/** The overpayment that is always accepted: a last payment is often rounded up. */
const SMALL_CENTS = 100_00;

interface Asked {
  readonly amountCents: Cents;
  /** Where the body has it. */
  readonly path: string;
  /** What of the payment has lowered the balances already. */
  readonly countedCents?: number;
}

/**
 * A payment of more than twice what is owed is probably a typing error: 422 with the payoff amount, unless the caller sets `force`. The
 * open credit of a line counts as owed, since its borrowers may pay before they purchase. While the past is being recorded, the migration
 * checks the amounts, when everything is there.
 */
export function checkNotFarAbove({ state, env, command }: Context, { amountCents, path, countedCents = 0 }: Asked): void {
  const { force = false } = command.query ?? {};
  if (force || amountCents <= SMALL_CENTS || isMigrationTrial(state)) return;
  // Nearly every payment passes here without computing a payoff, since days without facts only add to what is owed.
  if (amountCents <= 2 * ((state.servicing?.summary.outstandingCents ?? 0) + countedCents)) return;
  const today = todayOf(env, state);
  const limitCents = state.line === null ? 0 : creditOf(lineOfCredit.toReadOn(state, env, today)).limitCents;
  if (amountCents <= limitCents) return;
  const { payoffCents } =
    state.line === null
      ? payoffOf(installment.runningOn(state, env, today), today)
      : linePayoff(state, env, { today, day: today, draw: null });
  const owedCents = Math.max(payoffCents + countedCents, limitCents);
  if (amountCents <= 2 * owedCents || amountCents - owedCents <= SMALL_CENTS) return;
  refuse(
    'amountExceedsEligible',
    `The payment is more than twice the owed amount. The payoff amount today is ${formatCents(payoffCents)}.`,
    {
      errors: [{ path, expected: `${formatCents(payoffCents)}, or force=true`, message: 'is far above the balance' }],
      extra: { payoffAmount: amount(payoffCents) },
    },
  );
}

interface ChangeAsked {
  readonly record: TransactionRecord;
  readonly changes: TransactionChanges;
  /** Where the body has the scheduled and the actual amount. */
  readonly paths: { readonly scheduled: string; readonly actual: string };
}

/** The same for another amount of a payment that was recorded before. A payment that keeps its amount passes. */
export function checkChangeNotFarAbove(context: Context, { record, changes, paths }: ChangeAsked): void {
  if (isCredit(record) || isPaidToBorrower(record)) return;
  const countedCents = record.payment === null ? 0 : movedCents(record);
  const { scheduledCents, actualCents } = changes;
  if (scheduledCents != null && scheduledCents !== record.scheduledCents)
    checkNotFarAbove(context, { amountCents: scheduledCents, path: paths.scheduled, countedCents });
  if (actualCents != null && actualCents !== (record.actualCents ?? record.scheduledCents))
    checkNotFarAbove(context, { amountCents: actualCents, path: paths.actual, countedCents });
}
