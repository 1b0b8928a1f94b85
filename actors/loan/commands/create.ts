import type { Day } from '../../../engine/index.js';
import { companyOf, loanLabelOf, zoneOf } from '../../company/index.js';
import { type Fault, refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, DecideEnv, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { dayOfText } from '../../wire.js';
import { planDrafts } from '../advances/advance.js';
import { cardOfNewLoan } from '../cards/index.js';
import { recordOf, todayOf } from '../context.js';
import { RESERVED_IDS } from '../derived-ids.js';
import type { LoanActivated, LoanCreated, LoanUpdated } from '../facts.js';
import { heldAtActivation } from '../ledger/threshold-holds.js';
import { activateLine } from '../line/activate.js';
import { preparation } from '../migration/line/history.js';
import { firstMigration, migrationFaults } from '../migration/migration.js';
import { activationFrom, allowsAdvances, effectiveAtActivation } from '../origination/at-activation.js';
import { firstTimestamps, originationFaults, readOrigination } from '../origination/read.js';
import { originatedPrograms } from '../promo-programs/program.js';
import type { ActionRequest, ActivateLoanRequest, AttachLabelsRequest, CreateLoanRequest } from '../requests.js';
import { merchantDiscountDrafts } from '../payouts/merchant-discount.js';
import type { LoanState } from '../state.js';
import { activationReply, loanView, type ViewEnv } from '../views/loan.js';
import { beginAction, orderReply } from './order.js';
import {
  addressReader,
  checkExternalId,
  checkLabels,
  checkPeople,
  declineFaults,
  ownersOfNewLoan,
  readDeclineReason,
} from './references.js';
import { type Checked, checkLoanType, checkTerms, refuseFaults } from './update.js';

/** `POST /people/{personId}/loans`: the loan is on the shard of its borrower. */
export const createLoan: CommandSpec<LoanState, CreateLoanRequest> = {
  kind: 'loan',
  type: 'loan.create',
  place: { on: 'beside', kind: 'person' },
  decide(context) {
    const { env, id, besideId, body: request } = context;
    const personId = besideId ?? refuse('notFound', 'There is no such borrower.');
    refuseBody([
      ...borrowerFaults(request, personId, context),
      ...declineFaults(request.status, readDeclineReason(request.declineReason)),
      ...migrationFaults(request.migration, request),
      ...originationFaults(request.atOrigination, request.type, 'atOrigination'),
    ]);

    const company = companyOf(env, env.tenant);
    const loanType = checkLoanType(company, request.loanTypeId, request.type);
    const zone = zoneOf(company, loanType);
    const references = { env, tenant: env.tenant, personId, company };
    const checks: Checked[] = [];
    const labels = checkLabels(references, request.labels ?? [], checks);
    const additionalPeople = checkPeople(references, request.additionalPeople ?? [], { known: [], today: env.today(zone) }, checks);
    const read = readOrigination(request.atOrigination, addressReader(references, id, checks));
    const atOrigination = { ...read, investors: ownersOfNewLoan(references, read.investors, checks) };
    const migration = firstMigration(request.migration, request.timestamps, env.today(zone));
    checkTerms({ atOrigination, loanType, today: migration?.terms.activatedDay ?? env.today(zone) }, checks);
    refuseFaults(checks);
    checkExternalId(references, request.externalId);

    const body: LoanCreated = {
      personId,
      loanTypeId: loanType.id,
      type: request.type,
      assetType: loanType.assetType,
      assetDisplayName: loanType.assetDisplayName,
      currency: loanType.currency,
      zone,
      managedByService: loanType.managedByService,
      idBase: env.reserveIds(RESERVED_IDS),
      externalId: request.externalId ?? null,
      status: request.status,
      servicedBy: request.servicedBy,
      newDrawsAllowed: request.newDrawsAllowed,
      nickname: request.nickname ?? null,
      isClosed: request.isClosed ?? false,
      declineReason: readDeclineReason(request.declineReason),
      chargedOffReason: null,
      areExternalIdsFree: request.status === 'declined',
      cancellationReason: null,
      labels,
      additionalPeople,
      metaData: request.metaData ?? null,
      muteLoanNotices: request.muteLoanNotices ?? false,
      atOrigination,
      timestamps: firstTimestamps(env.now, request.status),
    };
    const decision: Decision<LoanState> = {
      facts: [
        { type: 'LoanCreated', body },
        ...cardOfNewLoan(env, request.atOrigination.card),
        ...(migration === null ? [] : preparation(migration, request.type, env)),
      ],
      reply: (after) => ({ data: loanView(after, env), sealedFor: personId }),
    };
    return decision;
  },
};

function borrowerFaults(request: CreateLoanRequest, personId: string, { env, command }: CommandContext<LoanState>): readonly Fault[] {
  const sent = request.mainBorrowerId;
  if (sent == null || sent === personId || sent === command.params['personId']) return [];
  if (sent.startsWith('ext-') && env.findExternal(env.tenant, 'person', sent.slice(4)) === personId) return [];
  return [{ path: 'mainBorrowerId', expected: 'the borrower of the path', message: 'is another borrower' }];
}

/** 400 with every fault that the body shows by itself. */
function refuseBody(errors: readonly Fault[]): void {
  if (errors.length > 0) refuse('validationError', 'The loan is not valid: see `errors`.', { errors });
}

/** `POST L/activate`: interest starts on the activation date. */
export const activateLoan: CommandSpec<LoanState, ActivateLoanRequest> = {
  kind: 'loan',
  type: 'loan.activate',
  place: { on: 'target' },
  decide(context) {
    const { state, env } = context;
    const request = beginAction(context, 'activate');
    const day = activationDay(context, request);
    if (recordOf(state).type === 'lineOfCredit') return activateLine(context, request, day);
    const body = activationFrom(state, env, day, request);
    return {
      facts: [
        { type: 'LoanActivated', body, effective: effectiveAtActivation(env, state, day) },
        ...activationDrafts(state, env, body),
        ...merchantDiscountDrafts(state, env, body),
        ...heldAtActivation(env, state),
      ],
      preview: request.previewMode === true,
      reply: (after) => orderReply(context, request, { data: activationReply(after, env) }),
    };
  },
};

/** What activation makes apart from the ledger: advances and promo programs. */
export function activationDrafts(state: LoanState, env: DecideEnv, { contract: { terms, endDate } }: LoanActivated): readonly FactDraft[] {
  const { activation } = terms;
  return [
    ...(allowsAdvances(state, env) ? planDrafts(state, env, activation) : []),
    ...originatedPrograms(state, env, { activation, lastDue: endDate }),
  ];
}

/** A day other than today only in test mode, and never after today. */
function activationDay({ state, env }: CommandContext<LoanState>, request: ActivateLoanRequest): Day {
  const today = todayOf(env, state);
  if (request.activationDate == null) return today;
  const day = dayOfText(request.activationDate);
  if (day === today) return today;
  if (env.tenant.mode !== 'test')
    refuseProperty('activationDate', 'today', '`activationDate` must be today, except in test mode and for migrations.');
  if (day > today) {
    refuse('ruleViolation', '`activationDate` must not be after today.', {
      errors: [{ path: 'activationDate', expected: 'today or earlier', message: 'is after today' }],
    });
  }
  return day;
}

/** Labels that one loan may carry. */
const MAX_LABELS = 100;

/** `POST L/labels`: adds labels; those that the loan has already stay. */
export const attachLabels: CommandSpec<LoanState, AttachLabelsRequest> = {
  kind: 'loan',
  type: 'loan.attachLabels',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'update');
    const { state, env } = context;
    const company = companyOf(env, env.tenant);
    const checks: Checked[] = [];
    const labels = new Set(recordOf(state).labels);
    request.labelIds.forEach((anyId, index) => {
      const label = loanLabelOf(company, anyId);
      if (label !== undefined) labels.add(label.id);
      else
        checks.push({
          errorType: 'ruleViolation',
          path: `labelIds[${index}]`,
          expected: 'a label of the company',
          message: 'there is no such object',
        });
    });
    refuseFaults(checks);
    if (labels.size > MAX_LABELS) refuse('ruleViolation', `A loan can have at most ${MAX_LABELS} labels.`);
    return labeled(state, env, request, [...labels]);
  },
};

/** `DELETE L/labels/{labelId}`. */
export const detachLabel: CommandSpec<LoanState, ActionRequest> = {
  kind: 'loan',
  type: 'loan.detachLabel',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'update');
    const { state, env, command } = context;
    const asked = command.params['labelId'] ?? '';
    const id = loanLabelOf(companyOf(env, env.tenant), asked)?.id;
    const { labels } = recordOf(state);
    if (id === undefined || !labels.includes(id)) refuse('notFound', `The loan ${state.id} does not have the label ${asked}.`);
    return labeled(
      state,
      env,
      request,
      labels.filter((known) => known !== id),
    );
  },
};

function labeled(state: LoanState, env: ViewEnv, { previewMode }: ActionRequest, labels: readonly string[]): Decision<LoanState> {
  const { labels: before, personId } = recordOf(state);
  const body: LoanUpdated = { labels };
  return {
    facts: labels.length === before.length ? [] : [{ type: 'LoanUpdated', body }],
    preview: previewMode === true,
    reply: (after) => ({ data: loanView(after, env), sealedFor: personId }),
  };
}
