import { assert, type CardNetwork, type Day, formatDay, must } from '../../../engine/index.js';
import type { Address } from '../../address.js';
import { type CardPaymentType, companyOf, paymentTypeOfCard, verifyingProcessor } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec, QueryOf, QuerySpec } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { orderedPageOf, type PageQuery, type SortRule } from '../../list-order.js';
import { openJson, openText, sealJson } from '../contact-fields.js';
import { mayMoveInstrument } from '../machine.js';
import { DEACTIVATING, type FailureReason, onPersonRead } from '../questions.js';
import type { Instrument, InstrumentDetails, PersonState } from '../state.js';
import { withSecretsOpen, withSecretsSealed } from '../views.js';
import { done, fact } from './common.js';
import { fieldsOf } from './micro-deposits.js';

/*
 * What a processor of cards needs of a card, and what it says of it. No route leads here: answers have card numbers in clear.
 */

/** What is secret of a card beside its number. */
export interface CardSecrets {
  /** What the processor takes instead of the number. */
  readonly token: string | null;
  readonly address: Address | null;
}

/** A card as its processor gets it. */
export interface CardForProcessor {
  /** Which verifies it; null: none does. */
  readonly processorId: string | null;
  readonly status: Instrument['status'] | 'deleted';
  readonly paymentType: CardPaymentType;
  /** Null with a token, and where it can no longer be read. */
  readonly number: string | null;
  readonly token: string | null;
  readonly holderName: string | null;
  readonly address: Address | null;
  readonly expirationMonth: number | null;
  readonly expirationYear: number | null;
}

/** Null: the card is gone, or can no longer be read. */
export const cardForProcessor = onPersonRead('paymentInstrument.card', ({ state, request, env }): CardForProcessor | null => {
  const instrument = state.instruments.find(({ id }) => id === request.params['paymentInstrumentId']);
  if (instrument?.card === undefined) return null;
  const { id, status, deletedAt, details } = instrument;
  const secrets = openJson<CardSecrets>(env, state.id, 'instrument.card', id, instrument.card);
  const number = openText(env, state.id, 'instrument.accountNumber', id, instrument.accountNumber);
  if (secrets === null || (number === null && secrets.token === null)) return null;
  return {
    processorId: verifyingProcessor(companyOf(env, state.tenant), paymentTypeOfCard(details.cardType)),
    status: deletedAt === null ? status : 'deleted',
    paymentType: paymentTypeOfCard(details.cardType),
    number: secrets.token === null ? number : null,
    token: secrets.token,
    holderName: openText(env, state.id, 'instrument.accountHolderName', id, instrument.accountHolderName),
    address: secrets.address,
    expirationMonth: details.expirationMonth ?? null,
    expirationYear: details.expirationYear ?? null,
  };
});

/** A card can be used until the last day of the month in which it expires. */
export function isExpiredOn(
  { expirationMonth, expirationYear }: Pick<InstrumentDetails, 'expirationMonth' | 'expirationYear'>,
  day: Day,
): boolean {
  if (expirationMonth === undefined || expirationYear === undefined) return false;
  return formatDay(day).slice(0, 7) > `${expirationYear}-${String(expirationMonth).padStart(2, '0')}`;
}

/** Whether a processor has to verify the card before it can be charged. */
export const awaitsVerification = ({ status, deletedAt, card }: Instrument): boolean =>
  card !== undefined && status === 'pending' && deletedAt === null;

/** A card that waits for its verification. */
export interface AwaitingCard {
  /** Machine time in microseconds of the last change of the borrower. */
  readonly changedStamp: number;
  readonly personId: string;
  readonly instrumentId: string;
  readonly processorId: string;
}

export interface AwaitingCardsQuery extends PageQuery {
  /** Microseconds: borrowers that have not changed since are not looked at. */
  readonly changedSince: number;
}

interface Listed extends AwaitingCard {
  readonly id: string;
  readonly ownerStamp: number;
}

const ORDER: readonly SortRule<Listed>[] = [
  { key: ({ ownerStamp }) => ownerStamp, descending: true },
  { key: ({ id }) => id, descending: false },
];

