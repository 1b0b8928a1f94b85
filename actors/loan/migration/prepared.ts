import { activationFrom } from '../origination/at-activation.js';
import { type Day, fieldOf, fieldsOf, must } from '../../../engine/index.js';
import type { CommandContext, CommandRequest, Decision, QueryContext, QuerySpec } from '../../kernel/actor.js';
import { type Fact, type FactDraft, RULES_VERSION, SCHEMA_VERSION, SYSTEM_AGENT } from '../../kernel/fact.js';
import { recordOf } from '../context.js';
import { findDraw } from '../draws/draw.js';
import { evolveLoan } from '../evolve.js';
import { cloneLoan } from '../packing.js';
import type { LoanState } from '../state.js';
import type { ViewEnv } from '../views/loan.js';
import { type ActivityPrepared, type PreparedDraft, replayMigration, type Taking } from './evolve.js';
import { lineTaking, refuseHistory } from './line/taking.js';
import { lineFaults } from './line/ready.js';
import { isInPreparation } from './stage.js';

/*
 * A loan in preparation has no ledger. Commands on its past are decided on a copy of the loan as if it were migrated now, by the same
 * functions as for a live loan. Their facts are kept until the migration.
 */

/** Commands that record the past of a loan in preparation. */
export const PREPARABLE: ReadonlySet<string> = new Set([
  'transaction.create',
  'transaction.preview',
  'transaction.update',
  'transaction.cancel',
  'transaction.backdate',
  'transaction.reverse',
  'chargeback.create',
  'chargeback.update',
  'loanFee.charge',
  'loanFee.cancel',
  'loanRate.add',
  'loanRate.change',
  'loanRate.remove',
  'loanRateCap.add',
  'loanRateCap.change',
  'loanRateCap.remove',
  'loanScra.add',
  'loanScra.change',
  'loanScra.remove',
  'lineScra.add',
  'lineScra.change',
  'lineScra.remove',
  'refund.create',
  'refund.update',
  'refund.cancel',
  'advance.create',
  'advance.update',
  'advance.cancel',
  'purchase.create',
  'purchase.update',
  'purchase.cancel',
  'loan.accelerate',
  'loan.chargeOff',
  'loan.reverseAccelerate',
  'loan.reverseChargeOff',
]);

/** Queries of a loan in preparation. */
export const READABLE: ReadonlySet<string> = new Set([
  'transaction.list',
  'transaction.get',
  'transaction.allocation',
  'chargeback.list',
  'chargeback.get',
  'loanFee.list',
  'loanFee.get',
  'loan.rates',
  'loan.rate',
  'loan.rateDetails',
  'loan.rateCaps',
  'loan.rateCap',
  'loan.scra',
  'refund.list',
  'refund.get',
  'advance.list',
  'advance.get',
  'loan.scheduleModifications',
  'paymentPlan.list',
  'paymentPlan.get',
  'loan.balances',
  'loan.obligations',
  'loan.expectedPayments',
  'loan.periods',
  'loan.period',
  'loan.interest',
]);

type Reading = ViewEnv & { readonly now: number };

/** A copy of the loan as if it were migrated now. Refuses if it cannot be migrated as it is prepared. */
export function preparedLoan(state: LoanState, env: Reading, taking = takingOf(state, env)): LoanState {
  const trial = cloneLoan(state);
  replayMigration({ state: trial, fact: trialFact(state, env.now), emit: null, env }, taking, evolveLoan);
  return trial;
}

/** The activation of the loan here, without objects that need new ids. */
export function takingOf(state: LoanState, env: Reading): Taking {
  if (recordOf(state).type === 'installment')
    return { product: 'installment', activation: activationFrom(state, env, activatedDayOf(state), {}), facts: [] };
  refuseHistory(lineFaults(state, env));
  return lineTaking(state, env, trialFact(state, env.now));
}

export const activatedDayOf = ({ id, migration }: LoanState): Day =>
  must(migration?.activatedDay ?? undefined, `${id} has no day of activation`);

const trialFact = ({ id, tenant, lastUpdate }: LoanState, now: number): Fact => ({
  sequence: 0,
  tenant,
  kind: 'loan',
  id,
  type: 'LoanMigrated',
  body: null,
  stamp: lastUpdate.stamp,
  businessAt: now,
  effective: null,
  by: SYSTEM_AGENT,
  address: null,
  caseId: null,
  requestId: '',
  commandId: '',
  schemaVersion: SCHEMA_VERSION,
  rulesVersion: RULES_VERSION,
});

/** Whether the loan's past can be recorded: originated, and in preparation. */
export const isRecording = (state: LoanState): boolean => isInPreparation(state) && recordOf(state).status === 'originated';

/** Whether the command concerns a line's history, which needs no ledger and is recorded at once. */
const isHistory = (state: LoanState, { drawId }: CommandRequest['params']): boolean => findDraw(state, drawId)?.drawType === 'static';

/** The command, which for a loan in preparation decides on the loan as if it were migrated, and keeps its facts for the migration. */
export function preparing(
  context: CommandContext<LoanState>,
  decide: (context: CommandContext<LoanState>) => Decision<LoanState>,
): Decision<LoanState> {
  const { state, env } = context;
  if (!isRecording(state) || isHistory(state, context.command.params)) return decide(context);
  return keptForMigration(decide({ ...context, state: preparedLoan(state, env) }), env);
}

/**
 * The decision with the loan's own facts kept for the migration. What they would bring to others (messages, cases, entries at the bank) was
 * done by the other system.
 */
export function keptForMigration(decision: Decision<LoanState>, env: Reading): Decision<LoanState> {
  const body: ActivityPrepared = { facts: decision.facts.filter(({ target }) => target === undefined).map(knownOnItsDay) };
  return {
    ...decision,
    facts: body.facts.length === 0 ? [] : [{ type: 'ActivityPrepared', body }],
    reply: (after) => decision.reply(preparedLoan(after, env)),
  };
}

/** The query, which for a loan in preparation shows the recorded activity. */
export function showingPrepared(spec: QuerySpec<LoanState>): QuerySpec<LoanState> {
  if (spec.on !== 'target' || !READABLE.has(spec.type)) return spec;
  return {
    ...spec,
    read(context: QueryContext<LoanState>) {
      const { state, env } = context;
      const isShown = isRecording(state) && (state.migration?.prepared.length ?? 0) > 0;
      return spec.read(isShown ? { ...context, state: preparedLoan(state, env) } : context);
    },
  };
}

/** The fact as known on its own day: the other system recorded it when it happened. */
function knownOnItsDay({ type, body, effective }: FactDraft): PreparedDraft {
  const recordedDay = fieldOf(body, 'recordedDay');
  const isLate = effective !== undefined && typeof recordedDay === 'number' && recordedDay > effective.day;
  return { type, body: isLate ? { ...fieldsOf(body), recordedDay: effective.day } : body, effective: effective ?? null };
}
