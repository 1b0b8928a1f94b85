export { type AchReading, isUsable, readAch } from './checks.js';
export { type AchAccount, codeOf, serviceClassOf, transactionCode, type TransactionCode } from './codes.js';
export { RECORD_LENGTH, shortDate } from './fields.js';
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
  type Totals as AchTotals,
  totalsOf as achTotalsOf,
  writeAch,
} from './file.js';
export type { Addenda, BatchHeader, EntryRecord, FileHeader } from './layouts.js';
export { type AchFault, achFileOf, type FoundBatch, type FoundEntry, MAX_ACH_CHARACTERS } from './reader.js';
export {
  correctionOf,
  type CorrectedAccount,
  isKnownReturnCode,
  RETURN_CODES,
  type ReturnCode,
  type ReturnConsequence,
} from './returns.js';
export {
  effectiveEntryDay,
  isInSameDayWindow,
  isLateReturn,
  lastReturnDay,
  mayRepresent,
  REPRESENTMENT_DAYS,
  RETRY_DESCRIPTION,
  SAME_DAY_LIMIT_CENTS,
  SAME_DAY_ZONE,
  settlementDayOf,
} from './timing.js';
