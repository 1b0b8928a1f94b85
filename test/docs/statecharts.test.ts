import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { test } from 'tap';
import { instrumentMachine, personMachine } from '../../actors/borrower/machine.js';
import { monitoringMachine } from '../../actors/borrower/monitoring/status.js';
import { caseMachine } from '../../actors/casework/cases/machine.js';
import { typeVersionMachine } from '../../actors/kernel/resources/versions/line.js';
import { interactionMachine } from '../../actors/contact/interactions/evolve.js';
import { loanMachine } from '../../actors/loan/machine.js';
import { cardMachine } from '../../actors/loan/cards/machine.js';
import { advanceMachine } from '../../actors/loan/advances/advance.js';
import { autopayMachine } from '../../actors/loan/autopay/evolve.js';
import { chargebackMachine } from '../../actors/loan/transactions/chargebacks/record.js';
import { pastTransactionMachine } from '../../actors/loan/migration/line/history.js';
import { migrationMachine } from '../../actors/loan/migration/migration.js';
import { promoMachine } from '../../actors/loan/promo-programs/program.js';
import { promiseMachine } from '../../actors/loan/promises/evolve.js';
import { planMachine } from '../../actors/loan/modifications/state.js';
import { drawMachine } from '../../actors/loan/draws/draw.js';
import { disputeMachine, purchaseMachine } from '../../actors/loan/purchases/machine.js';
import { transactionMachine } from '../../actors/loan/transactions/machine.js';
import { taskMachine } from '../../actors/casework/tasks/state.js';
import { workflowMachine } from '../../actors/casework/workflows/state.js';
import { checkWrittenPage } from './written-page.js';

interface Machine {
  readonly id: string;
  readonly config: { readonly initial?: unknown };
  readonly states: Readonly<Record<string, { readonly type: string; readonly on: Readonly<Record<string, readonly Transition[]>> }>>;
}

interface Transition {
  readonly target?: readonly { readonly key: string }[] | undefined;
  readonly guard?: unknown;
}

/** The statecharts that are drawn, by the name of their picture. */
const CHARTS: readonly (readonly [name: string, machine: unknown, title: string])[] = [
  ['advance', advanceMachine, 'The life of an advance'],
  ['autopay', autopayMachine, 'The life of an autopay plan'],
  ['case', caseMachine, 'The life of a case'],
  ['card', cardMachine, 'The life of a card of a loan'],
  ['chargeback', chargebackMachine, 'The life of a chargeback'],
  ['interaction', interactionMachine, 'The life of an interaction'],
  ['loan', loanMachine, 'The life of a loan'],
  ['migration', migrationMachine, 'The way of a loan in from another system'],
  ['monitoring', monitoringMachine, 'How a kind of monitoring of a borrower stands'],
  ['past-transaction', pastTransactionMachine, 'The life of a transaction that another system has recorded'],
  ['payment-instrument', instrumentMachine, 'The life of a payment instrument'],
  ['payment-plan', planMachine, 'The life of a payment plan'],
  ['person', personMachine, 'The life of a borrower'],
  ['promise-to-pay-plan', promiseMachine, 'The life of a promise-to-pay plan'],
  ['promo-program', promoMachine, 'The life of a promo program'],
  ['draw', drawMachine, 'The life of a draw'],
  ['purchase', purchaseMachine, 'The life of a purchase'],
  ['purchase-dispute', disputeMachine, 'The life of a purchase dispute'],
  ['task', taskMachine, 'The life of a task'],
  ['transaction', transactionMachine, 'The life of a transaction'],
  ['workflow', workflowMachine, 'The life of a workflow'],
  ['type-version', typeVersionMachine, 'The life of one version of a type'],
];

for (const [name, machine, title] of CHARTS) {
  test(`docs/statecharts/${name}.svg shows ${title.toLowerCase()} as the engine runs it`, async (t) => {
    const graphviz = await Graphviz.load();
    checkWrittenPage(t, `statecharts/${name}.svg`, graphviz.dot(dotOf(machine as Machine)));
  });
}

/** Moves between states are arrows, with several moves in the same direction on one arrow. Moves that keep the state are in its box. */
function dotOf(machine: Machine): string {
  const lines = [
    `digraph ${machine.id} {`,
    '  rankdir=TB; nodesep=0.6; ranksep=0.7;',
    '  node [shape=box, style="rounded,filled", fillcolor="#f4f6fb", color="#44506b", fontname="Helvetica", fontsize=12];',
    '  edge [color="#44506b", fontname="Helvetica", fontsize=10];',
    '  start [shape=circle, label="", width=0.18, style=filled, fillcolor="#44506b"];',
    `  start -> ${String(machine.config.initial)};`,
  ];
  for (const [state, { type, on }] of Object.entries(machine.states)) {
    const staying = Object.entries(on)
      .filter(([, transitions]) => transitions.every(({ target }) => !target))
      .map(([event]) => event);
    const label = staying.length > 0 ? `${state}\\n${wrapped(staying)}` : state;
    lines.push(`  ${state} [label="${label}"${type === 'final' ? ', peripheries=2' : ''}];`);
  }
  for (const [arrow, events] of arrowsOf(machine)) lines.push(`  ${arrow} [label="${events.join('\\n')}"];`);
  return [...lines, '}', ''].join('\n');
}

function arrowsOf(machine: Machine): Map<string, string[]> {
  const arrows = new Map<string, string[]>();
  for (const [state, { on }] of Object.entries(machine.states)) {
    for (const [event, transitions] of Object.entries(on)) {
      for (const { target, guard } of transitions) {
        for (const { key } of target ?? []) {
          const arrow = `${state} -> ${key}`;
          const label = typeof guard === 'string' ? `${event} [${guard}]` : event;
          arrows.set(arrow, [...(arrows.get(arrow) ?? []), label]);
        }
      }
    }
  }
  return arrows;
}

/** Four names a line. */
function wrapped(names: readonly string[]): string {
  const lines: string[] = [];
  for (let index = 0; index < names.length; index += 4) lines.push(names.slice(index, index + 4).join(', '));
  return `(${lines.join(',\\n')})`;
}
