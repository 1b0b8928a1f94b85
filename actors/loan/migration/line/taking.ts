import {
  type Accelerate,
  addDays,
  cents,
  type Cents,
  type ChargeOff,
  type EffectiveTime,
  type LineSeeded,
  must,
  type SeededFee,
  type SeededOverdue,
  namesOf,
} from '../../../../engine/index.js';
import { companyOf, loanTypeVersions, settingsAt } from '../../../company/index.js';
import { type Fault, refuse } from '../../../errors.js';
import type { CommandContext } from '../../../kernel/actor.js';
import type { Fact, FactDraft } from '../../../kernel/fact.js';
import { recordOf, requireCase, requirePerson, requireProduct, statusOf } from '../../context.js';
import { drawContractOf } from '../../draws/contract.js';
import type { DrawActivated } from '../../draws/evolve.js';
import type { LedgerChange, LedgerChanged, LineActivated } from '../../facts.js';
import { lineActivated } from '../../ledger/evolve.js';
import { lineContractOf } from '../../line/activate.js';
import { productAtActivation } from '../../origination/at-activation.js';
import { indexOf, originationRates } from '../../rates/rows.js';
import { cloneLoan } from '../../packing.js';
import type { LoanState } from '../../state.js';
import type { Applying } from '../../applying.js';
import type { ViewEnv } from '../../views/loan.js';
import type { Taking } from '../evolve.js';
import { mayMigrate, type Migration, NOT_MIGRATED } from '../migration.js';
import { migrationStatus } from '../reconcile.js';
import { partsCents } from './check.js';
import {
  DRAW_PARTS,
  type DrawMigrationPeriod,
  type LineHistory,
  type MigratedBalances,
  type MigrationPeriod,
  NO_HISTORY,
  type OverdueObligation,
  type Part,
  type DueStatus,
  DUE_STATUSES,
} from './history.js';

/** Starts the ledger of a line at its cutoff. Its rates began when the other system activated it. */
export function beginLine(applying: Applying, activation: LineActivated): void {
  const { state, env } = applying;
  lineActivated(applying, activation, activation.contract.terms.activation);
  const line = must(state.line, `${state.id} was activated`);
  line.rates = originationRates(state, env, must(state.migration?.activatedDay ?? undefined, 'a day of activation'));
}

/** Checks that every command on a line's history makes first. */
export function beginRecording<Request extends { readonly caseId?: string | null }>(context: CommandContext<LoanState, Request>): Request {
  const { state, env, command, body: request } = context;
  requirePerson(state, command.params['personId'], env);
  requireProduct(state, 'lineOfCredit');
  requireCase(env, state, command, request.caseId);
  const status = migrationStatus(state);
  const isOpen = statusOf(state) === 'pending' || statusOf(state) === 'originated';
  if (!isOpen || !mayMigrate(status, 'record')) {
    refuse('invalidState', `The loan is ${status}. Its history can be recorded only while it is in preparation for a migration.`, {
      errors: [{ path: 'migrationStatus', expected: 'prepMigration', message: `the loan is ${status}` }],
    });
  }
  return request;
}

export const historyOf = ({ migration }: LoanState): LineHistory => (migration ?? NOT_MIGRATED).line ?? NO_HISTORY;

/** 400 with every fault of the history. */
export function refuseHistory(errors: readonly Fault[]): void {
  if (errors.length > 0) refuse('migrationValidation', 'The history to migrate is inconsistent.', { errors });
}

/** At 00:00 the draws; a second later their balances, then the status of the line. Actions of people come after 02:00. */
const DRAWS_SECONDS = 0;
const SEED_SECONDS = 1;
const ORDER_SECONDS = 2;

/** The start of a line at its cutoff, from its stated history, which must have no faults any more. */
export function lineTaking(state: LoanState, env: ViewEnv, fact: Fact): Taking {
  const { atOrigination: origination, loanTypeId, zone } = recordOf(state);
  const { period, drawPeriods } = historyOf(state);
  const { statementDay: cutoff } = must(period ?? undefined, 'the migration period of the line');
  const activatedDay = must(state.migration?.activatedDay ?? undefined, 'a day of activation');
  const settings = settingsAt(loanTypeVersions(companyOf(env, state.tenant), loanTypeId), cutoff);
  const contract = lineContractOf({ origination, settings, day: activatedDay, index: indexOf(state, env) });
  const terms = {
    ...contract.terms,
    activation: cutoff,
    interestFrom: cutoff,
    originationFee: { ...contract.terms.originationFee, amountCents: cents(0) },
  };
  const activation: LineActivated = { ...productAtActivation(state, env), contract: { ...contract, terms } };
  const begun = cloneLoan(state);
  beginLine({ state: begun, fact, emit: null, env }, activation);
  const recorded = { recordedDay: env.today(zone), caseId: null, reason: null };
  const draws = state.draws
    .filter(({ status }) => status === 'originated')
    .map((draw): FactDraft => {
      const change = drawContractOf(begun, env, draw, settings, activatedDay);
      const body: DrawActivated = { drawId: draw.id, change: { ...change, fee: { ...change.fee, amountCents: cents(0) } }, ...recorded };
      return { type: 'DrawActivated', body, effective: { day: cutoff, seconds: DRAWS_SECONDS } };
    });
  const seed: LedgerChanged = {
    change: seedOf(state, must(period ?? undefined, 'the migration period of the line'), drawPeriods),
    ...recorded,
  };
  const at = (seconds: number): EffectiveTime => ({ day: cutoff, seconds });
  const order = orderOf(must(state.migration ?? undefined, 'a migration'));
  const ordered =
    order === null
      ? []
      : [{ type: 'LedgerChanged', body: { change: order, ...recorded } satisfies LedgerChanged, effective: at(ORDER_SECONDS) }];
  return {
    product: 'lineOfCredit',
    activation,
    facts: [...draws, { type: 'LedgerChanged', body: seed, effective: at(SEED_SECONDS) }, ...ordered],
  };
}

