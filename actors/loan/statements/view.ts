import type { tags } from 'typia';
import { civil, type MinimumPaymentWarning, ZERO, rate, cents, tableOf } from '../../../engine/index.js';
import type { EvolveEnv, QueryContext, QuerySpec } from '../../kernel/actor.js';
import { matching, pageOf, type PageQuery, sorted, type SortKeys } from '../../list-order.js';
import { amount, dateText, dateTimeText, type ListResult, orNull, rateValue } from '../../wire.js';
import { activationOf, recordOf, requirePerson } from '../context.js';
import { periodId } from '../derived-ids.js';
import { drawIdOf, findDraw } from '../draws/draw.js';
import type { LoanState } from '../state.js';
import { addressAtOrigination } from '../views/origination.js';
import { statementDocument, statementOf } from './evolve.js';
import { descriptionsOf, type Figure, FIGURES, figuresOf, type StatementRecord } from './record.js';
import type { DrawInfoReply, MinimumPaymentWarningReply, StatementActivityReply, StatementDetailsReply, StatementReply } from './types.js';

export function statementReply(state: LoanState, env: EvolveEnv, statement: StatementRecord): StatementReply {
  const figures = figuresOf(statement);
  return {
    object: 'statement',
    id: statement.id,
    periodId: periodId(env, state, statement.period),
    version: statement.version,
    billingCycleStartDate: dateText(statement.startDay),
    billingCycleEndDate: dateText(statement.endDay),
    paymentDueDate: dateText(statement.dueDay),
    statementDate: dateText(statement.statementDay),
    documentDescriptorId: statement.documentDescriptorId,
    minimumDueAmount: orNull(amount, figures.minimumDueAmount),
    newBalanceAmount: orNull(amount, figures.newBalanceAmount),
    overdueAmount: orNull(amount, figures.overdueAmount),
    fulfilledAmount: orNull(amount, figures.fulfilledAmount),
    remainingAmount: orNull(amount, figures.remainingAmount),
    overpaymentsAmount: orNull(amount, figures.overpaymentsAmount),
    statementLogicVersion: 2,
    isExternal: statement.isExternal,
    isTest: statement.isTest,
    metaData: statement.metaData,
    createdAt: dateTimeText(statement.createdAt),
    updatedAt: dateTimeText(statement.updatedAt),
    deletedAt: null,
  };
}

/** The details of a statement of one of the loans; undefined if none has it. */
export function statementDetailsOf(loans: readonly LoanState[], id: string, env: EvolveEnv): StatementDetailsReply | undefined {
  for (const loan of loans) {
    const found = activationOf(loan)?.statements.find((statement) => statement.id === id);
    if (found) return statementDetails(loan, env, found);
  }
  return undefined;
}

function statementDetails(state: LoanState, env: EvolveEnv, statement: StatementRecord): StatementDetailsReply {
  const figures = figuresOf(statement);
  const printed: PrintedFigures = tableOf(FIGURES, (name) => orNull(amount, figures[name]));
  return {
    ...statementReply(state, env, statement),
    ...printed,
    daysInBillingCycle: statement.endDay - statement.startDay + 1,
    totalPurchasesForThisPeriod: amount(statement.ofLine?.purchasesCents ?? ZERO),
    totalCashAdvancesForThisPeriod: amount(statement.ofLine?.cashAdvancesCents ?? ZERO),
    isDisplayLatePaymentWarning: (figures.lateFeeUpToAmount ?? 0) > 0,
    year: String(civil(statement.statementDay).year),
    creditLimitAmount: orNull(amount, statement.ofLine?.limitCents),
    availableCreditAmount: orNull(amount, statement.ofLine?.availableCents),
    nextStatementDate: orNull(dateText, statement.nextStatementDay),
    aprDetails: statement.interest.map((part) => ({ rateType: 'interestRate', rate: rateValue(rate(part.rate)), days: part.days })),
    minimumPaymentWarning: orNull(minimumPaymentWarning, statement.ofLine?.minimumPaymentWarning),
    feeBreakdown: feeBreakdown(statement),
    interestBreakdown: statement.interest.map((part) => ({
      rate: rateValue(rate(part.rate)),
      days: part.days,
      unroundedInterestAmount: part.unrounded,
    })),
    borrowerAddress: addressAtOrigination(state.id, recordOf(state), env),
    drawInfos: drawInfos(state, statement),
    activities: statementActivities(state, statement),
  };
}

const minimumPaymentWarning = (warning: MinimumPaymentWarning): MinimumPaymentWarningReply => ({
  monthsToPayoff: warning.monthsToPayoff,
  totalPaidAmount: orNull(amount, warning.totalPaidCents),
  threeYearPaymentAmount: orNull(amount, warning.threeYearPaymentCents),
  threeYearSavingsAmount: orNull(amount, warning.threeYearSavingsCents),
});

