import {
  barToCollecting,
  type ScreenedBlock,
  type ScreenedCase,
  type CollectingBar,
  type Day,
  dayAt,
  parseDay,
  type Situation,
} from '../../../engine/index.js';
import { type CancelReason, contactOf, personOf } from '../../borrower/index.js';
import { checkTimezone, companyOf, zoneOf } from '../../company/index.js';
import type { ScreenEnv } from '../../contact/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CatalogRow, DecideEnv, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import {
  endPlan,
  isInternalMoney,
  isPaidToBorrower,
  livePlan,
  type LoanState,
  moveDraft,
  recordOf,
  type UsedInstrument,
} from '../../loan/index.js';
import { millisecondsOf } from '../../wire.js';
import { type Context, decided, fact, itemOf, onCase, wrongId } from './context.js';
import { thresholdsFollow } from './desk.js';
import { type CaseOfLoans, isAboutLoan, loansOf } from './documents.js';
import { isClosed } from './machine.js';
import type { RescheduleCallRequest, ScheduleCallRequest } from './requests.js';
import { activeBlock, type CallFields, type CaseState, type ScheduledCall } from './state.js';
import { callView, sealText } from './view.js';

/** Of a borrower more than anybody has: lists are read whole. */
const ALL = Number.MAX_SAFE_INTEGER;

/** The cases of a borrower, whose blocks outlive them, and those of others about a loan that they share. */
export function caseworkAbout(env: ScreenEnv, personId: string, loanIds: readonly string[]): Pick<Situation, 'cases' | 'blocks'> {
  const rows = new Map<string, CatalogRow>();
  for (const parentId of [personId, ...loanIds]) for (const row of env.list('case', { parentId, limit: ALL }).rows) rows.set(row.id, row);
  const states = [...rows.keys()].flatMap((id) => env.read<CaseState>('case', id) ?? []);
  return {
    cases: states.map((state) => caseStanding(env, state, personId, loanIds)),
    blocks: states.filter((state) => state.personId === personId).flatMap(blockStanding),
  };
}

function caseStanding(
  env: ScreenEnv,
  { id, caseType, status, outcome, createdAt, personId: of, associations, fields }: CaseState,
  personId: string,
  loanIds: readonly string[],
): ScreenedCase {
  const included = fields['loansIncluded'];
  const isOfAnother = of !== personId;
  const associated = associations.map(({ objectId }) => objectId);
  const named = Array.isArray(included) && included.length > 0 ? loansNamed(env, included.map(String), loanIds) : associated;
  return {
    id,
    caseType,
    status,
    outcome,
    isOpen: !isClosed(status),
    openedAt: createdAt,
    isOfAnother,
    fields,
    // Which loan it means is not known: of the borrower's own case it may be any (none are all), of another's those that it is listed with.
    loanIds: named ?? (isOfAnother ? associated : []),
  };
}

const SERVICE_ID = /^LN-/;

/** The loans that a case names, be it by external ids; null where one of these is none of the borrower's. */
function loansNamed(env: ScreenEnv, anyIds: readonly string[], loanIds: readonly string[]): readonly string[] | null {
  const external = new Map(loanIds.map((id) => [`ext-${env.read<LoanState>('loan', id)?.record?.externalId ?? ''}`, id]));
  const found = anyIds.map((anyId) => (SERVICE_ID.test(anyId) ? anyId : (external.get(anyId) ?? null)));
  return found.includes(null) ? null : found.filter((id) => id !== null);
}

function blockStanding(state: CaseState): readonly ScreenedBlock[] {
  const block = activeBlock(state);
  const startDate = parseDay(block?.startDate ?? '');
  if (block === undefined || startDate === undefined) return [];
  const { id, channels, themes, endsAt, daysOfWeek, timesOfDay, timezone, contactLabels } = block;
  return [{ id, channels, themes, startDate, endsAt, daysOfWeek, timesOfDay, timezone, contactLabels }];
}

/*
 * What the service would collect by itself ends when it learns of a bankruptcy or a death (11 USC 362): autopay and what
 * is scheduled on the accounts that the case protects. It ends with the case in one batch, so that no payment comes between. What a
 * borrower agrees to afterwards is their own will, and stays.
 */

/** `before` is null of a new case. What it stopped before stays stopped, and what was agreed on since goes on. */
function collectingStopped(env: DecideEnv, before: CaseOfLoans | null, after: CaseOfLoans): readonly FactDraft[] {
  if (!MAY_STOP.has(after.caseType)) return [];
  return loansOf(env, after.personId).flatMap((loan) =>
    stoppedOf(
      loan,
      (payerId) => {
        const bar = barOf(env, after, loan.id, payerId);
        return before !== null && barOf(env, before, loan.id, payerId) !== null ? null : bar;
      },
      after,
    ),
  );
}

const MAY_STOP: ReadonlySet<CaseState['caseType']> = new Set(['bankruptcy', 'deceased']);

/** Why payments are canceled, by what bars them. */
const CANCEL_REASONS: Readonly<Record<CollectingBar, CancelReason>> = { bankruptcy: 'bankruptcy', deceased: 'borrowerDeceased' };

