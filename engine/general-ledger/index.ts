export { type AccountType, type ChartAccount, DEFAULT_CHART, type Role, type Side } from './chart.js';
export { BASES, type Basis, type Dimensions, type Entry, type Line } from './entry.js';
export { DEFAULT_GENERAL_LEDGER_SETTINGS, type GeneralLedgerSettings } from './settings.js';