/** The order behind a line that was accelerated or charged off before the cutoff. */
function orderOf({ statusAtCutoff }: Migration): LedgerChange<Accelerate | ChargeOff> | null {
  if (statusAtCutoff === null) return null;
  return statusAtCutoff.status === 'accelerated' ? { type: 'accelerate' } : { type: 'chargeOff', reason: 'term' };
}

function seedOf(state: LoanState, period: MigrationPeriod, drawPeriods: LineHistory['drawPeriods']): LedgerChange<LineSeeded> {
  const { draws } = state;
  const { obligation } = period;
  return {
    type: 'lineSeeded',
    period: { startDate: period.startDay, endDate: period.endDay, statementDate: period.statementDay, dueDate: period.dueDay },
    fees: feesOf(period.balances),
    draws: drawPeriods.map((stated) => ({
      draw: must(
        draws.find(({ id }) => id === stated.drawId),
        'the draw of a period',
      ).draw,
      nonDue: bodyOf(stated, 'nonDue'),
      due: bodyOf(stated, 'due'),
      overdue: bodyOf(stated, 'overdue'),
      fees: feesOf(stated.balances),
      isGraceEligible: stated.isGracePeriodEligible,
      fullBalanceCents: fullBalanceOf(stated),
    })),
    obligation: {
      amountCents: obligation.obligationCents,
      remainingCents: obligation.remainingCents,
      overdueCents: obligation.overdueCents,
      overdueRemainingCents: obligation.overdueRemainingCents,
      daysOverdue: obligation.daysOverdue,
      isGraceEligible: obligation.isGracePeriodEligible,
      ...(obligation.overdue.length === 0 ? {} : { overdue: obligation.overdue.map((overdue) => overdueOf(state, overdue)) }),
    },
    reimbursementCents: period.reimbursementCents,
  };
}

/** An overdue obligation at the cutoff. Its period is the past period with that due date, if it was recorded. */
function overdueOf(state: LoanState, { dueDay, obligationCents, remainingCents }: OverdueObligation): SeededOverdue {
  const past = historyOf(state).pastPeriods.find((period) => period.dueDay === dueDay);
  const before = addDays(dueDay, -1);
  const { startDay, endDay, statementDay } = past ?? { startDay: before, endDay: before, statementDay: dueDay };
  return {
    period: { startDate: startDay, endDate: endDay, statementDate: statementDay, dueDate: dueDay },
    amountCents: obligationCents,
    remainingCents,
  };
}

const bodyOf = ({ balances }: DrawMigrationPeriod, at: DueStatus): LineSeeded['draws'][number]['due'] => ({
  principalCents: balances[at].Principal ?? cents(0),
  interestCents: balances[at].Interest ?? cents(0),
});

/** The amount that pays the draw in full: as stated, otherwise all that it owes at its statement. */
const fullBalanceOf = ({ fullBalanceCents, balances }: DrawMigrationPeriod): Cents =>
  fullBalanceCents > 0 ? fullBalanceCents : cents(DUE_STATUSES.reduce((sum, at) => sum + partsCents(balances[at], DRAW_PARTS), 0));

const FEE_KINDS: Readonly<Partial<Record<Part, SeededFee['kind']>>> = {
  OriginationFees: 'originationFee',
  DrawFees: 'drawFee',
  DynamicFees: 'dynamicFee',
  ServiceFees: 'serviceFee',
};

const feesOf = (balances: MigratedBalances): readonly SeededFee[] =>
  DUE_STATUSES.flatMap((dueStatus) =>
    namesOf(FEE_KINDS).flatMap((part) => {
      const kind = FEE_KINDS[part];
      const amountCents = balances[dueStatus][part];
      return kind === undefined || amountCents === undefined || amountCents === 0 ? [] : [{ kind, standing: dueStatus, amountCents }];
    }),
  );
