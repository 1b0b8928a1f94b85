export { reconciliationCommands } from './decide.js';
export { reconciliationQueries } from './queries.js';
export { type Difference, NOTHING_KNOWN, RECONCILIATION, reconciliationDefinition, type ReconciliationState } from './reconciliation.js';
export type {
  CardResultsBody,
  CardResultsQuery,
  DifferencesBody,
  KeptCardResults,
  KnownDifferencesQuery,
  OpenDifferences,
  OpenReconciliationBody,
  ReconciliationListQuery,
  ResolveReconciliationRequest,
} from './requests.js';
export type { BankReconciliationView } from './view.js';
