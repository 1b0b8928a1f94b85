import { NOTE_REMITTANCE, type LinesOfLoan, REMIT, type SettlementLinesBody, type SettlementMovedBody } from '../../company/index.js';
import type { CommandSpec, QueryEnv, QuerySpec } from '../../kernel/actor.js';
import { dateText, dayOfText, type ListResult } from '../../wire.js';
import type { Applying } from '../applying.js';
import { upToDate } from '../ledger/running.js';
import { wasOwnedBy } from '../owners/index.js';
import type { LoanState } from '../state.js';
import type { PaymentsRemitted, RemittanceFacts, RemittanceStatusChanged, RemittedLine } from './facts.js';
import { linesToRemit } from './owed.js';

/** The part of a settlement on one loan, as mass work. Done once, however often it is asked for. */
export const remitPayments: CommandSpec<LoanState, SettlementLinesBody> = {
  kind: 'loan',
  type: REMIT,
  place: { on: 'target' },
  decide({ state, env, body: { settlementId, investorId, through: text } }) {
    const through = dayOfText(text);
    const isDone = state.parties.remittances.some((known) => known.settlementId === settlementId);
    const lines = isDone ? [] : linesToRemit(state, env, { investorId, through });
    const remitted: PaymentsRemitted = { settlementId, investorId, through, lines, isTransferRecorded: true };
    return {
      facts: lines.length === 0 ? [] : [{ type: 'PaymentsRemitted', body: remitted }],
      reply: () => ({ data: undefined }),
    };
  },
};

/** What has become of the transfer of a settlement, on one loan that it pays. Recorded once, however often it is asked for. */
export const noteRemittance: CommandSpec<LoanState, SettlementMovedBody> = {
  kind: 'loan',
  type: NOTE_REMITTANCE,
  place: { on: 'target' },
  decide({ state: { parties }, body }) {
    const changed: RemittanceStatusChanged = body;
    const { settlementId, status, pays } = changed;
    const { remittances, remittanceStatuses = [] } = parties;
    const isPaid = remittances.some((remittance) => pays.includes(remittance.settlementId));
    const isDone = remittanceStatuses.some((known) => known.settlementId === settlementId && known.status === status);
    return {
      facts: isPaid && !isDone ? [{ type: 'RemittanceStatusChanged', body: changed }] : [],
      reply: () => ({ data: undefined }),
    };
  },
};

/** Applies the facts about settlements. */
export const APPLY_REMITTANCES: { readonly [Type in keyof RemittanceFacts]: (applying: Applying, body: RemittanceFacts[Type]) => void } = {
  PaymentsRemitted({ state, fact }, body) {
    const { remittances } = state.parties;
    state.parties = { ...state.parties, remittances: [...remittances, { ...body, recordedAt: fact.businessAt }] };
  },
  RemittanceStatusChanged({ state, fact }, body) {
    const { remittanceStatuses = [] } = state.parties;
    state.parties = { ...state.parties, remittanceStatuses: [...remittanceStatuses, { ...body, recordedAt: fact.businessAt }] };
  },
};

interface LinesQuery extends SettlementLinesBody {
  readonly limit: number;
  readonly startingAfter?: string;
}

/** What loans have recorded for a settlement, and what they would record for one that is not ordered. The service's own. */
export const remittanceQueries: readonly QuerySpec<LoanState>[] = [
  linesQuery('loan.remitted', (state, _env, { settlementId }) =>
    state.parties.remittances.filter((known) => known.settlementId === settlementId).flatMap(({ lines }) => lines),
  ),
  linesQuery('loan.remittable', (state, env, { investorId, through }) =>
    linesToRemit(upToDate(state, env), env, { investorId, through: dayOfText(through) }),
  ),
];

function linesQuery(
  type: string,
  linesOf: (state: LoanState, env: QueryEnv, asked: LinesQuery) => readonly RemittedLine[],
): QuerySpec<LoanState, LinesQuery> {
  return {
    kind: 'loan',
    type,
    on: 'tenant',
    read({ env, query: asked }): ListResult<LinesOfLoan> {
      const page = env.list('loan', {
        limit: asked.limit,
        matches: (row) => wasOwnedBy(row, asked.investorId),
        ...(asked.startingAfter === undefined ? {} : { startingAfter: asked.startingAfter }),
      });
      const items = page.rows.map(({ id }): LinesOfLoan => {
        const state = env.stateOf<LoanState>('loan', id);
        const lines = state === undefined ? [] : linesOf(state, env, asked);
        return { id, lines: lines.map(({ effectiveDay, ...line }) => ({ ...line, effectiveDate: dateText(effectiveDay) })) };
      });
      return { items, total: page.total, hasMore: page.hasMore, hasPrevious: page.hasPrevious, order: page.order() };
    },
  };
}
