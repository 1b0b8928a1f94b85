import { refuse } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { todayOf } from '../context.js';
import type { LoanState } from '../state.js';
import type { CreditReportingFacts } from './evolve.js';
import { wasReported } from './reportable.js';
import type { AccountStatusCode, CreditReportingStatus } from './types.js';

/** Codes by which a loan that is canceled can end at an agency: it owes nothing, and was never late. */
const ENDING: ReadonlySet<string> = new Set<AccountStatusCode>(['05', '13', 'DA', 'DF']);

/** Refuses a code that a canceled loan cannot be reported with, or none. `path`: where the body has it. */
export function requireEndingCode(code: string | null, path: string): string {
  if (code !== null && ENDING.has(code)) return code;
  const expected = [...ENDING].join(', ');
  return refuse('ruleViolation', `\`${path}\` must be one of ${expected}: the canceled loan was reported to a credit agency.`, {
    errors: [{ path, expected, message: code === null ? 'is missing' : `${code} is no code of a canceled loan` }],
  });
}

interface Canceling {
  readonly code: AccountStatusCode | null;
  readonly caseId: string | null;
}

/** Ends the reporting of a loan that is being canceled, at the agencies that have it on file. A deletion that waits is kept. */
export function reportingCanceled(env: DecideEnv, state: LoanState, { code, caseId }: Canceling): readonly FactDraft[] {
  const open = state.creditReporting.statuses.filter((known) => isOpen(known) && wasReported(state, known));
  if (open.length === 0) return [];
  const finalStatusCode = requireEndingCode(code, 'metro2AccountStatus');
  const endDay = todayOf(env, state);
  return open.map(({ id }) => {
    const ended = { id, endDay, finalStatusCode, caseId };
    if (finalStatusCode !== 'DA' && finalStatusCode !== 'DF')
      return { type: 'CreditReportingStopped', body: ended satisfies CreditReportingFacts['CreditReportingStopped'] };
    const deletedReason = finalStatusCode === 'DF' ? 'fraud' : 'other';
    const body: CreditReportingFacts['CreditReportingDeleted'] = { ...ended, deletedReason, deletedReasonDetails: null };
    return { type: 'CreditReportingDeleted', body };
  });
}

const isOpen = ({ status }: CreditReportingStatus): boolean => status === 'active' || status === 'stopping';
