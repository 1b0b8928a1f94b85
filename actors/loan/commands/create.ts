import { companyOf, zoneOf } from '../../company/index.js';
import { type Fault, refuse } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import { cardOfNewLoan } from '../cards/index.js';
import { RESERVED_IDS } from '../derived-ids.js';
import type { LoanCreated } from '../facts.js';
import { preparation } from '../migration/line/history.js';
import { firstMigration, migrationFaults } from '../migration/migration.js';
import { firstTimestamps, originationFaults, readOrigination } from '../origination/read.js';
import type { CreateLoanRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { loanView } from '../views/loan.js';
import {
  addressReader,
  checkExternalId,
  checkLabels,
  checkPeople,
  declineFaults,
  ownersOfNewLoan,
  readDeclineReason,
  withMerchantIds,
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
    const read = readOrigination(withMerchantIds(references, request.atOrigination), addressReader(references, id, checks));
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
