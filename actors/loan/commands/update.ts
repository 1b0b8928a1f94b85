import { resolveId } from '../../kernel/any-id.js';
import { companyOf } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec } from '../../kernel/actor.js';
import { recordOf, refuseStatus, statusOf, todayOf } from '../context.js';
import type { LoanUpdated } from '../facts.js';
import { loanChart, type LoanMove, mayMove } from '../machine.js';
import { preparationLater } from '../migration/line/static-draw.js';
import { changedMigration } from '../migration/read-terms.js';
import type { UpdateLoanRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { loanView } from '../views/loan.js';
import { type Checked, checkLoanType, refuseFaults } from './check-terms.js';
import { beginAction } from './order.js';
import { checkExternalId, checkLabels, checkPeople, readDeclineReason, type References, requireDeclineReason } from './references.js';
import { changedTerms } from './update-terms.js';

export interface UpdateLoanQuery {
  readonly validate?: boolean;
  readonly force?: boolean;
}

/** `PUT L`: absent fields are untouched, null clears; what may change depends on the status. */
export const updateLoan: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.update',
  place: { on: 'target' },
  decide(context) {
    const { state, env } = context;
    const request = beginAction<UpdateLoanRequest>(context, 'update');
    const record = recordOf(state);
    refuseImmutable(context, request);
    const references = { env, tenant: env.tenant, personId: record.personId, company: companyOf(env, env.tenant) };
    const checks: Checked[] = [];
    const body: LoanUpdated = {
      ...plainChanges(request),
      ...statusChange(context, request),
      ...productChange(context, request),
      ...closedChange(context, request),
      ...referenceChanges(context, request, references, checks),
      ...changedTerms(context, request, references, checks),
    };
    refuseFaults(checks);
    if (body.status !== undefined || body.declineReason !== undefined) requireDeclineReason(record, body);
    if (request.externalId !== record.externalId) checkExternalId(references, request.externalId);
    const changed = differing(record, body);
    const migration = changedMigration(state, request.migration, todayOf(env, state));
    return {
      facts: [
        ...(Object.keys(changed).length === 0 ? [] : [{ type: 'LoanUpdated', body: changed }]),
        ...(migration === null ? [] : preparationLater(state, env, migration)),
      ],
      preview: request.previewMode === true,
      reply: (after) => ({ data: loanView(after, env), sealedFor: record.personId }),
    };
  },
};

/** Sending a loan back as it was read is no fault; another kind of loan or another borrower is one. */
function refuseImmutable({ state, env }: CommandContext<LoanState>, { type, mainBorrowerId }: UpdateLoanRequest): void {
  const record = recordOf(state);
  if (type !== undefined && type !== record.type) refuseProperty('type', record.type, 'The type of a loan is immutable.');
  if (mainBorrowerId == null || resolveId(env, state.tenant, 'person', mainBorrowerId) === record.personId) return;
  refuseProperty('mainBorrowerId', record.personId, 'A loan stays with its main borrower.');
}

/** Fields that stay editable in every status. */
function plainChanges(request: UpdateLoanRequest): LoanUpdated {
  const { externalId, servicedBy, newDrawsAllowed, nickname, muteLoanNotices } = request;
  const metaData = request.metaData === undefined ? request.metadata : request.metaData;
  return {
    ...(externalId === undefined ? {} : { externalId }),
    ...(servicedBy === undefined ? {} : { servicedBy }),
    ...(newDrawsAllowed === undefined ? {} : { newDrawsAllowed }),
    ...(nickname === undefined ? {} : { nickname }),
    ...(muteLoanNotices === undefined ? {} : { muteLoanNotices }),
    ...(metaData === undefined ? {} : { metaData }),
    ...(request.declineReason === undefined ? {} : { declineReason: readDeclineReason(request.declineReason) }),
  };
}

function referenceChanges(
  { state, env }: CommandContext<LoanState>,
  request: UpdateLoanRequest,
  references: References,
  checks: Checked[],
): LoanUpdated {
  const { labels, additionalPeople } = request;
  const standing = { known: recordOf(state).additionalPeople, today: todayOf(env, state) };
  return {
    ...(labels === undefined ? {} : { labels: checkLabels(references, labels ?? [], checks) }),
    ...(additionalPeople === undefined ? {} : { additionalPeople: checkPeople(references, additionalPeople ?? [], standing, checks) }),
  };
}

/** What an update may order by naming the status that it leads to. */
const BY_UPDATE: ReadonlySet<LoanMove> = new Set<LoanMove>(['originate', 'decline', 'reopen']);

/** Through an update a status only goes from pending on, or back to it by force; every other move has its action. */
function statusChange({ state, command }: CommandContext<LoanState>, request: UpdateLoanRequest): LoanUpdated {
  const status = statusOf(state);
  const { force = false } = (command.query ?? {}) as UpdateLoanQuery;
  const reason = chargeOffReason(state, request);
  if (request.status === undefined || request.status === status) return reason;
  const move = loanChart.moveBetween(status, request.status);
  if (move === undefined || !BY_UPDATE.has(move) || (move === 'reopen' && !force)) {
    return refuse('invalidState', `The loan is ${status}: an update does not make it ${request.status}.`, {
      errors: [{ path: 'status', expected: 'originated or declined, from pending', message: `the loan is ${status}` }],
    });
  }
  // A declined loan frees its external ids, as a canceled one does.
  return { ...reason, status: request.status, ...(request.status === 'declined' ? { areExternalIdsFree: true } : {}) };
}

function chargeOffReason(state: LoanState, { chargedOffReason }: UpdateLoanRequest): LoanUpdated {
  if (chargedOffReason == null) return {};
  if (!mayMove(statusOf(state), 'explainChargeOff')) refuseStatus(state, ['chargedOff']);
  return { chargedOffReason };
}

function productChange({ state, env }: CommandContext<LoanState>, { loanTypeId }: UpdateLoanRequest): LoanUpdated {
  const record = recordOf(state);
  if (loanTypeId === undefined || loanTypeId === record.loanTypeId) return {};
  if (!mayMove(statusOf(state), 'changeTerms'))
    refuseProperty('loanTypeId', record.loanTypeId, 'The loan type changes only while the loan is pending.');
  const { id, assetType, assetDisplayName } = checkLoanType(companyOf(env, env.tenant), loanTypeId, record.type);
  return { loanTypeId: id, assetType, assetDisplayName };
}

function closedChange({ state }: CommandContext<LoanState>, { isClosed }: UpdateLoanRequest): LoanUpdated {
  const record = recordOf(state);
  if (isClosed === undefined || isClosed === record.isClosed) return {};
  if (!mayMove(statusOf(state), 'changeTerms'))
    refuseProperty('isClosed', String(record.isClosed), 'A loan that is not pending is closed by its own action.');
  return { isClosed };
}

/** What an update would leave as it is does not count as changed. */
function differing(before: object, body: LoanUpdated): LoanUpdated {
  const known = before as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(body).filter(([key, value]) => JSON.stringify(known[key]) !== JSON.stringify(value)));
}
