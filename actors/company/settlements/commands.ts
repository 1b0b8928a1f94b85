import type { tags } from 'typia';
import type { OpenContent } from '../../kernel/sealed-contents.js';
import { addBusinessDays, addDays, assert, civil, type Day, must, weekday, fieldOf } from '../../../engine/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, DecideEnv, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import type { MassOrder } from '../../kernel/jobs/mass-works.js';
import { operationIdOf } from '../../kernel/jobs/operations.js';
import { type AnyId, type DateText, dateText, dayOfText } from '../../wire.js';
import { companyOf, moneyCalendarOf, zoneOf } from '../directory.js';
import { investorOf } from '../parties/investors.js';
import { instrumentFor, isActiveInstrument } from '../parties/settlement-instruments.js';
import {
  carriedSettlements,
  lastPaidOf,
  sealContent,
  SETTLEMENT,
  type SettlementFacts,
  type SettlementState,
  type SettlementTotals,
} from './settlement.js';
import { settlementView } from './view.js';

type Context<Body = unknown> = CommandContext<SettlementState, Body>;

export interface CreateSettlementBody {
  readonly investorId: AnyId;
  /** Default: the investor's only active one. */
  readonly settlementInstrumentId?: AnyId | null;
  /** The last effective date of payments that it covers; default yesterday. */
  readonly periodEndDate?: DateText | null;
  /** The day on which the money goes; default the next business day. */
  readonly settlementDate?: DateText | null;
}

/** `POST /companies/{companyId}/settlements/{settlementId}/fail`. */
export interface FailSettlementBody {
  /** Why the money has not arrived, as the bank says. */
  readonly failureReason: string & tags.MinLength<1> & tags.MaxLength<500>;
}

export interface CreateSettlementQuery {
  /** Computes the amounts, and records nothing. */
  readonly previewMode?: boolean;
}

export interface SettlementLinesBody {
  readonly settlementId: string;
  readonly investorId: string;
  /** `YYYY-MM-DD`. */
  readonly through: string;
}

/** The command that each loan of the investor gets: `actors/loan/remittances`. */
export const REMIT = 'loan.remit';

/** The command that each loan of the investor gets when the transfer of a settlement has left, arrived or failed. */
export const NOTE_REMITTANCE = 'loan.noteRemittance';

export interface SettlementMovedBody {
  readonly settlementId: string;
  readonly investorId: string;
  readonly status: 'initiated' | 'succeeded' | 'failed' | 'canceled';
  /** The settlements that the transfer pays. */
  readonly pays: readonly string[];
}

export interface ComputedBody {
  readonly totals: SettlementTotals;
  readonly batches: readonly { readonly count: number; readonly content: OpenContent }[];
  readonly file: OpenContent & { readonly name: string; readonly bytes: number; readonly digest: string };
}

const fact = <Type extends keyof SettlementFacts>(type: Type, body: SettlementFacts[Type]): FactDraft => ({ type, body });

/** `POST /companies/{companyId}/settlements`: the order, and the work of the loans in the same batch. */
const createSettlement: CommandSpec<SettlementState, CreateSettlementBody> = {
  kind: SETTLEMENT,
  type: 'settlement.create',
  place: { on: 'beside', kind: 'company' },
  catchesUp: false,
  decide(context) {
    const { env, id, besideId, command, body } = context;
    const asked = plannedSettlement(env, body);
    env.createKey(id);
    const operationId = operationIdOf(command.commandId);
    const order: MassOrder = {
      kind: 'settlement.create',
      resultObjectId: id,
      isDryRun: false,
      isHeld: false,
      isOfDay: true,
      supposing: [],
      operationId,
      task: {
        type: 'command',
        command: REMIT,
        selection: { kind: 'loan', filter: { everOwnedBy: asked.investorId } },
        body: { settlementId: id, investorId: asked.investorId, through: dateText(asked.periodEnd) } satisfies SettlementLinesBody,
      },
    };
    const target = { kind: 'company', id: must(besideId, 'a settlement lies beside its company') };
    return {
      facts: [fact('SettlementOrdered', { ...asked, operationId }), { type: 'MassOrdered', body: order, target }],
      preview: fieldOf(command.query, 'previewMode') === true,
      reply: (after) => ({ data: settlementView(after) }),
    };
  },
};

