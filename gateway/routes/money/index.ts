import type { ContentStore } from '../../documents/content-store.js';
import type { Lookups } from '../../lookups.js';
import type { Renderer } from '../../rendering/renderer.js';
import type { Route } from '../../routing/route.js';
import { achFileRoutes } from './ach-files.js';
import { autopayRoutes } from './autopay.js';
import { bankStatementRoutes } from './bank-statements.js';
import { cardRoutes } from './cards.js';
import { chargebackRoutes } from './chargebacks.js';
import { creditReportingRoutes } from './credit-reporting.js';
import { operationRoutes } from './operations.js';
import { payoffLetterRoutes } from './payoff-letter.js';
import { reconciliationRoutes } from './reconciliations.js';
import { statementRoutes } from './statements.js';
import { transactionRoutes } from './transactions.js';
import { utilityRoutes } from './utilities.js';

/** The outside parts that routes of money use. */
interface MoneyOutside {
  readonly lookups: Lookups;
  readonly contents: ContentStore;
  readonly renderer: Renderer;
}

/** Payments, chargebacks, autopay, statements, operations, and calculators. */
export const moneyRoutes = ({ lookups, contents, renderer }: MoneyOutside): readonly Route[] => [
  ...transactionRoutes,
  ...chargebackRoutes,
  ...autopayRoutes,
  ...statementRoutes(renderer),
  ...payoffLetterRoutes(contents, renderer),
  ...operationRoutes,
  ...utilityRoutes(lookups),
  ...achFileRoutes(contents),
  ...reconciliationRoutes,
  ...bankStatementRoutes(contents, renderer),
  ...cardRoutes,
  ...creditReportingRoutes(contents),
];
