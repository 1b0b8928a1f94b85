export { type AchReading, isUsable, readAch, readAchInSteps } from './checks.js';
export { codeOf, transactionCode } from './codes.js';
export {
  type AchBatch,
  type AchEntry,
  type AchFile,
  achText,
  addedTotals,
  batchControlOf,
  fileControlOf,
  HEADER_CONSTANTS,
  serviceClassFor,
  totalsOf as achTotalsOf,
  writeAch,
} from './file.js';
export type { Addenda, FileHeader } from './layouts.js';
export { achFileOf, type FoundEntry } from './reader.js';
export { correctionOf, type CorrectedAccount, isKnownReturnCode, RETURN_CODES } from './returns.js';
export {
  effectiveEntryDay,
  isInSameDayWindow,
  isLateReturn,
  mayRepresent,
  RETRY_DESCRIPTION,
  SAME_DAY_LIMIT_CENTS,
  settlementDayOf,
} from './timing.js';
