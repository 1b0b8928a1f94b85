import type { CommandRequest, Outcome, QueryRequest } from '../actor.js';
import type { ExternalClaim } from '../shard/shared-facts.js';
import type { StoredEvent, Tenant } from '../fact.js';
import type { Selection } from '../jobs/mass-works.js';
import type { EventsAsked, EventsOfUnit } from './cluster-events.js';

/** What the owner of a unit is asked over the bus. */
export type Ask =
  | { readonly type: 'execute'; readonly command: CommandRequest }
  | { readonly type: 'query'; readonly request: QueryRequest }
  /** Of the shared unit: a fact of a calendar. */
  | { readonly type: 'recordShared'; readonly tenant: Tenant; readonly fact: string; readonly body: unknown }
  /** Of the shared unit: how far what all share has come. */
  | { readonly type: 'sharedSequence' }
  /** Of the shared unit: an id for a company to be made. */
  | { readonly type: 'newSharedId'; readonly prefix: string }
  /** Which object has an external id; null where none here has. */
  | { readonly type: 'findExternal'; readonly tenant: Tenant; readonly kind: string; readonly externalId: string }
  /** The state of an actor, to be read elsewhere; null where there is none. */
  | { readonly type: 'actor'; readonly tenant: Tenant; readonly kind: string; readonly id: string }
  /** How many actors of the unit a selection is about. */
  | { readonly type: 'count'; readonly tenant: Tenant; readonly selection: Selection }
  /** Of the unit that keeps the claims of an external id. */
  | { readonly type: 'claim'; readonly claim: ExternalClaim }
  /** The service id of an AnyId; refused with `notFound` where there is no such object here. */
  | { readonly type: 'locate'; readonly tenant: Tenant; readonly kind: string; readonly target: string }
  | { readonly type: 'event'; readonly tenant: Tenant; readonly id: string }
  | { readonly type: 'events'; readonly asked: readonly EventsAsked[] }
  /** Answered once the shared shard is known here up to the sequence, and nobody can be read any more who was wiped by it. */
  | { readonly type: 'awaitShared'; readonly sequence: number };

export type AskType = Ask['type'];

/** What each ask is answered with. */
export interface Answers {
  readonly execute: Executed;
  readonly query: unknown;
  readonly recordShared: null;
  readonly sharedSequence: number;
  readonly newSharedId: string;
  readonly findExternal: string | null;
  readonly actor: PackedActor | null;
  readonly count: number;
  readonly claim: string | null;
  readonly locate: string;
  readonly event: StoredEvent | null;
  readonly events: EventsOfUnit;
  readonly awaitShared: null;
}

/** A state as it is stored, with its parts by their names. */
export interface PackedActor {
  readonly state: unknown;
  readonly parts: Readonly<Record<string, unknown>>;
}

interface Executed {
  readonly outcome: Outcome;
  /** How far the shared shard had come here: whoever reads after the command sees at least that. */
  readonly sharedSequence: number;
}