type PlannedSettlement = Omit<SettlementFacts['SettlementOrdered'], 'operationId'>;

/** Which investor a settlement pays, for which days, and when. Refused while another one of the investor is computed. */
function plannedSettlement(env: DecideEnv, body: CreateSettlementBody): PlannedSettlement {
  const company = companyOf(env, env.tenant);
  const investor = investorOf(company, body.investorId);
  if (investor === undefined) return refuseProperty('investorId', 'an investor', `There is no investor ${body.investorId}.`);
  const instrument = instrumentFor(company, investor.id, body.settlementInstrumentId ?? null);
  if (!instrument.stored.isExternal) {
    refuse('ruleViolation', 'There is no processor that transfers money to this settlement instrument. Use an external one.', {
      errors: [{ path: 'settlementInstrumentId', expected: 'an external instrument', message: 'needs a processor' }],
    });
  }
  const last = lastPaidOf(env, investor.id);
  if (last !== null && last.totals === null) refuse('invalidState', `The settlement ${last.id} of the investor is being computed.`);
  const today = env.today(zoneOf(company));
  const periodEnd = body.periodEndDate == null ? addDays(today, -1) : dayOfText(body.periodEndDate);
  const periodStart = last === null ? null : addDays(last.periodEnd, 1);
  if (periodEnd >= today) refuseProperty('periodEndDate', `before ${dateText(today)}`, 'The last day of the period is not over.');
  if (periodStart !== null && periodEnd < periodStart)
    refuseProperty('periodEndDate', `${dateText(periodStart)} or later`, 'Payments through this day are settled.');
  const settlementDay = body.settlementDate == null ? addBusinessDays(today, 1, moneyCalendarOf(company)) : dayOfText(body.settlementDate);
  if (settlementDay < today) refuseProperty('settlementDate', `${dateText(today)} or later`, 'The day is past.');
  return { investorId: investor.id, settlementInstrumentId: instrument.id, settlementDay, periodStart, periodEnd };
}

/** A new status, and the work of the loans that record it, in the same batch. */
function movedTo({ state, env }: Context, moved: FactDraft, status: SettlementMovedBody['status']): readonly FactDraft[] {
  const { id: settlementId, investorId, carriedFrom } = state;
  const order: MassOrder = {
    kind: 'settlement.status',
    resultObjectId: settlementId,
    isDryRun: false,
    isHeld: false,
    isOfDay: true,
    supposing: [],
    task: {
      type: 'command',
      command: NOTE_REMITTANCE,
      selection: { kind: 'loan', filter: { everOwnedBy: investorId } },
      body: { settlementId, investorId, status, pays: [settlementId, ...(carriedFrom ?? [])] } satisfies SettlementMovedBody,
    },
  };
  return [moved, { type: 'MassOrdered', body: order, target: { kind: 'company', id: env.tenant.company } }];
}

const cancelSettlement = onSettlement('settlement.cancel', (context) => {
  const { state } = context;
  if (state.status !== 'pending') return wrong(state);
  return movedTo(context, fact('SettlementEnded', { status: 'canceled', failureReason: null }), 'canceled');
});

/** The service's own: no route leads here. */
const service = <Body>(type: string, decide: (context: Context<Body>) => readonly FactDraft[]): CommandSpec<SettlementState, Body> =>
  onSettlement(type, (context: Context<Body>) => {
    assert(context.command.actor.type === 'system', 'settlements are carried out by the service');
    return decide(context);
  });

