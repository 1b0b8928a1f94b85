import { addMonths, type Day, metro2 } from '../../../engine/index.js';
import { companyOf, creditAgencyOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import { todayOf } from '../context.js';
import type { LoanState } from '../state.js';
import { judgedRecord } from './report.js';
import type { CreditReportingStatus } from './types.js';

/**
 * Refuses a code of the caller with which the final report would be held: by the loan as it is today, and as it will be at the end of the
 * month if nothing happens to it. `proposed`: the reporting as it would be.
 */
export function requireFinalCode(env: DecideEnv, state: LoanState, proposed: CreditReportingStatus): void {
  const { finalStatusCode } = proposed;
  if (finalStatusCode === null) return;
  const today = todayOf(env, state);
  const faults = faultsOn(env, state, proposed, today);
  if (faults.length === 0 || faultsOn(env, state, proposed, metro2.endOfLastMonth(addMonths(today, 1))).length === 0) return;
  refuse(
    'ruleViolation',
    `The loan cannot be reported with the status ${finalStatusCode}: ${faults.map(({ message }) => message).join('; ')}.`,
    {
      errors: faults.map(({ message }) => ({
        path: 'metro2.accountStatusCode',
        expected: 'a code that agrees with the loan, or none',
        message,
      })),
    },
  );
}

/** What the code disagrees with in the record of a day. */
function faultsOn(env: DecideEnv, state: LoanState, proposed: CreditReportingStatus, day: Day): readonly metro2.RecordFault[] {
  const agency = creditAgencyOf(companyOf(env, state.tenant), proposed.creditAgencyId);
  const judged = agency === undefined ? null : judgedRecord(env, state, agency, proposed, day);
  return judged?.faults.filter(({ isBlocking, fields }) => isBlocking && fields.includes('accountStatus')) ?? [];
}
