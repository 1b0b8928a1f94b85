import { setup } from 'xstate';
import {
  type AutoAmortization,
  type Cents,
  drawOwedCents,
  type DrawType,
  instantAt,
  type LineState,
  must,
  type Rate,
} from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, EvolveEnv } from '../../kernel/actor.js';
import type { Agent, EffectiveTime } from '../../kernel/fact.js';
import { Chart, STAYS, moves } from '../../statechart.js';
import { timeOfDay } from '../../wire.js';
import { activationOf, recordOf, requireProduct } from '../context.js';
import { lineOf } from '../line/ledger.js';
import type { LoanStatus } from '../machine.js';
import type {
  DynamicFeeTerms,
  InterestRateBand,
  MerchantDiscount,
  MetaData,
  MinPaymentTerms,
  PromoRateBand,
} from '../origination/terms.js';
import type { AdditionalPerson } from '../people/person.js';
import type { RateKind, RateRow } from '../rates/rows.js';
import type { DeclineReason, LoanState, LoanTimestamps } from '../state.js';
import type { DrawLedgerEvent } from './events.js';

/** A draw of a line of credit: a record of its own within the line's loan. Replaced, never changed. */
export interface Draw {
  /** Its number in the line's ledger facts: the draws of a line are numbered from 1. */
  readonly draw: number;
  /** With the prefix `LN`, as a loan's id. */
  readonly id: string;
  readonly externalId: string | null;
  /** It was declined: another draw may have its external id. */
  readonly areExternalIdsFree?: true;
  readonly drawType: DrawType;
  /** Its own status: `active` from its activation on. The status that replies show also depends on the line (`drawStatusOf`). */
  readonly status: LoanStatus;
  readonly nickname: string;
  readonly isClosed: boolean;
  readonly declineReason: DeclineReason | null;
  readonly cancellationReason: string | null;
  readonly labels: readonly string[];
  readonly additionalPeople: readonly AdditionalPerson[];
  readonly metaData: MetaData | null;
  readonly atOrigination: DrawOrigination;
  /** Its rates of the kinds of its own, once one was added or changed; null while they are the line's, or those of its origination. */
  readonly rates: readonly RateRow[] | null;
  /** The kinds of which `rates` are its own. Earlier releases made all kinds its own: then the field is missing. */
  readonly kinds?: readonly RateKind[];
  readonly timestamps: LoanTimestamps;
  /** First counter of its derived ids: of its draw fee, then of its rates at origination. A static draw has none. */
  readonly idBase?: number;
  readonly createdStamp: number;
  readonly updatedAt: number;
  readonly createdBy: Agent;
}

/** A draw in the fact of its creation, without the fields that follow from the envelope. */
export type NewDraw = Omit<Draw, 'createdStamp' | 'updatedAt' | 'createdBy'>;

/** The draw's terms as they were given; null means that the line's apply. */
export interface DrawOrigination {
  readonly interestRates: readonly InterestRateBand[] | null;
  readonly promoRates: readonly PromoRateBand[] | null;
  readonly aprNominal: Rate | null;
  readonly aprEffective: Rate | null;
  /** Its own limit, as an amount or a share. */
  readonly creditLimitCents: Cents | null;
  readonly creditLimitPercentage: Rate | null;
  readonly drawFeeCents: Cents;
  readonly drawFeePercentageOfPrincipal: Rate;
  readonly dynamicFees: readonly DynamicFeeTerms[];
  readonly serviceFeeCents: Cents | null;
  readonly serviceFeeCapCents: Cents | null;
  readonly minPayment: MinPaymentTerms | null;
  readonly autoAmortization: AutoAmortization | null;
  readonly grace: { readonly isApplicable: boolean | null; readonly periodsToRestore: number | null } | null;
  readonly merchantDiscount: MerchantDiscount | null;
}

/** Ids that a draw reserves: for its draw fee, 100 interest rates and 100 promo rates. */
export const DRAW_IDS = 201;

/** Draws that one line may have. */
export const MAX_DRAWS = 5_000;

/** The moves of a draw, named as in its statechart. */
export type DrawMove =
  | 'originate'
  | 'decline'
  | 'reopen'
  | 'activate'
  | 'cancel'
  | 'close'
  | 'changeTerms'
  | 'forceTerms'
  | 'changeLimit'
  | 'changeRates'
  | 'promo'
  | 'amortize'
  | 'pay'
  | 'purchase'
  | 'manageFees'
  | 'update'
  | 'payOff'
  | 'owe'
  | 'followFreeze'
  | 'followAcceleration'
  | 'followChargeOff'
  | 'followReversal';

/**
 * The statuses of a draw are those of loans. A draw is activated on its own. While its line is frozen, accelerated or charged off, so is
 * the draw; it is canceled with the line. No command makes these moves, nor `payOff` and `owe`, which follow from the balance of a closed
 * draw.
 */
