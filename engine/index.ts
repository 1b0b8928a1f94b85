export * from './ach/index.js';
export * from './amortization/index.js';
export * from './apr/index.js';
export { assert, Bug, must, RELEASE } from './assert.js';
export { type CardNetwork, hasLuhnDigit, isCardBin, isRoutingNumber, networkOfBin, routingFacts } from './banking.js';
export * from './bank-statements/index.js';
export * from './calendar/index.js';
export * from './communication/index.js';
export * from './compliance/index.js';
export { csvCells, csvLine } from './csv.js';
export * from './html/index.js';
export * from './ledger/core/index.js';
export * from './ledger/scheduled/index.js';
export * from './ledger/line/index.js';
export * from './money/index.js';
export * from './ownership.js';
export { ANYWHERE, areaOfPhone, type PhoneArea, stateNamed, zonesOfState } from './areas.js';
export * from './zip-zones.js';
export * from './rates/index.js';
export { fieldOf, fieldsOf, isRecord, namesOf, ownJson, recordsIn, tableOf, textIn } from './records.js';
export * from './ledger/installment/index.js';
export * as generalLedger from './general-ledger/index.js';
export * as metro2 from './metro2/index.js';
export * from './templates/index.js';
export {
  type Bucket,
  BUCKETS,
  DEFAULT_ACCELERATED_WATERFALL,
  DEFAULT_CHARGED_OFF_WATERFALL,
  DEFAULT_PAYMENT_WATERFALL,
  type DueStatus,
} from './waterfall.js';
