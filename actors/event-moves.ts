import { instrumentChart, personChart } from './borrower/index.js';
import { caseChart, TASK_CHART, WORKFLOW_CHART } from './casework/index.js';
import { INTERACTION_CHART } from './contact/index.js';
import type { EventView } from './kernel/events/event-pages.js';
import {
  advanceChart,
  disputeChart,
  drawChart,
  loanChart,
  planChart,
  promiseChart,
  promoChart,
  purchaseChart,
  transactionChart,
} from './loan/index.js';
import type { Chart } from './statechart.js';

/** A move of an object's statechart that an event or a fact reports. */
export interface ReportedMove {
  readonly machine: InspectedMachine;
  readonly id: string;
  /** Possible statuses before the move; empty if they are not known. */
  readonly from: readonly string[];
  readonly to: string;
  /** The context for guards of the statechart, if the next status depends on it. */
  readonly context?: object;
}

interface Inspectable {
  readonly chart: Chart<string, string>;
  /** None: only facts report the moves. */
  readonly eventTypes: readonly string[];
}

/** The machines that can be inspected, with the events that report their moves. */
export const INSPECTED = {
  advance: { chart: advanceChart, eventTypes: ['advance.statuschanged'] },
  case: { chart: caseChart, eventTypes: ['case.changed'] },
  draw: { chart: drawChart, eventTypes: ['loan.statuschanged'] },
  interaction: { chart: INTERACTION_CHART, eventTypes: [] },
  loan: { chart: loanChart, eventTypes: ['loan.created', 'loan.statuschanged'] },
  paymentInstrument: {
    chart: instrumentChart,
    eventTypes: ['payment.instrument.created', 'payment.instrument.deactivated', 'payment.instrument.updated'],
  },
  paymentPlan: { chart: planChart, eventTypes: ['paymentplan.created', 'paymentplan.statuschanged'] },
  person: { chart: personChart, eventTypes: [] },
  promiseToPayPlan: {
    chart: promiseChart,
    eventTypes: ['loan.promiseplan.created', 'loan.promiseplan.current', 'loan.promiseplan.overdue', 'loan.promiseplan.statuschanged'],
  },
  promoProgram: {
    chart: promoChart,
    eventTypes: ['loan.promoprogram.activated', 'loan.promoprogram.created', 'loan.promoprogram.updated'],
  },
  purchase: { chart: purchaseChart, eventTypes: ['purchase.changed', 'purchase.created'] },
  purchaseDispute: { chart: disputeChart, eventTypes: ['purchase.dispute.created', 'purchase.dispute.updated'] },
  task: { chart: TASK_CHART, eventTypes: [] },
  transaction: {
    chart: transactionChart,
    eventTypes: ['payment.failed', 'payment.initiated', 'payment.pending', 'payment.scheduled', 'payment.succeeded'],
  },
  workflow: { chart: WORKFLOW_CHART, eventTypes: [] },
} as const satisfies Readonly<Record<string, Inspectable>>;

export type InspectedMachine = keyof typeof INSPECTED;

export const isInspected = (name: string): name is InspectedMachine => name in INSPECTED;

export const MACHINES: readonly InspectedMachine[] = Object.keys(INSPECTED).filter(isInspected);

/** The fields of events from which a move is read. */
interface Data {
  readonly status?: string;
  readonly oldStatus?: string | null;
  readonly newStatus?: string;
  readonly drawId?: string;
  readonly promoProgramId?: string;
  readonly changeType?: string;
  readonly changes?: readonly { readonly field: string; readonly oldValue: unknown }[];
}

/** The move that an event reports; null if it reports none. */
export function moveOf({ eventType, objectId, data }: Pick<EventView, 'eventType' | 'objectId' | 'data'>): ReportedMove | null {
  const machine = MACHINE_OF.get(eventType);
  if (machine === undefined || !isData(data)) return null;
  if (machine === 'loan' && data.drawId === undefined) return loanMove(objectId, data);
  if (machine === 'promiseToPayPlan') return { machine, id: objectId, ...promiseMove(eventType, data) };
  const from = statusBefore(data);
  const to = data.changeType === 'deleted' ? 'deleted' : statusAfter(data);
  if (machine === 'loan') return { machine: 'draw', id: data.drawId ?? objectId, from, to };
  return { machine, id: data.promoProgramId ?? objectId, from, to };
}

/** Loans and draws share `loan.statuschanged`: the event itself says which it is. */
const MACHINE_OF: ReadonlyMap<string, InspectedMachine> = new Map(
  MACHINES.flatMap((machine) => INSPECTED[machine].eventTypes.map((type): [string, InspectedMachine] => [type, machine])),
);

const isData = (data: unknown): data is Data => typeof data === 'object' && data !== null;

const statusAfter = ({ newStatus, status }: Data): string => newStatus ?? status ?? '';

function statusBefore({ oldStatus, changes = [] }: Data): readonly string[] {
  const before = oldStatus ?? changes.find(({ field }) => field === 'status')?.oldValue;
  return typeof before === 'string' ? [before] : [];
}

/** A paid-off loan that owes money again returns to its former status, which the guards need as context. */
function loanMove(id: string, data: Data): ReportedMove {
  const to = statusAfter(data);
  const move = { machine: 'loan', id, from: statusBefore(data), to } as const;
  return data.oldStatus === 'paidOff' ? { ...move, context: { isFrozen: to === 'frozen', isAccelerated: to === 'accelerated' } } : move;
}

/** An overdue plan has the status `active`. */
function promiseMove(eventType: string, data: Data): Pick<ReportedMove, 'from' | 'to'> {
  if (eventType === 'loan.promiseplan.overdue') return { from: ['active'], to: 'overdue' };
  if (eventType === 'loan.promiseplan.current') return { from: ['overdue'], to: 'active' };
  const before = statusBefore(data);
  return { from: before.includes('active') ? ['active', 'overdue'] : before, to: statusAfter(data) };
}
