import { formatDay } from '../../../engine/index.js';
import { ALL_ROWS, type CatalogRow, type QueryOf, type QuerySpec } from '../../kernel/actor.js';
import { listedActors } from '../../kernel/lists/listed-actors.js';
import type { ListResult } from '../../wire.js';
import { RECONCILIATION, type ReconciliationState, requireRecorded } from './reconciliation.js';
import type {
  CardResultsQuery,
  KeptCardResults,
  KnownDifferencesQuery,
  OpenDifferences,
  OpenReconciliationBody,
  ReconciliationListQuery,
} from './requests.js';
import { reconciliationView } from './view.js';

export const reconciliationQueries: readonly QuerySpec<ReconciliationState>[] = [
  { kind: RECONCILIATION, type: 'reconciliation.get', on: 'target', read: ({ state }) => reconciliationView(requireRecorded(state)) },
  {
    kind: RECONCILIATION,
    type: 'reconciliation.list',
    on: 'tenant',
    read({ query: { paymentProcessorId, status, fromDate, toDate, ...page }, env }: QueryOf<ReconciliationListQuery>): ListResult {
      const matches = ({ parentId, fields }: CatalogRow): boolean =>
        (paymentProcessorId === undefined || parentId === paymentProcessorId) &&
        (status === undefined || fields['status'] === status) &&
        (fromDate === undefined || String(fields['date']) >= fromDate) &&
        (toDate === undefined || String(fields['date']) <= toDate);
      return listedActors(env, RECONCILIATION, { ...page, matches }, reconciliationView);
    },
  },
  {
    kind: RECONCILIATION,
    type: 'reconciliation.openKeys',
    on: 'company',
    read({ query: { processorId }, env }: QueryOf<{ readonly processorId: string }>): readonly OpenDifferences[] {
      const { rows } = env.listAll(RECONCILIATION, {
        matches: ({ parentId, fields }) => parentId === processorId && fields['status'] === 'differences',
        limit: ALL_ROWS,
      });
      return rows.flatMap(({ id }) => {
        const items = env.stateOf<ReconciliationState>(RECONCILIATION, id)?.items ?? [];
        return [{ id, keys: items.filter(({ resolvedAt }) => resolvedAt === null).map(({ key }) => key) }];
      });
    },
  },
  {
    kind: RECONCILIATION,
    type: 'reconciliation.knownKeys',
    on: 'company',
    read({ query: { processorId, from, keys }, env }: QueryOf<KnownDifferencesQuery>): readonly string[] {
      const { rows } = env.listAll(RECONCILIATION, {
        matches: ({ parentId, fields }) =>
          parentId === processorId && fields['status'] !== 'matched' && String(fields['date']) >= formatDay(from),
        limit: ALL_ROWS,
      });
      const asked = new Set(keys);
      const items = rows.flatMap(({ id }) => env.stateOf<ReconciliationState>(RECONCILIATION, id)?.items ?? []);
      return items.map(({ key }) => key).filter((key) => asked.has(key));
    },
  },
  {
    kind: RECONCILIATION,
    type: 'reconciliation.cardResults',
    on: 'company',
    read({ query: { processorId, from }, env }: QueryOf<CardResultsQuery>): readonly KeptCardResults[] {
      const { rows } = env.listAll(RECONCILIATION, {
        matches: ({ parentId, fields }) =>
          parentId === processorId && fields['hasCardResults'] === true && (from === null || String(fields['date']) >= formatDay(from)),
        limit: ALL_ROWS,
      });
      const byDay = [...rows].sort((a, b) => (String(a.fields['date']) < String(b.fields['date']) ? -1 : 1));
      return (from === null ? byDay.slice(-1) : byDay).flatMap(({ id }) => {
        const { day = null, cardResults } = env.stateOf<ReconciliationState>(RECONCILIATION, id) ?? {};
        return day === null || cardResults === undefined ? [] : [{ id, day, ...cardResults }];
      });
    },
  },
  {
    kind: RECONCILIATION,
    type: 'reconciliation.ofDay',
    on: 'company',
    read({ query: { processorId, day }, env }: QueryOf<OpenReconciliationBody>): { readonly id: string | null } {
      const { rows } = env.listAll(RECONCILIATION, {
        matches: ({ parentId, fields }) => parentId === processorId && fields['date'] === formatDay(day),
        limit: 1,
      });
      return { id: rows[0]?.id ?? null };
    },
  },
];