/** All loans have recorded their lines. What the investor owes is carried into its next settlement. */
const computeSettlement = service('settlement.computed', ({ state, env, body }: Context<ComputedBody>) => {
  if (state.status !== 'pending' || state.totals !== null) return wrong(state);
  const { totals, batches, file } = body;
  return [
    fact('SettlementComputed', {
      totals,
      carriedFrom: carriedSettlements(env, state),
      batches: batches.map(({ count, content }) => ({ count, content: sealContent(env, state.id, content) })),
      file: { ...sealContent(env, state.id, file), name: file.name, bytes: file.bytes, digest: file.digest },
      status: totals.netCents > 0 ? 'pending' : 'succeeded',
    }),
  ];
});

const noteUndelivered = service('settlement.undelivered', ({ state, body }: Context<SettlementFacts['SettlementUndelivered']>) =>
  state.status === 'pending' ? [fact('SettlementUndelivered', body)] : wrong(state),
);

/** The account may have been archived since: nothing goes there, and the next settlement covers the transactions. */
const initiateSettlement = service('settlement.initiate', (context: Context<SettlementFacts['SettlementInitiated']>) => {
  const { state, body, env } = context;
  if (state.status !== 'pending' || state.totals === null) return wrong(state);
  const { settlementInstrumentId } = state;
  if (!isActiveInstrument(companyOf(env, env.tenant), settlementInstrumentId)) {
    const failureReason = `The settlement instrument ${settlementInstrumentId} is no longer active.`;
    return movedTo(context, fact('SettlementEnded', { status: 'failed', failureReason }), 'failed');
  }
  return movedTo(context, fact('SettlementInitiated', body), 'initiated');
});

/** The settlement date has passed: nobody has said that the transfer came back. */
const endSettlement = service('settlement.end', (context) =>
  context.state.status === 'initiated'
    ? movedTo(context, fact('SettlementEnded', { status: 'succeeded', failureReason: null }), 'succeeded')
    : wrong(context.state),
);

/** The lender transfers the money itself, and says when it has come back. The next settlement covers its transactions. */
const failSettlement = onSettlement('settlement.fail', (context: Context<FailSettlementBody>) => {
  const { state, body } = context;
  // A transfer may come back after it has arrived.
  const isPaid = state.status === 'succeeded' && (state.totals?.netCents ?? 0) > 0;
  if (state.status !== 'initiated' && !isPaid) return wrong(state);
  return movedTo(context, fact('SettlementEnded', { status: 'failed', failureReason: body.failureReason }), 'failed');
});

export const settlementCommands: readonly CommandSpec<SettlementState>[] = [
  createSettlement,
  cancelSettlement,
  computeSettlement,
  noteUndelivered,
  initiateSettlement,
  endSettlement,
  failSettlement,
];

function onSettlement<Body>(type: string, decide: (context: Context<Body>) => readonly FactDraft[]): CommandSpec<SettlementState, Body> {
  return {
    kind: SETTLEMENT,
    type,
    place: { on: 'target' },
    catchesUp: false,
    decide: (context): Decision<SettlementState> => ({
      facts: decide(context),
      reply: (after) => ({ data: settlementView(after) }),
    }),
  };
}

const wrong = ({ id, status }: SettlementState): never => refuse('invalidState', `The settlement ${id} is ${status}.`);

/** The last day of the next period of an investor that is settled by a schedule; null while none is over. */
export function nextPeriodEnd(frequency: 'daily' | 'weekly' | 'monthly', today: Day, lastEnd: Day | null): Day | null {
  const end = lastEndBefore(frequency, today);
  return lastEnd === null || end > lastEnd ? end : null;
}

/** Weeks end on Sunday. */
function lastEndBefore(frequency: 'daily' | 'weekly' | 'monthly', today: Day): Day {
  if (frequency === 'daily') return addDays(today, -1);
  return addDays(today, frequency === 'weekly' ? -weekday(today) : -civil(today).day);
}
