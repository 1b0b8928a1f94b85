import type { Day } from '../../../engine/index.js';
import { type CompanyState, type CreditAgencyRecord, creditAgencyOf } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { QueryEnv } from '../../kernel/actor.js';
import type { LoanSelection } from '../mass.js';
import { CREDIT_FILE } from './credit-file.js';
import { loanTypesReporting, missingForHeader } from './header.js';

/* What a file needs, and its preview too. */

export const agencyNamed = (company: CompanyState, anyId: string): CreditAgencyRecord =>
  creditAgencyOf(company, anyId) ?? refuseProperty('creditAgencyId', 'the id of a credit agency', `There is no credit agency ${anyId}.`);

/** Refuses a file while another one for the agency is being made, and one that would lack fields of its header. */
export function requireFile(env: Pick<QueryEnv, 'list'>, company: CompanyState, agency: CreditAgencyRecord, activityDay: Day): void {
  const open = env.list(CREDIT_FILE, {
    limit: 1,
    matches: ({ fields }) => fields['creditAgencyId'] === agency.id && fields['isOpen'] === true,
  }).rows[0];
  if (open !== undefined) refuse('invalidState', `The file ${open.id} for the agency is being made.`);
  const missing = missingForHeader(company, agency, activityDay);
  if (missing.length > 0)
    refuse('ruleViolation', `The loan types that are reported to ${agency.id} lack ${missing.join(', ')}.`, {
      errors: missing.map((path) => ({ path, expected: 'a value in the settings of the loan type', message: 'is missing' })),
    });
}

/** The loans of a file: those that are reported, and those that are enrolled with it. */
export const reportedTo = (company: CompanyState, { id, stored }: CreditAgencyRecord): NonNullable<LoanSelection['reportedTo']> => ({
  creditAgencyId: id,
  orLoanTypes: stored.enrollExistingLoans ? loanTypesReporting(company, id) : [],
});
