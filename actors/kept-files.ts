import { LOAN_TAPE_RETENTION } from './company/index.js';
import { CAMPAIGN_RUN_RETENTION } from './contact/index.js';
import type { Retention } from './kernel/retention.js';
import { CREDIT_FILE_RETENTION } from './loan/index.js';
import { ACH_FILE_RETENTION, BANK_STATEMENT_RETENTION } from './money/index.js';

/**
 * All files that name borrowers, and how long each is kept: docs/data.md. Settlements and files of the books have ids and amounts alone,
 * and stay as long as the accounts.
 */
export const KEPT_FILES: readonly Pick<Retention, 'kind' | 'keptDays'>[] = [
  ACH_FILE_RETENTION,
  BANK_STATEMENT_RETENTION,
  CREDIT_FILE_RETENTION,
  LOAN_TAPE_RETENTION,
  CAMPAIGN_RUN_RETENTION,
];
