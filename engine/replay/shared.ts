/** The door for the ledger of lines of credit: what both ledgers are built of. Everybody else takes `index.ts`. */
export { earliest, NEVER, nextEnforcementDay, nextLateFeeDay, nextSettingsDay, thresholdDay } from './coming-days.js';
export {
  accruedOf,
  centsOfInterest,
  compoundedInterest,
  type Interest,
  isMore,
  isSame,
  isZero,
  plusCents,
  minus,
  minusCents,
  NO_INTEREST,
  plus,
  roundedCents,
  simpleInterest,
} from './interest.js';
export { clearBalances, moveAllToDue, moveDueToOverdue, moveToChargedOff, takeInterest, takePrincipal } from './balances.js';
export { inOrder, sortsLast } from './fact-order.js';
export { blockOf, interestAndFeesOf, paidOf, sumOfBlocks } from './read-balances.js';
export { fixedView, overdueView } from './read-obligations.js';
export type { NextDue } from './next-due.js';
export { type Compared, netDifferences } from './differences.js';
export { mixFee, mixObligation, mixPayment, mixStandings, STATUS_NUMBERS } from './digest.js';
export { Mixer, NOTHING_DIGESTED } from './mixer.js';
export { settlePayment } from './settle-payment.js';
export { isWaivedAsOf } from './waivers.js';
export { isReversed, type Retouching, retouching, settledInTime } from './retouch.js';
export { accountOfFee, accountOfOriginationFee, type Accounts, addAmount, changedLines, withCounterLine } from './derived-entry.js';
export { beginStep, FIRST_USER_SECOND, JOB_TIMES } from './clock.js';
export { feeState, type NewFee } from './fees.js';
export {
  adoptDay,
  advanceFirstOpen,
  askForMore,
  closeObligation,
  fulfilByCapitalization,
  fulfilWithoutLateFees,
  meet,
  obligationChanged,
  toleratedWithoutLateFees,
} from './fulfil.js';
export { yearEndAfter } from './accrue.js';
export { NO_ORDERS } from './start.js';
export {
  capitalizing,
  enforcedToday,
  enforcementDay,
  followOverdue,
  hasDue,
  overdueCents,
  passEnforced,
} from './overdue.js';
export { assignCounted, type Counted, type WatchedPart } from './count-in-order.js';
export { paidOverCents, paidOverParts } from './paid-over.js';
export { keepAllocation } from './record.js';
export { holds } from './rules.js';
export { adoptSettings, settingsOf } from './settings.js';
export { changeStatus, checkThresholdsOf, replaceObligations, wholeObligation } from './status.js';
export { bookLateFeesIn, largestLateFeeIn, lateFeesNow } from './late-fees.js';
export { pauseObligations } from './freeze.js';
export { areThresholdsHeld, holdThresholds, releaseThresholds } from './hold-thresholds.js';
export { idleDaysOf } from './hindsight.js';
export { withoutIdleDays } from './idle-days.js';
