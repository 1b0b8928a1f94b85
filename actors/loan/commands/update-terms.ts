import { companyOf } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import { isPermitted } from '../../permission.js';
import type { CommandContext } from '../../kernel/actor.js';
import { toJsonText } from '../../wire.js';
import { recordOf, statusOf, todayOf } from '../context.js';
import type { LoanUpdated } from '../facts.js';
import type { Origination } from '../origination/terms.js';
import { mayMove } from '../machine.js';
import { originationFaults, readOrigination } from '../origination/read.js';
import type { OriginationRequest, UpdateLoanRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { originationView } from '../views/origination.js';
import { type Checked, checkLoanType, checkTerms } from './check-terms.js';
import { addressReader, type References } from './references.js';
import type { UpdateLoanQuery } from './update.js';

/** The permission that changes the terms of an originated loan, with `force`. */
export const FORCE_PERMISSION = 'loan:update.force';

/**
 * `atOrigination` of an update: free while pending, read-only afterwards. Sending it unchanged is no change;
 * `force` with its permission changes it before activation.
 */
export function changedTerms(
  context: CommandContext<LoanState>,
  request: UpdateLoanRequest,
  references: References,
  checks: Checked[],
): LoanUpdated {
  if (request.atOrigination === undefined) return {};
  const { state, env } = context;
  const known = asRequest(state, context);
  const merged = { ...known, ...request.atOrigination };
  if (toJsonText(comparable(merged)) === toJsonText(comparable(known))) return {};
  requireEditable(context);
  const errors = originationFaults(merged, recordOf(state).type, 'atOrigination');
  if (errors.length > 0) refuse('validationError', 'The terms have faults.', { errors });
  const { loanTypeId, type, atOrigination: before } = recordOf(state);
  const read = readOrigination(merged, addressReader(references, state.id, checks));
  const atOrigination = request.atOrigination.card === undefined ? withCardOf(read, before) : read;
  const loanType = checkLoanType(companyOf(env, env.tenant), request.loanTypeId ?? loanTypeId, type);
  checkTerms({ atOrigination, loanType, today: state.migration?.activatedDay ?? todayOf(env, state) }, checks);
  return { atOrigination };
}

/** Of a card a reply shows a part: what was not sent again stays whole. */
const withCardOf = (terms: Origination, { credit: before }: Origination): Origination =>
  terms.credit === undefined || before === undefined ? terms : { ...terms, credit: { ...terms.credit, card: before.card } };

function requireEditable({ state, command }: CommandContext<LoanState>): void {
  const status = statusOf(state);
  if (mayMove(status, 'changeTerms')) return;
  const { force = false } = (command.query ?? {}) as UpdateLoanQuery;
  if (!force || !mayMove(status, 'forceTerms')) {
    refuseProperty('atOrigination', 'the values of origination', `The terms at origination are read-only: the loan is ${status}.`);
  }
  if (!isPermitted(command.permissions, FORCE_PERMISSION)) {
    refuse('permissionDenied', `Changing the terms of an originated loan needs ${FORCE_PERMISSION}.`);
  }
}

/** The stored terms in the form of a request: what the reply shows, read as a client would read it. */
function asRequest(state: LoanState, { env }: CommandContext<LoanState>): OriginationRequest {
  return JSON.parse(toJsonText(originationView(state.id, recordOf(state), env))) as OriginationRequest;
}

/** Days are compared as they are answered. */
function comparable(request: OriginationRequest): object {
  return { ...request, specificDays: request.specificDays?.map(String) ?? null };
}
