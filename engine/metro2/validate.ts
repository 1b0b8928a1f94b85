import type { Day } from '../calendar/index.js';
import { type AccountCheck, type Check, type Checked, checkedOf, codes, DISCHARGED, GONE, type MonthCheck } from './check.js';
import { COMMENT_CHECKS } from './comment-checks.js';
import { FIELD_CHECKS } from './field-checks.js';
import { contentFaults } from './file.js';
import { MONTH_CHECKS } from './month-checks.js';
import type { AccountRecord } from './records.js';
import { STATUS_CHECKS } from './status-checks.js';

export const ACCOUNT_CHECKS: readonly AccountCheck[] = [...STATUS_CHECKS, ...FIELD_CHECKS, ...COMMENT_CHECKS];

export { MONTH_CHECKS };

/** Checks that are switched off for an account: taken literally, the list leaves no correct record for some accounts. */
interface Precedence {
  readonly reason: string;
  readonly checks: ReadonlySet<string>;
  applies(account: Checked): boolean;
}

export const PRECEDENCE: readonly Precedence[] = [
  {
    reason: 'the account is with another company: the checks of the comment decide',
    checks: codes(
      'Status-APD-2 Status-APD-3 Status-Balance-2 Status-Balance-3 Status-Balance-4 Status-Balance-5 Status-Balance-6 Status-Balance-7 ' +
        'Status-DateClosed-2 Status-SMPA-2 Status-SMPA-3 Status-SMPA-4 Rating-APD-2',
    ),
    applies: ({ comment }) => GONE.has(comment),
  },
  {
    reason: 'a transferred account has no balance',
    checks: codes('Status-Balance-8 Status-Balance-9'),
    applies: ({ status }) => status === '05',
  },
  {
    reason: 'a claim is filed for a balance',
    checks: codes('Status-Balance-10'),
    applies: ({ status }) => status === '88',
  },
  {
    reason: 'a secured line of credit is a line',
    checks: codes('Type-CreditLimit-1 Type-HCOLA-1'),
    applies: ({ type }) => type === '47',
  },
  {
    reason: 'an account that the lender has closed may still be owed',
    checks: codes('Status-DateClosed-2 Balance-DateClosed-1'),
    applies: ({ comment }) => comment === 'M',
  },
  {
    reason: 'after a foreclosure a balance may be left',
    checks: codes('Balance-DateClosed-1'),
    applies: ({ status }) => status === '89' || status === '94',
  },
  {
    reason: 'the date of first delinquency is that of the petition',
    checks: codes('Status-DOFD-2 PROG-DOFD-3'),
    applies: ({ indicators }) => indicators.length > 0,
  },
  {
    reason: 'after a discharge nothing is owed',
    checks: codes(
      'Status-APD-2 Status-APD-3 Status-Balance-2 Status-Balance-3 Status-Balance-4 Status-Balance-5 Status-Balance-6 Status-Balance-7 ' +
        'Status-Balance-8 Status-Balance-9 Balance-DateClosed-2 Status-PaymentAmount-1 Status-SMPA-2 Status-SMPA-3 Status-SMPA-4 ' +
        'Rating-APD-2 SCC-APD-2 SCC-Balance-2',
    ),
    applies: ({ indicators }) => indicators.some((code) => DISCHARGED.has(code)),
  },
];

/** Why a record must not be sent, or what to know of one that is. */
export interface RecordFault {
  /** Id of the check; `content` for a field that the file cannot hold. */
  readonly check: string;
  readonly fields: readonly string[];
  readonly message: string;
  /** False: a warning. The record is sent, and the reason kept. */
  readonly isBlocking: boolean;
}

interface ToValidate {
  readonly activityDate: Day;
  readonly account: AccountRecord;
  /** What was sent of the loan one month before; null for the first record and after a gap. */
  readonly before: { readonly activityDate: Day; readonly account: AccountRecord } | null;
  /** Whether the record corrects an error of earlier ones: changes from month to month are then no faults. */
  readonly isCorrection: boolean;
}

/** Everything that is wrong with a record, and all warnings. */
export function validateRecord({ activityDate, account, before, isCorrection }: ToValidate): readonly RecordFault[] {
  const faults: RecordFault[] = contentFaults(account).map(({ field, message }) => ({
    check: 'content',
    fields: [field],
    message: `${field} ${message}`,
    isBlocking: true,
  }));
  const checked = checkedOf(activityDate, account);
  const off = PRECEDENCE.filter((row) => row.applies(checked));
  const isOff = ({ id, use }: Check): boolean => use === 'off' || off.some(({ checks }) => checks.has(id));
  const met = (check: Check): RecordFault => ({
    check: check.id,
    fields: check.fields,
    message: check.message,
    isBlocking: check.use !== 'warn',
  });
  for (const check of ACCOUNT_CHECKS) if (check.isWrong(checked) && !isOff(check)) faults.push(met(check));
  if (before === null) return faults;
  const last = checkedOf(before.activityDate, before.account);
  const isCorrected = ({ use }: MonthCheck): boolean => isCorrection && use === 'unless';
  for (const check of MONTH_CHECKS) if (check.isWrong(checked, last) && !isOff(check) && !isCorrected(check)) faults.push(met(check));
  return faults;
}