function stoppedOf(
  loan: LoanState,
  barOfPayer: (payerId: string) => CollectingBar | null,
  { id: caseId, personId, fields }: CaseOfLoans,
): readonly FactDraft[] {
  const { zone } = recordOf(loan);
  const filedOn = typeof fields['courtCaseFiledDate'] === 'string' ? parseDay(fields['courtCaseFiledDate']) : undefined;
  const barOfOrder = (instrument: UsedInstrument | null, agreedOn: Day): CollectingBar | null => {
    const bar = barOfPayer(instrument?.personId ?? personId);
    return bar === 'bankruptcy' && filedOn !== undefined && agreedOn > filedOn ? null : bar;
  };
  const plan = livePlan(loan);
  const planBar = plan && barOfOrder(plan.instrument, plan.startDay);
  const ended = plan && planBar ? endPlan(loan, plan, { move: 'cancel', cancelReason: planBar, caseId }) : [];
  const canceled = loan.transactions.scheduled().flatMap((record) => {
    if (!isInternalMoney(record) || isPaidToBorrower(record) || record.autopayPlanId !== null) return [];
    const bar = barOfOrder(record.instrument, dayAt(zone, record.timestamps.createdAt));
    return bar === null ? [] : [moveDraft(record, 'cancel', { cancelReason: CANCEL_REASONS[bar] }, caseId)];
  });
  return [...ended, ...canceled].map((draft) => ({ ...draft, target: { kind: 'loan', id: loan.id } }));
}

/** What bars collecting a loan from somebody's account; null while nothing does. */
function barOf(env: DecideEnv, known: CaseOfLoans, loanId: string, payerId: string): CollectingBar | null {
  const { personId, status } = known;
  if (status === 'deleted' || !isAboutLoan(env, known, loanId)) return null;
  const standing = { ...known, isOpen: !isClosed(status), isOfAnother: payerId !== personId };
  return barToCollecting(standing, env.today(zoneOf(companyOf(env, env.tenant))));
}

/** What a case does to the loans of its borrower, in the batch that opens or changes it. `before` is null of a new case. */
export const doneToLoans = (env: DecideEnv, before: CaseOfLoans | null, after: CaseOfLoans): readonly FactDraft[] => [
  ...collectingStopped(env, before, after),
  ...thresholdsFollow(env, after),
];

/** `POST .../scheduled-calls`. */
export const scheduleCall = onCase('scheduledCall.create', 'work', (context) => {
  const id = context.env.newId('SH');
  return shown(context, id, fact('CallScheduled', { id, ...fieldsOf(context, id, context.body as ScheduleCallRequest, NO_CALL) }));
});

/** `PUT .../scheduled-calls/{id}`. */
export const rescheduleCall = onCase('scheduledCall.update', 'work', (context) => {
  const call = scheduledOf(context);
  return shown(
    context,
    call.id,
    fact('CallRescheduled', { id: call.id, ...fieldsOf(context, call.id, context.body as RescheduleCallRequest, call) }),
  );
});

/** `DELETE .../scheduled-calls/{id}`. */
export const cancelCall = onCase('scheduledCall.delete', 'work', (context) => {
  const { id } = scheduledOf(context);
  return shown(context, id, fact('CallEnded', { id, status: 'canceled' }));
});

const NO_CALL: CallFields = { scheduledAt: 0, contactId: null, timezone: null, instructions: null };

const shown = ({ state, env }: Context, id: string, draft: FactDraft): Decision<CaseState> =>
  decided(state.personId, [draft], (after) => callView(after, itemOf(after.calls, id, 'scheduled call'), env));

function scheduledOf({ state, command }: Context): ScheduledCall {
  const call = itemOf(state.calls, command.params['scheduledCallId'], 'scheduled call');
  return call.status === 'scheduled' ? call : refuse('invalidState', `The call ${call.id} is ${call.status}.`);
}

function fieldsOf({ state, env }: Context, id: string, body: RescheduleCallRequest, before: CallFields): CallFields {
  const { contactId = before.contactId, timezone = before.timezone, instructions } = body;
  const scheduledAt = body.scheduledAt === undefined ? before.scheduledAt : millisecondsOf(body.scheduledAt);
  if (scheduledAt !== before.scheduledAt && scheduledAt <= env.now)
    refuseProperty('scheduledAt', 'a future date-time', '`scheduledAt` must be in the future.');
  checkTimezone(timezone);
  const contact =
    contactId === null || contactId === before.contactId
      ? null
      : (contactOf(personOf(env, state.personId), contactId) ?? wrongId('contactId', 'a contact', contactId));
  if (contact !== null && contact.contactType !== 'phone')
    refuseProperty('contactId', 'a phone contact of the borrower', '`contactId` must be a phone contact of the borrower.');
  return {
    scheduledAt,
    timezone,
    contactId: contact?.id ?? contactId,
    instructions:
      instructions === undefined ? before.instructions : sealText(env, { personId: state.personId, place: 'call', id }, instructions),
  };
}
