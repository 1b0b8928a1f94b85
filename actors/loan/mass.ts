import { isIn, lists } from '../kernel/lists/row-fields.js';
import type { tags } from 'typia';
import { type Cents, fieldOf, formatDay, type LedgerState, scheduleOf, ZERO } from '../../engine/index.js';
import type { CompanyState } from '../company/index.js';
import { refuse, refuseProperty } from '../errors.js';
import type { CatalogRow, CommandSpec, DecideEnv, EvolveEnv, Figure, SelectEnv } from '../kernel/actor.js';
import type { FactDraft } from '../kernel/fact.js';
import type { MassOrder } from '../kernel/jobs/mass-works.js';
import { operationIdOf } from '../kernel/jobs/operations.js';
import { type DateText, dayOfText, type Text } from '../wire.js';
import { replayFact } from './commands/recompute.js';
import { activatedOf, activationOf, effectiveOn, statusOf, todayOf } from './context.js';
import { comingFeesOf } from './fees/coming.js';
import { balancesIn, isLine, overdueIn, runningOf } from './ledger/running.js';
import { statusesFor } from './machine.js';
import { every, type LoanFilter, loanFilters } from './queries/list.js';
import { idsIn, wasOwnedBy } from './owners/index.js';
import { hasLeft, isOwing } from './people/index.js';
import type { LoanState } from './state.js';

/**
 * The columns of a report of differences, which a lender reads before a change of rates or a replay is made. Names are those of the
 * interface; amounts are rounded to the cent.
 */
export function loanFigures(state: LoanState, env: EvolveEnv): readonly Figure[] {
  const activation = activationOf(state);
  if (activation === null) return [['status', state.record === null ? null : statusOf(state)]];
  const ledger = runningOf(state, env);
  const { outstanding, overdue, chargedOff, paid } = balancesIn(ledger);
  const { daysOverdue, nextDueCents } = overdueIn(ledger, comingFeesOf(state, env, ledger.day));
  const { nextDueDay, endDay } = activation.summary;
  return [
    ['status', statusOf(state)],
    ['outstandingTotalAmount', outstanding.totalCents],
    ['outstandingPrincipalAmount', outstanding.principalCents],
    ['outstandingInterestAmount', outstanding.interestCents],
    ['outstandingFeesAmount', outstanding.feesCents],
    ['overdueTotalAmount', overdue.totalCents],
    ['chargedOffTotalAmount', chargedOff.totalCents],
    ['paidPrincipalAmount', paid.principalCents],
    ['paidInterestAmount', paid.interestCents],
    ['daysOverdue', String(daysOverdue)],
    ['levelPaymentAmount', isLine(ledger) ? (nextDueCents ?? ZERO) : expectedCents(ledger)],
    ['nextDueDate', nextDueDay === null ? null : formatDay(nextDueDay)],
    ['nextDueAmount', nextDueCents ?? ZERO],
    ['endDate', endDay === null ? null : formatDay(endDay)],
  ];
}

/** The amount of the next expected payment. */
const expectedCents = (ledger: LedgerState): Cents => scheduleOf(ledger).find(({ status }) => status === 'projected')?.amountCents ?? ZERO;

/** Facts that may leave a loan's amounts as they are. If they change them, the ledger's events show it. */
const RECOMPUTATIONS: { readonly [Type in string]?: (body: unknown) => boolean } = {
  IndexTaken: (body) => fieldOf(body, 'change') !== null,
  LoanReplayed: () => false,
};

/** Whether a fact of mass work changes amounts of the loan. */
export const isRecomputation = ({ type, body }: FactDraft): boolean => RECOMPUTATIONS[type]?.(body) ?? true;

/** The loans of mass work: named by id, or filtered as in a list of loans. */
export interface LoanSelection extends LoanFilter {
  readonly loanIds?: readonly string[];
  /** Only loans of which the investor owns a share on that day, or will own one. */
  readonly ownedBy?: { readonly investorId: string; readonly today: string };
  /** Only loans that name the merchant, by one of its ids, at origination or in an advance. */
  readonly ofMerchant?: readonly string[];
  /** Only loans of which the investor owned a share on some day, or was paid. */
  readonly everOwnedBy?: string;
  /** Only loans that this collection agency has or had. */
  readonly everAssignedTo?: string;
  /** Only loans on which this additional person owes on that day or later. */
  readonly owedBeside?: { readonly personId: string; readonly today: DateText };
  /** Only loans that are reported to a credit agency, and all of these loan types. */
  readonly reportedTo?: { readonly creditAgencyId: string; readonly orLoanTypes: readonly string[] };
  /** Only loans whose status allows a replay. */
  readonly canReplay?: true;
}

export function selectLoans(filter: LoanSelection, env: SelectEnv): (row: CatalogRow) => boolean {
  const { loanIds, canReplay, ofMerchant, ownedBy, everOwnedBy, everAssignedTo, owedBeside, reportedTo, ...asked } = filter;
  const named = loanIds && new Set(loanIds);
  return every([
    named === undefined ? null : ({ id }) => named.has(id),
    ownedBy === undefined ? null : ({ fields }) => isOwnedBy(idsIn(fields, 'owners'), ownedBy),
    ofMerchant === undefined ? null : ({ fields }) => idsIn(fields, 'merchants').some((id) => ofMerchant.includes(id)),
    everOwnedBy === undefined ? null : (row) => wasOwnedBy(row, everOwnedBy),
    everAssignedTo === undefined ? null : ({ fields }) => idsIn(fields, 'agencies').includes(everAssignedTo),
    owedBeside === undefined ? null : (row) => isOwedBeside(row, owedBeside, env),
    reportedTo === undefined ? null : (row) => isReportedTo(row, reportedTo),
    canReplay === true ? ({ fields }) => isIn(fields['status'], REPLAYABLE) : null,
    ...loanFilters(asked, env),
  ]);
}

