export { readBai2 } from './bai2.js';
export { readCamt053 } from './camt053.js';
export { type StatementCsvMapping } from './csv.js';
export { type BookedMoney, ExpectedIndex, type ExpectedMoney, isMissingOn } from './matching.js';
export { readMt940 } from './mt940.js';
export { type AccountEntry, type AccountMismatch, type AccountStatement, statementOfAccount } from './of-account.js';
export { readBankStatement, type StatementOrder } from './read.js';
export { STATEMENT_FAULTS, type StatementFault, type StatementFormat, type StatementReading } from './statement.js';
