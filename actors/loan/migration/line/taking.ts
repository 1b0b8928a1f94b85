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
} from '../../../../engine/index.js';
import { companyOf, loanTypeVersions } from '../../../company/index.js';
import { type Fault, refuse } from '../../../errors.js';
import type { CommandContext } from '../../../kernel/actor.js';
import type { Fact, FactDraft } from '../../../kernel/fact.js';
import { recordOf, requireBody, requireCase, requirePerson, requireProduct, statusOf } from '../../context.js';
import { drawContractOf } from '../../draws/contract.js';
import type { DrawActivated } from '../../draws/evolve.js';
import type { LedgerChange, LedgerChanged, LineActivated } from '../../facts.js';
import { lineActivated } from '../../ledger/evolve.js';
import { settingsAt } from '../../ledger/settings.js';
import { lineContractOf } from '../../line/activate.js';
import { productAtActivation } from '../../origination/at-activation.js';
import { indexOf, originationRates } from '../../rates/rows.js';
import { cloneLoan } from '../../resting.js';
import type { LoanState } from '../../state.js';
import type { Applying } from '../../tell.js';
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
  type Standing,
  STANDINGS,
} from './history.js';

/** The ledger of a line begins at its cutoff; its rates have run since the other system activated it. */
export function beginLine(applying: Applying, activation: LineActivated): void {
  const { state, env } = applying;
  lineActivated(applying, activation, activation.contract.terms.activation);
  const line = must(state.line, `${state.id} was activated`);
  line.rates = originationRates(state, env, must(state.migration?.activatedDay ?? undefined, 'a day of activation'));
}

/** What is asked first of everything that is recorded of a line before its migration. */
export function beginRecording<Request extends { readonly caseId?: string | null }>(context: CommandContext<LoanState>): Request {
  const { state, env, command } = context;
  requirePerson(state, command.params['personId'], env);
  requireProduct(state, 'lineOfCredit');
  const request = requireBody<Request>(context.body);
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

/** 400 with every fault of a history. */
export function refuseHistory(errors: readonly Fault[]): void {
  if (errors.length > 0) refuse('migrationValidation', 'The history to migrate is inconsistent.', { errors });
}

/** 00:00, the draws; then, a second later, what they owe, then how the line stands. All that people do comes after 02:00. */
const DRAWS_SECONDS = 0;
const SEED_SECONDS = 1;
const ORDER_SECONDS = 2;

/** How a line begins at its cutoff, from what was stated of it; nothing of that may be at fault any more. */
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

/** Interest had stopped before the cutoff, and the whole balance is due. */
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

/** Its period is the past one with that due date, where that was recorded. */
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

const bodyOf = ({ balances }: DrawMigrationPeriod, at: Standing): LineSeeded['draws'][number]['due'] => ({
  principalCents: balances[at].Principal ?? cents(0),
  interestCents: balances[at].Interest ?? cents(0),
});

/** Where the other system does not say what pays the draw in full, all that it owes at its statement does. */
const fullBalanceOf = ({ fullBalanceCents, balances }: DrawMigrationPeriod): Cents =>
  fullBalanceCents > 0 ? fullBalanceCents : cents(STANDINGS.reduce((sum, at) => sum + partsCents(balances[at], DRAW_PARTS), 0));

const FEE_KINDS: Readonly<Partial<Record<Part, SeededFee['kind']>>> = {
  OriginationFees: 'originationFee',
  DrawFees: 'drawFee',
  DynamicFees: 'dynamicFee',
  ServiceFees: 'serviceFee',
};

const feesOf = (balances: MigratedBalances): readonly SeededFee[] =>
  STANDINGS.flatMap((standing) =>
    (Object.entries(FEE_KINDS) as [Part, SeededFee['kind']][]).flatMap(([part, kind]) => {
      const amountCents = balances[standing][part];
      return amountCents === undefined || amountCents === 0 ? [] : [{ kind, standing, amountCents }];
    }),
  );
