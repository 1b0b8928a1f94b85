export {
  caseNamed,
  caseOfHit,
  courtCaseNumber,
  disputeCaseOpened,
  disputeCasesClosed,
  externalIdsFreed,
  shownCase,
  shownTask,
  taskAbout,
  uploadsReviewed,
  workerOfCase,
} from './answers.js';
export { dailyDeathOfPayer, deathOfHolder, deathOfPayer, PAYMENT_FAILURES } from './bank-returns.js';
export { creditCases, reportsDeath } from './credit-cases.js';
export * from './cases/index.js';
export * from './notes/index.js';
export * from './supercases/index.js';
export * from './tasks/index.js';
export * from './workflows/index.js';
