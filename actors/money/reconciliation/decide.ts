import { assert, formatDay } from '../../../engine/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import {
  type Difference,
  MAX_DIFFERENCES,
  RECONCILIATION,
  type ReconciliationFacts,
  type ReconciliationState,
  requireRecorded,
} from './reconciliation.js';
import type { CardResultsBody, DifferencesBody, OpenReconciliationBody, ResolveReconciliationRequest } from './requests.js';
import { reconciliationView } from './view.js';

export const reconciliationCommands: readonly CommandSpec<ReconciliationState>[] = [
  {
    kind: RECONCILIATION,
    type: 'reconciliation.open',
    place: { on: 'beside', kind: 'company' },
    catchesUp: false,
    decide(context: Context<OpenReconciliationBody>): Decision<ReconciliationState> {
      bySystem(context);
      const { processorId, day } = context.body;
      const date = formatDay(day);
      const { rows } = context.env.list(RECONCILIATION, {
        parentId: processorId,
        matches: ({ fields }) => fields['date'] === date,
        limit: 1,
      });
      if (rows.length > 0) refuse('invalidState', `The reconciliation of ${date} exists.`);
      return { facts: [fact('ReconciliationOpened', { processorId, day })], reply: (after) => ({ data: { id: after.id } }) };
    },
  },
  {
    kind: RECONCILIATION,
    type: 'reconciliation.add',
    place: { on: 'target' },
    catchesUp: false,
    decide(context: Context<DifferencesBody>): Decision<ReconciliationState> {
      bySystem(context);
      return { facts: newOf(context.state, context.body.items), reply: () => ({ data: undefined }) };
    },
  },
  {
    kind: RECONCILIATION,
    type: 'reconciliation.takeCardResults',
    place: { on: 'target' },
    catchesUp: false,
    decide(context: Context<CardResultsBody>): Decision<ReconciliationState> {
      bySystem(context);
      const { state, body } = context;
      const facts = state.cardResults === undefined ? [...newOf(state, body.items), fact('CardResultsTaken', body.results)] : [];
      return { facts, reply: () => ({ data: undefined }) };
    },
  },
  {
    kind: RECONCILIATION,
    type: 'reconciliation.resolve',
    place: { on: 'target' },
    catchesUp: false,
    decide({ state, body: { itemId, resolution } }: Context<ResolveReconciliationRequest>): Decision<ReconciliationState> {
      const { items } = requireRecorded(state);
      const open = items.filter(({ resolvedAt }) => resolvedAt === null);
      const wanted = itemId === undefined ? open : items.filter(({ key }) => key === itemId);
      if (itemId !== undefined && wanted.length === 0)
        refuseProperty('itemId', 'the id of a difference', `There is no difference ${itemId}.`);
      if (wanted.every(({ resolvedAt }) => resolvedAt !== null)) refuse('invalidState', 'There is no open difference to resolve.');
      return {
        facts: [fact('DifferencesResolved', { keys: wanted.map(({ key }) => key), resolution })],
        reply: (after) => ({ data: reconciliationView(after) }),
      };
    },
  },
];

type Context<Body> = CommandContext<ReconciliationState, Body>;

const fact = <Type extends keyof ReconciliationFacts>(type: Type, body: ReconciliationFacts[Type]): FactDraft => ({ type, body });

const newOf = ({ items: kept }: ReconciliationState, items: readonly Difference[]): readonly FactDraft[] => {
  const before = new Set(kept.map(({ key }) => key));
  const found = items.filter(({ key }) => !before.has(key)).slice(0, Math.max(0, MAX_DIFFERENCES - before.size));
  return found.length === 0 ? [] : [fact('DifferencesFound', { items: found })];
};

const bySystem = ({ command }: Context<unknown>): void => assert(command.actor.type === 'system', 'differences are found by the service');
