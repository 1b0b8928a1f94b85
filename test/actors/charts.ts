import { instrumentChart, personChart } from '../../actors/borrower/machine.js';
import { monitoringChart } from '../../actors/borrower/monitoring/status.js';
import { caseChart } from '../../actors/casework/cases/machine.js';
import { TASK_CHART } from '../../actors/casework/tasks/state.js';
import { WORKFLOW_CHART } from '../../actors/casework/workflows/state.js';
import { INTERACTION_CHART } from '../../actors/contact/interactions/evolve.js';
import { VERSION_CHART } from '../../actors/kernel/resources/versions/line.js';
import { advanceChart } from '../../actors/loan/advances/advance.js';
import { autopayChart } from '../../actors/loan/autopay/evolve.js';
import { drawChart } from '../../actors/loan/draws/draw.js';
import { loanChart } from '../../actors/loan/machine.js';
import { pastTransactionChart } from '../../actors/loan/migration/line/history.js';
import { migrationChart } from '../../actors/loan/migration/migration.js';
import { planChart } from '../../actors/loan/modifications/state.js';
import { promiseChart } from '../../actors/loan/promises/evolve.js';
import { promoChart } from '../../actors/loan/promo-programs/program.js';
import { disputeChart, purchaseChart } from '../../actors/loan/purchases/machine.js';
import { chargebackChart } from '../../actors/loan/transactions/chargebacks/record.js';
import { transactionChart } from '../../actors/loan/transactions/machine.js';
import type { Chart } from '../../actors/statechart.js';

/** Every statechart of the engine. */
export const CHARTS: readonly Chart<string, string>[] = [
  advanceChart,
  autopayChart,
  caseChart,
  chargebackChart,
  disputeChart,
  drawChart,
  instrumentChart,
  INTERACTION_CHART,
  loanChart,
  migrationChart,
  monitoringChart,
  pastTransactionChart,
  personChart,
  planChart,
  promiseChart,
  promoChart,
  purchaseChart,
  TASK_CHART,
  transactionChart,
  VERSION_CHART,
  WORKFLOW_CHART,
];
