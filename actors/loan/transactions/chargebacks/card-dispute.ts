import { assert, type Cents } from '../../../../engine/index.js';
import { refuse } from '../../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { recordOf } from '../../context.js';
import type { LoanState } from '../../state.js';
import { transactionOf } from '../check.js';
import { lostInstrument } from '../instruments.js';
import { createChargeback, updateChargeback } from './decide.js';
import { type Chargeback, type ChargebackCategory, chargebacksOf, type ChargebackStatus } from './record.js';

/** What a processor of cards says of a dispute, in a callback or in its results. It may say the same more than once. */
export interface CardDisputeBody {
  /** That says it. */
  readonly processorId: string;
  readonly disputeId: string;
  readonly status: 'opened' | 'won' | 'lost' | 'reversed';
  readonly amountCents: Cents;
  /** Of the card network. */
  readonly reasonCode: string | null;
}

/** By the first digits of the reason codes of the largest two networks. */
const CATEGORIES: readonly (readonly [RegExp, ChargebackCategory])[] = [
  [/^(10\.|4837|4840|4849|4863|4870|4871)/, 'fraud'],
  [/^(11\.|4807|4808|4812)/, 'authorization'],
  [/^(12\.|4831|4834|4842|4846)/, 'processingError'],
  [/^(13\.|4853|4854|4855|4859|4860)/, 'consumerDispute'],
];

const categoryOf = (reasonCode: string | null): ChargebackCategory | null =>
  CATEGORIES.find(([pattern]) => pattern.test(reasonCode ?? ''))?.[1] ?? null;

/** The holder says that the card was not theirs to charge: it is not charged again. */
const NOT_AUTHORIZED: ReadonlySet<ChargebackCategory | null> = new Set<ChargebackCategory | null>(['fraud', 'authorization']);

const STATUS_OF = {
  opened: 'open',
  won: 'won',
  lost: 'lost',
  reversed: 'reversed',
} as const satisfies Readonly<Record<CardDisputeBody['status'], ChargebackStatus>>;

/** Reports that say no more than what is known: of the same status, and earlier ones that come late. */
const KNOWN_FROM: Readonly<Record<ChargebackStatus, readonly CardDisputeBody['status'][]>> = {
  open: ['opened'],
  won: ['opened', 'won'],
  lost: ['opened', 'lost'],
  reversed: ['opened', 'lost', 'reversed'],
};

/**
 * A dispute is a chargeback of its payment, with the id of the processor as its case number: the same commands as those of users decide
 * what it does to the payment and the ledger.
 */
export const disputeByCard: CommandSpec<LoanState, CardDisputeBody> = {
  kind: 'loan',
  type: 'transaction.cardDispute',
  place: { on: 'target' },
  decide(context): Decision<LoanState> {
    assert(context.command.actor.type === 'system', 'disputes are reported by the service');
    return { facts: factsOf(context), reply: () => ({ data: undefined }) };
  },
};

function factsOf(context: CommandContext<LoanState, CardDisputeBody>): readonly FactDraft[] {
  const { state, env, body, command } = context;
  const { processorId, disputeId, status, amountCents, reasonCode } = body;
  const record = transactionOf(state, command.params['transactionId']);
  if (record.settlement?.card?.processorId !== processorId)
    refuse('invalidState', `The processor ${processorId} does not move the money of ${record.id}.`);
  const known = chargebacksOf(state.chargebacks, record.id).find(({ externalCaseNumber }) => externalCaseNumber === disputeId);
  if (known !== undefined) return KNOWN_FROM[known.status].includes(status) ? [] : changed(context, known);
  if (status !== 'opened' && status !== 'lost') return refuse('invalidState', `The dispute ${disputeId} is ${status}, and was not opened.`);
  const category = categoryOf(reasonCode);
  const facts = as(context, createChargeback, {
    amount: amountCents / 100, // as a body has it, which is read to the same cents
    status: STATUS_OF[status],
    externalCaseNumber: disputeId,
    reasonCode,
    category,
  });
  return NOT_AUTHORIZED.has(category)
    ? [...facts, ...lostInstrument(env, recordOf(state).personId, record.instrument, 'unauthorizedDebit')]
    : facts;
}

const changed = (context: CommandContext<LoanState, CardDisputeBody>, { id }: Chargeback): readonly FactDraft[] =>
  as(context, updateChargeback, { status: STATUS_OF[context.body.status] }, { chargebackId: id });

const as = <Body>(
  context: CommandContext<LoanState, CardDisputeBody>,
  spec: CommandSpec<LoanState, Body>,
  body: NoInfer<Body>,
  params: Readonly<Record<string, string>> = {},
): readonly FactDraft[] =>
  spec.decide({ ...context, body, command: { ...context.command, body, params: { ...context.command.params, ...params } } }).facts;
