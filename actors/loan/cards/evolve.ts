import { must } from '../../../engine/index.js';
import type { EventDraft } from '../../kernel/fact.js';
import { readable, recordOf, statusOf } from '../context.js';
import type { Applying } from '../applying.js';
import type { LoanStatus } from '../machine.js';
import type { LoanState } from '../state.js';
import { type CardStatus, cardChart } from './machine.js';
import type { LoanCard, ReplacementReason } from './types.js';

/** Facts about the cards of a loan. */
export interface CardFacts {
  readonly CardAdded: { readonly card: Omit<LoanCard, 'createdAt' | 'updatedAt'> };
  readonly CardChanged: { readonly cardId: string; readonly changes: Partial<Omit<LoanCard, 'id' | 'status' | 'createdAt' | 'updatedAt'>> };
  readonly CardStatusChanged: { readonly cardId: string; readonly status: CardStatus };
  /** The new card is in a fact of its own. */
  readonly CardReplacementRequested: {
    readonly cardId: string;
    readonly newCardId: string;
    readonly reason: ReplacementReason;
    readonly isExpedited: boolean;
  };
  readonly CardDetached: { readonly cardId: string };
  /** An event of its issuer about its status or details. What it has changed is in facts of their own. */
  readonly CardEventTaken: { readonly cardId: string; readonly eventId: string };
}

/** Events of one card by which those that are sent again are known. */
const MAX_TAKEN_EVENTS = 100;

export const APPLY_CARDS: { readonly [Type in keyof CardFacts]: (applying: Applying, body: CardFacts[Type]) => void } = {
  CardAdded({ state, fact, emit }, { card }) {
    state.cards = [...state.cards, { ...card, createdAt: fact.businessAt, updatedAt: null }];
    const { id, status, details } = card;
    emit?.(
      cardEvent(state, 'card.created', id, {
        cardId: id,
        drawId: null,
        lastFour: readable(details)?.cardNumberLastFour ?? null,
        status,
      }),
    );
  },
  CardChanged: (applying, { cardId, changes }) => put(applying, cardId, changes),
  CardStatusChanged: (applying, { cardId, status }) => moved(applying, cardId, status),
  CardReplacementRequested({ state, emit }, { cardId, newCardId, reason, isExpedited }) {
    emit?.(cardEvent(state, 'card.replacement.requested', cardId, { cardId, newCardId, reason, expedite: isExpedited }));
  },
  CardDetached({ state }, { cardId }) {
    state.cards = state.cards.filter(({ id }) => id !== cardId);
  },
  CardEventTaken({ state }, { cardId, eventId }) {
    state.cards = state.cards.map((known) =>
      known.id === cardId ? { ...known, takenEvents: [...(known.takenEvents ?? []), eventId].slice(-MAX_TAKEN_EVENTS) } : known,
    );
  },
};

function put({ state, fact }: Applying, cardId: string, changes: Partial<LoanCard>): void {
  state.cards = state.cards.map((known) => (known.id === cardId ? { ...known, ...changes, updatedAt: fact.businessAt } : known));
}

function moved(applying: Applying, cardId: string, status: CardStatus): void {
  const { state, emit } = applying;
  const before = must(
    state.cards.find(({ id }) => id === cardId),
    `the card ${cardId}`,
  );
  put(applying, cardId, { status });
  emit?.(cardEvent(state, 'card.status.changed', cardId, { cardId, oldStatus: before.status, newStatus: status }));
}

/** Statuses of a loan in which nobody pays with its cards. */
const BARRED: readonly LoanStatus[] = ['frozen', 'chargedOff', 'paidOff', 'canceled', 'declined'];

/** Whether the cards of the loan must not be active. */
export const isBarred = (state: LoanState): boolean => recordOf(state).isClosed || BARRED.includes(statusOf(state));

/** Active cards are suspended as soon as the loan is charged off, frozen, closed, paid off or canceled, whatever has led to it. */
export function suspendCards(applying: Applying): void {
  const { state } = applying;
  if (state.cards.length === 0 || !isBarred(state)) return;
  for (const { id, status } of state.cards) if (status === 'active') moved(applying, id, cardChart.after(status, 'suspend'));
}

function cardEvent(state: LoanState, eventType: string, cardId: string, data: EventDraft['data']): EventDraft {
  const { personId, externalId } = recordOf(state);
  return {
    eventType,
    objectType: 'card',
    objectId: cardId,
    refs: { loanId: state.id, personId },
    externalIds: { loanId: externalId },
    data,
  };
}
