import type { tags } from 'typia';
import { civil } from '../../../engine/index.js';
import { pageOf, type PageQuery, sorted, type SortKeys } from '../../page.js';
import type { QueryContext, QuerySpec } from '../../kernel/actor.js';
import type { ListResult } from '../../wire.js';
import { activationOf, requirePerson } from '../context.js';
import { findDraw } from '../draws/find.js';
import type { LoanState } from '../state.js';
import { statementDocument } from './document.js';
import { statementOf } from './find.js';
import type { StatementRecord } from './record.js';
import { drawInfos, statementActivities, statementDetails, statementReply } from './view.js';
import type { StatementActivityReply, StatementDetailsReply, StatementReply } from './view-types.js';

export interface ListStatementsQuery extends PageQuery {
  readonly sortBy?: readonly string[];
  /** Of the statement date. */
  readonly year?: number & tags.Type<'uint32'> & tags.Minimum<1900> & tags.Maximum<2299>;
  readonly includeAllVersions?: boolean;
  readonly includeTestVersions?: boolean;
}

export interface StatementActivitiesQuery extends PageQuery {
  readonly drawId?: string;
}

export interface StatementDocumentQuery {
  readonly contentType?: 'html';
}

const SORT_KEYS: SortKeys<StatementRecord> = {
  createdAt: ({ createdAt }) => createdAt,
  statementDate: ({ statementDay }) => statementDay,
  paymentDueDate: ({ dueDay }) => dueDay,
  version: ({ version }) => version,
};

/** `GET L/statements`, newest first; of each period the version that counts, unless all are asked for. */
export const listStatements: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'statement.list',
  on: 'target',
  read({ state, env, query, request }): ListResult {
    requirePerson(state, request.params['personId'], env);
    const { sortBy = [], year, includeAllVersions = false, includeTestVersions = false, ...page } = (query ?? {}) as ListStatementsQuery;
    const known = activationOf(state)?.statements ?? [];
    const isNewest = (statement: StatementRecord): boolean =>
      !known.some(
        ({ period, isTest, version }) => period === statement.period && isTest === statement.isTest && version > statement.version,
      );
    const found = known.filter(
      (statement) =>
        (year === undefined || civil(statement.statementDay).year === year) &&
        (includeTestVersions || !statement.isTest) &&
        (includeAllVersions || isNewest(statement)),
    );
    const newestFirst = [...found].sort((a, b) => b.dueDay - a.dueDay || b.version - a.version);
    return pageOf(sorted(newestFirst, sortBy, SORT_KEYS), page, (statement) => statementReply(state, env, statement));
  },
};

type Context = QueryContext<LoanState>;

function statementAsked({ state, env, request }: Context): StatementRecord {
  requirePerson(state, request.params['personId'], env);
  return statementOf(state, request.params['statementId']);
}

export const getStatement: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'statement.get',
  on: 'target',
  read: (context): StatementReply => statementReply(context.state, context.env, statementAsked(context)),
};

export const getStatementDetails: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'statement.details',
  on: 'target',
  read: (context): StatementDetailsReply => statementDetails(context.state, context.env, statementAsked(context)),
};

/** `GET L/statements/{statementId}/activities`: all of them, or those of one draw. */
export const listStatementActivities: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'statement.activities',
  on: 'target',
  read(context): ListResult {
    const { drawId, ...page } = (context.query ?? {}) as StatementActivitiesQuery;
    const statement = statementAsked(context);
    const draw = drawId === undefined ? undefined : findDraw(context.state, drawId);
    const isAsked = (activity: StatementActivityReply): boolean =>
      drawId === undefined || (draw !== undefined && activity.drawId === draw.id);
    return pageOf(statementActivities(context.state, statement).filter(isAsked), page, (activity) => activity);
  },
};

export const listDrawInfos: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'statement.drawInfos',
  on: 'target',
  read(context): ListResult {
    return pageOf(drawInfos(context.state, statementAsked(context)), (context.query ?? {}) as PageQuery, (info) => info);
  },
};

export const getStatementDocument: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'statement.document',
  on: 'target',
  read: (context): string => statementDocument(statementDetails(context.state, context.env, statementAsked(context))),
};
