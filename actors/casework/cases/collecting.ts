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
import { type CaseOfLoans, isAboutLoan, loansOf } from './documents.js';
import { thresholdsFollow } from './holds.js';
import { isClosed } from './machine.js';
import type { RescheduleCallRequest, ScheduleCallRequest } from './requests.js';
import { activeBlock, type CallFields, type CaseState, type ScheduledCall } from './state.js';
import { callView, sealText } from './view.js';

/** Lists are read whole: no borrower has as many entries. */
const ALL = Number.MAX_SAFE_INTEGER;

/** The cases of a borrower, with their blocks, which outlive them, and the cases of other borrowers about a shared loan. */
export function caseworkAbout(env: ScreenEnv, personId: string, loanIds: readonly string[]): Pick<Situation, 'cases' | 'blocks'> {
  const rows = new Map<string, CatalogRow>();
  for (const parentId of [personId, ...loanIds]) for (const row of env.list('case', { parentId, limit: ALL }).rows) rows.set(row.id, row);
  const states = [...rows.keys()].flatMap((id) => env.read<CaseState>('case', id) ?? []);
  return {
    cases: states.map((state) => screenedCase(env, state, personId, loanIds)),
    blocks: states.filter((state) => state.personId === personId).flatMap(screenedBlocks),
  };
}

function screenedCase(
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
    // If the loan is unknown, a case of the borrower may be about any loan (empty = all), a case of another about its associated loans.
    loanIds: named ?? (isOfAnother ? associated : []),
  };
}

const SERVICE_ID = /^LN-/;

/** The loans that a case names, also by external ids; null if one of the ids is unknown. */
function loansNamed(env: ScreenEnv, anyIds: readonly string[], loanIds: readonly string[]): readonly string[] | null {
  const external = new Map(loanIds.map((id) => [`ext-${env.read<LoanState>('loan', id)?.record?.externalId ?? ''}`, id]));
  const found = anyIds.map((anyId) => (SERVICE_ID.test(anyId) ? anyId : (external.get(anyId) ?? null)));
  return found.includes(null) ? null : found.filter((id) => id !== null);
}

function screenedBlocks(state: CaseState): readonly ScreenedBlock[] {
  const block = activeBlock(state);
  const startDate = parseDay(block?.startDate ?? '');
  if (block === undefined || startDate === undefined) return [];
  const { id, channels, themes, endsAt, daysOfWeek, timesOfDay, timezone, contactLabels } = block;
  return [{ id, channels, themes, startDate, endsAt, daysOfWeek, timesOfDay, timezone, contactLabels }];
}

/*
 * Automatic collection ends when the service learns of a bankruptcy or a death (11 USC 362): autopay and scheduled payments on
 * the accounts that the case protects. It ends in the batch that opens or changes the case, so that no payment comes between. Payments
 * that a borrower agrees to afterwards are voluntary and stay.
 */

/** `before` is null for a new case. Only loans that the change newly protects are affected; later agreements stay. */
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

/** The cancel reason of payments, by what bars the collection. */
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

/** What bars collecting a loan from a payer's account; null if nothing does. */
function barOf(env: DecideEnv, known: CaseOfLoans, loanId: string, payerId: string): CollectingBar | null {
  const { personId, status } = known;
  if (status === 'deleted' || !isAboutLoan(env, known, loanId)) return null;
  const screened = { ...known, isOpen: !isClosed(status), isOfAnother: payerId !== personId };
  return barToCollecting(screened, env.today(zoneOf(companyOf(env, env.tenant))));
}

/** The facts of a case for the loans of its borrower, in the batch that opens or changes it. `before` is null for a new case. */
export const doneToLoans = (env: DecideEnv, before: CaseOfLoans | null, after: CaseOfLoans): readonly FactDraft[] => [
  ...collectingStopped(env, before, after),
  ...thresholdsFollow(env, after),
];

/** `POST .../scheduled-calls`. */
export const scheduleCall = onCase('scheduledCall.create', 'work', (context: Context<ScheduleCallRequest>) => {
  const id = context.env.newId('SH');
  return shown(context, id, fact('CallScheduled', { id, ...fieldsOf(context, id, context.body, NO_CALL) }));
});

/** `PUT .../scheduled-calls/{id}`. */
export const rescheduleCall = onCase('scheduledCall.update', 'work', (context: Context<RescheduleCallRequest>) => {
  const call = scheduledOf(context);
  return shown(context, call.id, fact('CallRescheduled', { id: call.id, ...fieldsOf(context, call.id, context.body, call) }));
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
      instructions === undefined ? before.instructions : sealText(env, { personId: state.personId, part: 'call', id }, instructions),
  };
}
