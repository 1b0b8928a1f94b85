import { day, type Day, NEWEST_RULES } from '../../engine/index.js';
import type { Tenant } from './ids.js';
import { ERASURE } from './known-names.js';

export { keyBelow, type Mode, modeOf, type Tenant, tenantKey, tenantOf } from './ids.js';

/**
 * Who ordered a change. `user` works for the lender, `borrower` is signed in to the portal. `system` is the service itself: daily work,
 * settlement, automatic status changes.
 */
export interface Agent {
  readonly type: 'key' | 'user' | 'borrower' | 'system';
  readonly id: string;
  readonly userId?: string;
}

export const SYSTEM_AGENT: Agent = { type: 'system', id: 'system' };

/** A moment on the loan's own time axis: a date in its zone and seconds since midnight. */
export interface EffectiveTime {
  readonly day: Day;
  readonly seconds: number;
}

/** One thing that happened, in the past tense. It never changes its meaning and is never deleted. */
export interface Fact {
  /** Position in the shard's journal. */
  readonly sequence: number;
  readonly tenant: Tenant;
  /** The actor that it is about. */
  readonly kind: string;
  readonly id: string;
  readonly type: string;
  readonly body: unknown;
  /** Machine time in microseconds, strictly rising over the process: the recorded axis and the order of events. */
  readonly stamp: number;
  /** The company's clock in milliseconds: machine time, or the test clock of a test mode. */
  readonly businessAt: number;
  readonly effective: EffectiveTime | null;
  readonly by: Agent;
  readonly address: string | null;
  readonly caseId: string | null;
  readonly requestId: string;
  readonly commandId: string;
  readonly schemaVersion: number;
  readonly rulesVersion: number;
}

/** The fact about a file that names many persons: its contents are no longer kept, and its data key goes like that of a person. */
export const CONTENTS_DROPPED = 'ContentsDropped';

/** Whether the data key of the actor is destroyed once a fact of this type is durable. */
export const destroysKey = (type: string): boolean => type === ERASURE || type === CONTENTS_DROPPED;

/** The shape of fact bodies written today. Older shapes stay readable for ever. */
export const SCHEMA_VERSION = 1;

/** The version of the ledger's rules that facts written today were decided under; with its first such fact a loan adopts it. */
export const RULES_VERSION = NEWEST_RULES;

/** What `decide` asks to be recorded; the runtime adds the rest of the envelope. */
export interface FactDraft<Body = unknown> {
  readonly type: string;
  readonly body: Body;
  readonly effective?: EffectiveTime;
  /** The case under which it was ordered, where the body does not name it. */
  readonly caseId?: string | null;
  /** Another actor on the same shard: the batch is one, so both happen or neither. Default: the actor that decides. */
  readonly target?: { readonly kind: string; readonly id: string };
}

/** What the envelope of a fact has besides its draft and its actor. */
type Envelope = Pick<Fact, 'sequence' | 'stamp' | 'businessAt' | 'by' | 'requestId' | 'commandId'> &
  Partial<Pick<Fact, 'address' | 'caseId'>>;

/** The fact that a draft becomes: of an actor, in its envelope, under the rules of today. */
export const factOf = (
  { type, body, effective }: FactDraft,
  { tenant, kind, id }: Pick<Fact, 'tenant' | 'kind' | 'id'>,
  { sequence, stamp, businessAt, by, address = null, caseId = null, requestId, commandId }: Envelope,
): Fact => ({
  sequence,
  tenant,
  kind,
  id,
  type,
  body,
  stamp,
  businessAt,
  effective: effective ?? null,
  by,
  address,
  caseId,
  requestId,
  commandId,
  schemaVersion: SCHEMA_VERSION,
  rulesVersion: RULES_VERSION,
});

interface Typed {
  readonly type: string;
  readonly body: unknown;
}

/** A test of the type of a fact, after which its body is known; `Facts` maps the types of a kind of actor to their bodies. */
export const factTest =
  <Facts>() =>
  <Draft extends Typed, Type extends keyof Facts & string>(
    draft: Draft,
    type: Type,
  ): draft is Draft & { readonly type: Type; readonly body: Facts[Type] } =>
    draft.type === type;

/** The bodies of the facts of one type; `Facts` maps the kind's types to their bodies. */
export function bodiesOf<Facts, Type extends keyof Facts & string>(facts: readonly FactDraft[], type: Type): readonly Facts[Type][] {
  const isFact = factTest<Facts>();
  const bodies: Facts[Type][] = [];
  for (const draft of facts) if (isFact(draft, type)) bodies.push(draft.body);
  return bodies;
}

/** An event before it has its id and number. Names and data keys are those of the contract. */
export interface EventDraft {
  readonly eventType: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly refs: EventRefs;
  /** The caller's own ids of the objects of the event, as the actor knows them; the runtime adds those of borrower, loan and case. */
  readonly externalIds?: ExternalIds;
  /** Ids, amounts, dates and states; never personal data. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The business moment in milliseconds; default is the company's clock. */
  readonly occurredAt?: number;
}

/** References of an event; the order key is the first of loan, case, person and company. */
export interface EventRefs {
  readonly personId?: string;
  readonly loanId?: string;
  readonly drawId?: string;
  readonly caseId?: string;
  readonly transactionId?: string;
  readonly interactionId?: string;
}

/** The caller's ids of referenced objects, under the names of `EventRefs`; null where there is none. */
export type ExternalIds = Readonly<Partial<Record<keyof EventRefs, string | null>>>;

export interface StoredEvent extends EventDraft {
  readonly id: string;
  readonly tenant: Tenant;
  readonly stamp: number;
  readonly occurredAt: number;
  /** Rises by one for each order key. */
  readonly sequence: number;
  readonly orderKey: string;
  readonly by: Agent;
  readonly isReplay: boolean;
}

/** A changed field, as events show it. */
export interface FieldChange {
  readonly field: string;
  readonly oldValue: unknown;
  readonly newValue: unknown;
}

type Shown = Readonly<Record<string, unknown>>;

/** The differences between two states as the API shows them. */
export const fieldChanges = (before: Shown, after: Shown): readonly FieldChange[] =>
  Object.entries(after).flatMap(([field, newValue]) => {
    const oldValue = before[field];
    return JSON.stringify(oldValue) === JSON.stringify(newValue) ? [] : [{ field, oldValue, newValue }];
  });

/**
 * Deadlines are moments, for which days are too coarse. An actor that waits for a moment is on the agenda of this zone, whose days last a
 * second; they are never closed, but are over when the tenant's time has passed them.
 */
export const MOMENTS = 'moments';

/** The first day of the zone on which a moment has come. */
export const dayOfMoment = (milliseconds: number): Day => day(Math.ceil(milliseconds / 1000));

/** Today of the zone. */
export const momentsToday = (now: number): Day => day(Math.floor(now / 1000));