type PrintedFigures = Pick<StatementDetailsReply, Figure>;

function feeBreakdown(statement: StatementRecord): StatementDetailsReply['feeBreakdown'] {
  const byName = new Map<string, number>();
  const descriptions = descriptionsOf(statement);
  for (const [line, { kind, amountCents }] of statement.activities.entries()) {
    const description = descriptions[line] ?? '';
    if (kind === 'fee') byName.set(description, (byName.get(description) ?? 0) + amountCents);
  }
  return Array.from(byName, ([description, value]) => ({ description, amount: amount(cents(value)) }));
}

/** The id of an activity follows from its index in the statement. */
function statementActivities(state: LoanState, statement: StatementRecord): readonly StatementActivityReply[] {
  const { id, activities } = statement;
  const descriptions = descriptionsOf(statement);
  return activities.map((activity, index) => ({
    id: `SA${id.slice(2)}-${index + 1}`,
    type: activity.kind,
    postedDate: dateText(activity.postedDay),
    transactionDate: dateText(activity.transactionDay),
    description: descriptions[index] ?? activity.description,
    amount: amount(activity.amountCents),
    drawId: drawIdOf(state, activity.draw ?? null),
    transactionId: activity.transactionId,
    purchaseId: activity.purchaseId ?? null,
    feeId: activity.feeId,
  }));
}

/** Figures of each draw of a line; an installment loan has none. */
const drawInfos = (state: LoanState, { id, ofLine }: StatementRecord): readonly DrawInfoReply[] =>
  (ofLine?.draws ?? []).map((figures, index) => ({
    id: `SD${id.slice(2)}-${index + 1}`,
    drawId: drawIdOf(state, figures.draw) ?? '',
    drawNickname: state.draws[figures.draw - 1]?.nickname ?? null,
    previousBalance: amount(figures.previousCents),
    newBalanceAmount: amount(figures.newCents),
    newPrincipalBalance: amount(figures.principalCents),
    minimumDueAmount: amount(figures.minimumCents),
    interestForThisPeriod: amount(figures.interestCents),
    feesForThisPeriod: amount(figures.feesCents),
    paymentsForThisPeriod: amount(figures.paymentsCents),
    purchasesForThisPeriod: amount(figures.purchasesCents),
    interestRate: rateValue(rate(figures.rate)),
    averageDailyBalance: amount(figures.averageDailyCents),
    isGracePeriodEligible: figures.isGraceEligible,
    endDate: orNull(dateText, figures.endDay),
  }));

export interface ListStatementsQuery extends PageQuery {
  readonly sortBy?: readonly string[];
  /** The year of the statement date. */
  readonly year?: number & tags.Type<'uint32'> & tags.Minimum<1900> & tags.Maximum<2299>;
  readonly includeAllVersions?: boolean;
  readonly includeTestVersions?: boolean;
}

export interface StatementActivitiesQuery extends PageQuery {
  readonly drawId?: string;
}

export interface StatementDocumentQuery {
  /** Default `html`. */
  readonly contentType?: 'html' | 'pdf';
}

const SORT_KEYS: SortKeys<StatementRecord> = {
  createdAt: ({ createdAt }) => createdAt,
  statementDate: ({ statementDay }) => statementDay,
  paymentDueDate: ({ dueDay }) => dueDay,
  version: ({ version }) => version,
};

/** `GET L/statements`, newest first; of each period only the version in force, unless the query asks for all. */
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
    const newestFirst = [...known].sort((a, b) => b.dueDay - a.dueDay || b.version - a.version);
    const found = matching(
      sorted(newestFirst, sortBy, SORT_KEYS),
      (statement) =>
        (year === undefined || civil(statement.statementDay).year === year) &&
        (includeTestVersions || !statement.isTest) &&
        (includeAllVersions || isNewest(statement)),
    );
    return pageOf(found, page, (statement) => statementReply(state, env, statement));
  },
};

type Context<Query = unknown> = QueryContext<LoanState, Query>;

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

/** What a statement's document says: the plain page of the service, or the version of a template that it is rendered from. */
export type StatementPage = { readonly html: string } | { readonly templateVersionId: string };

/** For the gateway, by the `statementId` of the query. */
export const getStatementPage: QuerySpec<LoanState, { readonly statementId?: string }> = {
  kind: 'loan',
  type: 'statement.page',
  on: 'target',
  read({ state, env, request, query }): StatementPage {
    requirePerson(state, request.params['personId'], env);
    const statement = statementOf(state, query.statementId);
    const { templateVersionId } = statement;
    return templateVersionId === undefined ? { html: statementDocument(statementDetails(state, env, statement)) } : { templateVersionId };
  },
};
