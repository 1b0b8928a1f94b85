import { type Day, formatDay, instantAt, must } from '../../../engine/index.js';
import { bodyForRow } from '../../kernel/erased.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, DecideEnv, Decision } from '../../kernel/actor.js';
import { dayOfText, timeOfDay } from '../../wire.js';
import { END_OF_DAY_SECONDS, recordOf } from '../context.js';
import type { LoanFacts, LoanFactType } from '../facts.js';
import type { LoanState } from '../state.js';
import type { Migration, PreparedActivity } from './migration.js';
import { activatedDayOf, isRecording, keptForMigration, preparedLoan } from './prepared.js';

type Context<Body = unknown> = CommandContext<LoanState, Body>;

/*
 * Changes of the schedule that were made while another system serviced the loan. The same tools as for a live loan decide them, on the day
 * of the agreement, with everything that was recorded of the days before.
 */

export const PAST_TOOLS: ReadonlySet<string> = new Set([
  'loan.changeDueDates',
  'loan.deferDueDate',
  'loan.deferSchedule',
  'loan.changeTerms',
  'paymentPlan.create',
  'paymentPlan.cancel',
]);

interface PastBody {
  readonly waiveFee?: boolean;
  readonly migration?: { readonly effectiveDate: string } | null;
}

type Decide = (context: Context<PastBody>) => Decision<LoanState>;

/** Decides a tool on its past day while the loan is in preparation. */
export function onItsDay(context: Context<PastBody>, decide: Decide): Decision<LoanState> {
  const { migration } = context.body;
  const isPast = isRecording(context.state) && recordOf(context.state).type === 'installment';
  if (isPast) return decidedOn(context, decide, dayAsked(context, migration ?? null));
  if (migration == null) return decide(context);
  return refuse('invalidState', '`migration` can only be set while the loan is in preparation for a migration.', {
    errors: [{ path: 'migration', expected: 'nothing', message: 'the loan is not in preparation' }],
  });
}

function decidedOn(context: Context<PastBody>, decide: Decide, day: Day): Decision<LoanState> {
  const { state, env, body } = context;
  const then = onDay(env, state, day);
  const trial = preparedLoan(state, then);
  // The fee of a tool is recorded as a fee of its own.
  const decision = decide({ ...context, state: trial, env: then, body: { ...body, waiveFee: true } });
  return keptForMigration(decision, env);
}

/** The day that the request names: from the activation to today, and after all recorded activity, so that its schedule is known. */
function dayAsked({ state, env }: Context, migration: PastBody['migration']): Day {
  if (migration == null)
    return refuseProperty(
      'migration.effectiveDate',
      'the day of the agreement',
      '`migration.effectiveDate` is required for a past change.',
    );
  const day = dayOfText(migration.effectiveDate);
  const today = env.today(recordOf(state).zone);
  const refuseDay = (expected: string, message: string): never =>
    refuse('ruleViolation', `\`migration.effectiveDate\` ${message}.`, {
      errors: [{ path: 'migration.effectiveDate', expected, message }],
    });
  if (day < activatedDayOf(state) || day > today) refuseDay('a day from activation to today', 'is outside of the life of the loan');
  const later = must(state.migration, `${state.id} is in preparation`).prepared.find(
    ({ effective }) => effective !== null && effective.day > day,
  );
  if (later !== undefined)
    refuseDay(
      `${formatDay(must(later.effective, 'a later day').day)} or later`,
      'is before a recorded change: changes of the schedule must be recorded in the order of their days',
    );
  return day;
}

/** The environment at the end of a past day. */
function onDay(env: DecideEnv, state: LoanState, day: Day): DecideEnv {
  return {
    tenant: env.tenant,
    now: instantAt(recordOf(state).zone, day, timeOfDay(END_OF_DAY_SECONDS)),
    today: () => day,
    newId: (prefix) => env.newId(prefix),
    reserveIds: (count) => env.reserveIds(count),
    createKey: (owner) => env.createKey(owner),
    seal: (owner, plain, text) => env.seal(owner, plain, text),
    hasRow: (kind, id) => env.hasRow(kind, id),
    list: (kind, request) => env.list(kind, request),
    readBelow: (kind, ...parentIds) => env.readBelow(kind, ...parentIds),
    count: (selection) => env.count(selection),
    read: (kind, id) => env.read(kind, id),
    answerTo: (asked) => env.answerTo(asked),
    derivedId: (prefix, shardOf, counter) => env.derivedId(prefix, shardOf, counter),
    open: (owner, sealed, text) => env.open(owner, sealed, text),
    findExternal: (tenant, kind, externalId) => env.findExternal(tenant, kind, externalId),
    massWork: (operationId) => env.massWork(operationId),
  };
}

type Part = readonly [kind: string, externalId: string, id: string];

interface Named {
  readonly id: string;
  readonly externalId?: string | null;
}

/** Where the facts that make an object with an external id have it. */
const NAMED: { readonly [Type in LoanFactType]?: readonly [kind: string, of: (body: LoanFacts[Type]) => Named] } = {
  TransactionCreated: ['transaction', ({ transaction }) => transaction],
  FeeCharged: ['loanFee', ({ details }) => details],
  FeeScheduled: ['loanFee', ({ details }) => details],
  PaymentPlanCreated: ['paymentPlan', ({ plan }) => plan],
  AdvanceMade: ['advance', ({ advance }) => advance],
};

/** External ids of prepared objects. */
export const preparedParts = (migration: Migration | null): readonly Part[] => {
  if (migration === null) return NONE;
  const kept = partsKept.get(migration) ?? partsIn(migration);
  partsKept.set(migration, kept);
  return kept;
};

/** By migration: it is never changed, only replaced. */
const partsKept = new WeakMap<Migration, readonly Part[]>();

const partsIn = (migration: Migration): readonly Part[] => {
  const { pastTransactions = [], pastFees = [] } = migration.line ?? {};
  return [
    ...migration.prepared.flatMap(partOf),
    ...pastTransactions.flatMap((past) => partNamed('transaction', past)),
    ...pastFees.flatMap((past) => partNamed('loanFee', past)),
  ];
};

function partOf(prepared: PreparedActivity): readonly Part[] {
  const rows: { readonly [Type in string]?: readonly [kind: string, of: (body: never) => Named] } = NAMED;
  const named = rows[prepared.type];
  if (named === undefined) return NONE;
  const [kind, of] = named;
  return partNamed(kind, of(bodyForRow(prepared)));
}

const partNamed = (kind: string, { id, externalId }: Named): readonly Part[] => (externalId == null ? NONE : [[kind, externalId, id]]);

const NONE: readonly Part[] = [];
