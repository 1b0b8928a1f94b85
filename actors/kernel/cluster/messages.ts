import type { CommandRequest, Outcome, QueryRequest } from '../actor.js';
import type { ExternalClaim } from '../shard/cluster-part.js';
import type { StoredEvent, Tenant } from '../fact.js';
import type { Selection } from '../jobs/mass-works.js';
import type { EventsAsked, EventsOfUnit } from './cluster-events.js';

/** Requests to the owner of a unit over the bus. */
export type Ask =
  | { readonly type: 'execute'; readonly command: CommandRequest }
  | { readonly type: 'query'; readonly request: QueryRequest }
  /** To the shared unit: record a fact of a calendar. */
  | { readonly type: 'recordShared'; readonly tenant: Tenant; readonly fact: string; readonly body: unknown }
  /** To the shared unit: the sequence of the shared shard. */
  | { readonly type: 'sharedSequence' }
  /** To the shared unit: an id for a new company. */
  | { readonly type: 'newSharedId'; readonly prefix: string }
  /** The object that has an external id; null when this unit has none. */
  | { readonly type: 'findExternal'; readonly tenant: Tenant; readonly kind: string; readonly externalId: string }
  /** The state of an actor, for readers on other units; null when there is none. */
  | { readonly type: 'actor'; readonly tenant: Tenant; readonly kind: string; readonly id: string }
  /** The states of the actors of a kind below another one. */
  | { readonly type: 'actorsBelow'; readonly tenant: Tenant; readonly kind: string; readonly parentId: string }
  /** How many actors of the unit match a selection. */
  | { readonly type: 'count'; readonly tenant: Tenant; readonly selection: Selection }
  /** To the unit that keeps the claims of an external id. */
  | { readonly type: 'claim'; readonly claim: ExternalClaim }
  /** The service id of an AnyId; refused with `notFound` when this unit has no such object. */
  | { readonly type: 'locate'; readonly tenant: Tenant; readonly kind: string; readonly target: string }
  | { readonly type: 'event'; readonly tenant: Tenant; readonly id: string }
  | { readonly type: 'events'; readonly asked: readonly EventsAsked[] }
  /** Answered once this unit has the shared shard up to the sequence, and nobody who was wiped by it can be read any more. */
  | { readonly type: 'awaitShared'; readonly sequence: number };

export type AskType = Ask['type'];

/** The answer to each request. */
export interface Answers {
  readonly execute: Executed;
  readonly query: unknown;
  readonly recordShared: null;
  readonly sharedSequence: number;
  readonly newSharedId: string;
  readonly findExternal: string | null;
  readonly actor: PackedActor | null;
  readonly actorsBelow: readonly PackedActor[];
  readonly count: number;
  readonly claim: string | null;
  readonly locate: string;
  readonly event: StoredEvent | null;
  readonly events: EventsOfUnit;
  readonly awaitShared: null;
}

/** A state as it is stored, with its parts by name. */
export interface PackedActor {
  readonly state: unknown;
  readonly parts: Readonly<Record<string, unknown>>;
}

interface Executed {
  readonly outcome: Outcome;
  /** The sequence of the shared shard at this unit: a reader after the command must see at least that. */
  readonly sharedSequence: number;
}