export const cardsAwaiting: QuerySpec<PersonState> = {
  kind: 'person',
  type: 'paymentInstrument.cardsAwaiting',
  on: 'tenant',
  read({ query: { changedSince, ...page }, env }: QueryOf<AwaitingCardsQuery>) {
    const { rows } = env.list('person', {
      matches: ({ fields, updatedStamp }) => fields['awaitsCards'] === true && updatedStamp >= changedSince,
      changedSince,
      limit: Number.MAX_SAFE_INTEGER,
    });
    const company = companyOf(env, env.tenant);
    const found = rows.flatMap(({ id: personId, createdStamp, updatedStamp }): readonly Listed[] =>
      (env.read<PersonState>('person', personId)?.instruments ?? []).filter(awaitsVerification).flatMap(({ id, details }) => {
        const processorId = verifyingProcessor(company, paymentTypeOfCard(details.cardType));
        return processorId === null
          ? []
          : [{ id, personId, instrumentId: id, processorId, changedStamp: updatedStamp, ownerStamp: createdStamp }];
      }),
    );
    return orderedPageOf(found, page, {
      view: ({ ownerStamp: _stamp, id: _id, ...card }): AwaitingCard => card,
      externalIdOf: () => null,
      order: ORDER,
    });
  },
};

/** What a processor says of a card that it was asked to verify. */
export type CardVerificationBody =
  | { readonly isVerified: true; readonly token: string | null; readonly network: CardNetwork | null; readonly lastFour: string | null }
  | { readonly isVerified: false; readonly failureReason: FailureReason };

const instrumentOf = ({ state, command }: CommandContext<PersonState, CardVerificationBody>): Instrument => {
  const id = command.params['paymentInstrumentId'] ?? '';
  return state.instruments.find((known) => known.id === id) ?? refuse('notFound', `There is no payment instrument ${id}.`);
};

/** A second report changes nothing. */
const recordVerification: CommandSpec<PersonState, CardVerificationBody> = {
  kind: 'person',
  type: 'paymentInstrument.cardVerification',
  place: { on: 'target' },
  catchesUp: false,
  decide(context) {
    assert(context.command.actor.type === 'system', 'what processors say is reported by the service');
    const { body } = context;
    const instrument = instrumentOf(context);
    const { id, card } = instrument;
    if (card === undefined || !awaitsVerification(instrument) || !mayMoveInstrument(instrument.status, 'verify')) return done([]);
    if (!body.isVerified) {
      const { failureReason } = body;
      return done([fact('InstrumentDeactivated', { id, reason: DEACTIVATING[failureReason] ?? 'verificationFailed', failureReason })]);
    }
    return done([...knownFrom(context, instrument, body), fact('InstrumentVerified', { id })]);
  },
};

/** What the processor has answered beside: the digits and the network of a card that was given by a token, and the token to use. */
function knownFrom(
  { id: personId, env }: CommandContext<PersonState, CardVerificationBody>,
  instrument: Instrument,
  { token, network, lastFour }: Extract<CardVerificationBody, { readonly isVerified: true }>,
): readonly FactDraft[] {
  const { id, card = null } = instrument;
  const secrets = must(openJson<CardSecrets>(env, personId, 'instrument.card', id, card), 'a card that was verified can be read');
  const { nickname, details } = withSecretsOpen(env, personId, instrument);
  const found = {
    ...(details.cardNumberLastFour === undefined && lastFour !== null ? { cardNumberLastFour: lastFour } : {}),
    ...(details.network === undefined && network !== null ? { network } : {}),
  };
  const facts: FactDraft[] = [];
  if (Object.keys(found).length > 0) {
    const sealed = withSecretsSealed(env, personId, id, { nickname, details: { ...details, ...found } });
    facts.push(fact('InstrumentUpdated', { instrument: { ...fieldsOf(instrument), ...sealed } }));
  }
  if (token !== null && token !== secrets.token)
    facts.push(fact('CardTokenKept', { id, card: sealJson(env, personId, 'instrument.card', id, { ...secrets, token }) }));
  return facts;
}

export const cardCommands: readonly CommandSpec<PersonState>[] = [recordVerification];