const REPLAYABLE: ReadonlySet<string> = new Set(statusesFor('replay'));

/** Whether an investor is among the owners of a row on a day or later. */
function isOwnedBy(owners: readonly string[], { investorId, today }: NonNullable<LoanSelection['ownedBy']>): boolean {
  const current = owners.map((owner) => owner.slice(0, DATE_LENGTH)).findLast((date) => date <= today) ?? '';
  return owners.some((owner) => owner.slice(DATE_LENGTH) === investorId && owner.slice(0, DATE_LENGTH) >= current);
}

const DATE_LENGTH = 10;

function isOwedBeside(
  { id, alsoUnder }: CatalogRow,
  { personId, today }: NonNullable<LoanSelection['owedBeside']>,
  env: SelectEnv,
): boolean {
  if (alsoUnder?.includes(personId) !== true) return false;
  const people = env.read<LoanState>('loan', id)?.record?.additionalPeople ?? [];
  return people.some((person) => person.personId === personId && isOwing(person) && !hasLeft(person, dayOfText(today)));
}

export const isReportedTo = ({ fields }: CatalogRow, { creditAgencyId, orLoanTypes }: NonNullable<LoanSelection['reportedTo']>): boolean =>
  lists(fields['creditAgencies'], creditAgencyId) || orLoanTypes.includes(String(fields['loanTypeId']));

/** Replays many loans from a date on under today's configuration: named by id, filtered as in a list, or all. */
export interface ReplayManyRequest extends LoanFilter {
  readonly loanIds?: readonly (string & tags.MaxLength<60>)[] & tags.MinItems<1> & tags.MaxItems<1000>;
  /** All loans that can be replayed. Required if no loans and no filter are named. */
  readonly all?: boolean;
  /** If absent, or before a loan's activation: from its activation. */
  readonly fromDate?: DateText | null;
  readonly reason?: Text | null;
  /** Computes and compares, but records nothing. */
  readonly dryRun?: boolean;
  /** Waits for `resume`. Until then it can be canceled without a trace. */
  readonly hold?: boolean;
}

/** `POST /operations/replays`, a command of the company: the order is one fact, which all shards receive. */
export const orderReplays: CommandSpec<CompanyState, ReplayManyRequest> = {
  kind: 'company',
  type: 'operation.replay',
  place: { on: 'target' },
  catchesUp: false,
  decide({ body, env, command }) {
    const { fromDate = null, reason = null, dryRun = false, hold = false, ...asked } = body;
    const filter = selectionOf(asked, env);
    selectLoans(filter, env); // refuses an invalid filter
    if (fromDate !== null) dayOfText(fromDate);
    const operationId = operationIdOf(command.commandId);
    const order: MassOrder = {
      kind: 'loan.replay',
      resultObjectId: null,
      isDryRun: dryRun,
      isHeld: hold,
      supposing: [],
      task: {
        type: 'command',
        command: replayFrom.type,
        selection: { kind: 'loan', filter },
        body: { fromDate, reason } satisfies ReplayFrom,
      },
    };
    return { facts: [{ type: 'MassOrdered', body: order }], reply: () => ({ data: { operationId }, status: 202, operationId }) };
  },
};

function selectionOf({ all = false, loanIds, ...filter }: ReplayManyRequest, env: DecideEnv): LoanSelection {
  if (!all && loanIds === undefined && !Object.values(filter).some(filters)) {
    refuseProperty('all', 'loanIds, a filter, or all', 'Send `loanIds`, a filter, or `all` true.');
  }
  return { ...filter, canReplay: true, ...(loanIds === undefined ? {} : { loanIds: loanIds.map((anyId) => idOf(anyId, env)) }) };
}

/** An empty list of statuses or labels filters nothing. */
const filters = (value: unknown): boolean => value != null && !(Array.isArray(value) && value.length === 0);

function idOf(anyId: string, env: DecideEnv): string {
  if (!anyId.startsWith('ext-')) return anyId;
  return env.findExternal(env.tenant, 'loan', anyId.slice(4)) ?? refuse('notFound', `There is no loan ${anyId}.`);
}

interface ReplayFrom {
  readonly fromDate: string | null;
  readonly reason: string | null;
}

/** The replay of one loan of many, at the earliest from its activation. */
export const replayFrom: CommandSpec<LoanState, ReplayFrom> = {
  kind: 'loan',
  type: 'loan.replayFrom',
  place: { on: 'target' },
  decide(context) {
    const { state, env, body } = context;
    const { fromDate, reason } = body;
    const { activation } = activatedOf(state).contract.terms;
    const isWhole = fromDate === null || dayOfText(fromDate) <= activation;
    const from = isWhole ? activation : effectiveOn(env, state, fromDate, 'fromDate').day;
    return {
      facts: [replayFact(context, { from, through: todayOf(env, state), reason, caseId: null })],
      reply: () => ({ data: undefined }),
    };
  },
};