export const drawMachine = setup({
  types: moves<DrawMove>(),
}).createMachine({
  id: 'draw',
  initial: 'pending',
  states: {
    pending: { on: { originate: 'originated', decline: 'declined', cancel: 'canceled', update: STAYS, changeTerms: STAYS } },
    originated: { on: { activate: 'active', cancel: 'canceled', reopen: 'pending', update: STAYS, forceTerms: STAYS } },
    declined: { on: { update: STAYS } },
    active: {
      on: {
        cancel: 'canceled',
        payOff: 'paidOff',
        followFreeze: 'frozen',
        followAcceleration: 'accelerated',
        followChargeOff: 'chargedOff',
        close: STAYS,
        purchase: STAYS,
        amortize: STAYS,
        changeLimit: STAYS,
        changeRates: STAYS,
        promo: STAYS,
        manageFees: STAYS,
        pay: STAYS,
        update: STAYS,
      },
    },
    frozen: { on: { followReversal: 'active', followChargeOff: 'chargedOff', update: STAYS } },
    accelerated: {
      on: { followReversal: 'active', followChargeOff: 'chargedOff', payOff: 'paidOff', manageFees: STAYS, pay: STAYS, update: STAYS },
    },
    chargedOff: { on: { followReversal: 'active', pay: STAYS, update: STAYS } },
    paidOff: { on: { owe: 'active', manageFees: STAYS, update: STAYS } },
    canceled: { type: 'final' },
  },
});

export const drawChart = new Chart<LoanStatus, DrawMove>(drawMachine);

export const mayMoveDraw = (status: LoanStatus, move: DrawMove): boolean => drawChart.allows(status, move);

const drawStatusesFor = (move: DrawMove): readonly LoanStatus[] => drawChart.statesFor(move);

/** The draw that a path names, by either id; 404 if the line has no such draw, 409 if the loan is not a line of credit. */
export function drawOf(state: LoanState, anyId: string | undefined): Draw {
  requireProduct(state, 'lineOfCredit');
  return findDraw(state, anyId) ?? refuse('notFound', `The line of credit ${state.id} has no draw ${anyId ?? ''}.`);
}

export const findDraw = (state: LoanState, anyId: string | undefined): Draw | undefined =>
  state.draws.find(
    (draw) => draw.id === anyId || (draw.externalId !== null && !draw.areExternalIdsFree && `ext-${draw.externalId}` === anyId),
  );

/** When the draw was activated; null if the ledger does not have it. */
export const drawActivationTime = (state: LoanState, env: EvolveEnv, { draw }: Draw): EffectiveTime | null =>
  lineOf(state, env).draws.find((known) => known.draw === draw)?.activation.effective ?? null;

/** What is made on a draw counts from the draw's activation at the earliest, even if it names an earlier time of that day. */
export const countedFrom = (made: EffectiveTime, activation: EffectiveTime | null): EffectiveTime =>
  activation !== null && made.day === activation.day && made.seconds < activation.seconds ? activation : made;

/** The id of a draw by its number in the ledger's facts. */
export const drawIdOf = (state: LoanState, draw: number | null): string | null =>
  draw === null ? null : (state.draws[draw - 1]?.id ?? null);

/** The status of a draw: an active one follows its line, a closed one that owes nothing is paid off. */
export function drawStatusOf(state: LoanState, env: EvolveEnv, draw: Draw): LoanStatus {
  if (draw.status !== 'active') return draw.status;
  const status = activationOf(state)?.summary.status ?? 'active';
  if (status !== 'active') return drawChart.after('active', must(FOLLOWED[status], `a move of draws when their line is ${status}`));
  return draw.isClosed && isSettled(lineOf(state, env), draw) ? drawChart.after('active', 'payOff') : 'active';
}

/** The move by which a draw follows its line. */
const FOLLOWED: Readonly<Partial<Record<LoanStatus, DrawMove>>> = {
  frozen: 'followFreeze',
  accelerated: 'followAcceleration',
  chargedOff: 'followChargeOff',
  paidOff: 'payOff',
  canceled: 'cancel',
};

function isSettled({ draws, processingPayments }: LineState, { draw }: Draw): boolean {
  const known = draws.find((candidate) => candidate.draw === draw);
  return processingPayments === 0 && known !== undefined && drawOwedCents(known) === 0;
}

/** 409 unless the draw's status allows the move. The error names the statuses that do. */
export function requireDrawMove({ state, env }: Pick<CommandContext<LoanState>, 'state' | 'env'>, draw: Draw, move: DrawMove): void {
  const status = drawStatusOf(state, env, draw);
  if (mayMoveDraw(status, move)) return;
  const expected = drawStatusesFor(move).join(' or ');
  refuse('invalidState', `The draw is ${status}; it must be ${expected}.`, {
    errors: [{ path: 'status', expected, message: `the draw is ${status}` }],
  });
}

/** 409 for a draw that was closed. */
export function requireOpenDraw({ id, isClosed }: Draw): void {
  if (!isClosed) return;
  refuse('invalidState', `The draw ${id} is closed.`, { errors: [{ path: 'isClosed', expected: 'false', message: 'the draw is closed' }] });
}

/** 409 when another draw of the company has the external id. */
export function checkDrawExternalId({ env }: Pick<CommandContext<LoanState>, 'env'>, externalId: string | null | undefined): void {
  if (externalId == null || env.findExternal(env.tenant, 'draw', externalId) === undefined) return;
  refuse('duplicate', `\`externalId\` ${externalId} is already used by another draw.`, {
    errors: [{ path: 'externalId', expected: 'an externalId that is not in use', message: 'is already in use' }],
  });
}

/** Notes in the record of a closed draw when it was paid off. */
export function notePaidOff(
  state: LoanState,
  { draw: number, day, seconds }: Extract<DrawLedgerEvent, { readonly type: 'drawPaidOff' }>,
): void {
  const paidOffAt = instantAt(recordOf(state).zone, day, timeOfDay(seconds));
  state.draws = state.draws.map((draw) => (draw.draw === number ? { ...draw, timestamps: { ...draw.timestamps, paidOffAt } } : draw));
}
