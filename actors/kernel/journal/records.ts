import { addExtension, Packr } from 'msgpackr';
import { assert, type Day } from '../../../engine/index.js';
import { Decimal } from '../../wire/values.js';
import {
  type Agent,
  type EffectiveTime,
  type EventRefs,
  type ExternalIds,
  type Fact,
  type Mode,
  type StoredEvent,
  tenantOf,
} from '../fact.js';
import { DECIMAL_TYPE, Packer } from './packer.js';
import { readPacked, readPackedStart } from './read-packed.js';

/**
 * The records of a shard's journal, as msgpack arrays led by a tag. Plain maps and arrays only, so that a record
 * can be read without those before it.
 */
export type JournalRecord =
  | { readonly type: 'fact'; readonly sequence: number; readonly fact: Fact; readonly idCounter: number }
  | { readonly type: 'event'; readonly sequence: number; readonly event: EventHead }
  | { readonly type: 'reply'; readonly sequence: number; readonly reply: StoredReply };

/** The references of an event, without its data. */
export type EventHead = Omit<StoredEvent, 'data' | 'externalIds'>;

/** The answer to an accepted command, kept for its retries. */
export interface StoredReply {
  readonly commandId: string;
  readonly digest: string;
  readonly status: number | null;
  readonly message: string | null;
  readonly operationId: string | null;
  /** The reply's data as its JSON text: a retry gets the same text. */
  readonly dataText: string;
  /** The owner of the key that seals `dataText`, which is then in base64; null when it shows no personal data. */
  readonly sealedFor: string | null;
  /** Machine time in milliseconds. */
  readonly at: number;
  /** The newest stamp of what it answers; absent in earlier releases. */
  readonly stamp?: number;
}

/** Amounts and rates in the data of events keep their digits: `12.50` stays `12.50`. */
addExtension({
  Class: Decimal,
  type: DECIMAL_TYPE,
  pack: ({ text }: Decimal): Buffer => Buffer.from(text, 'latin1'),
  unpack: (digits: Uint8Array): Decimal => new Decimal(Buffer.from(digits).toString('latin1')),
});

const packr = new Packr({ useRecords: false, moreTypes: false, int64AsType: 'number' });

export const pack = (value: unknown): Uint8Array => packr.pack(value);

/** What the service has packed itself, in the shape in which it was packed, which is not checked again: a start reads millions of them. */
export function unpack<Packed = unknown>(bytes: Uint8Array): Packed {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was packed is read
  return packr.unpack(bytes) as Packed;
}

const FACT = 0;
const EVENT = 1;
const REPLY = 2;

const packer = new Packer();

/** The caller, the tenant and the command: the same for all facts of a command, so it is packed once. */
type Origin = Pick<Fact, 'tenant' | 'by' | 'address' | 'requestId' | 'commandId' | 'schemaVersion' | 'rulesVersion'>;
let newestOrigin: { readonly of: Origin; readonly packed: Uint8Array } | null = null;

/** `body`: stored in place of the fact's own. */
export function packFact(fact: Fact, idCounter: number, body: unknown = fact.body): Uint8Array {
  const { effective } = fact;
  packer.begin().array(4).number(FACT);
  packer.array(8).text(fact.kind).text(fact.id).text(fact.type).number(fact.stamp).number(fact.businessAt);
  if (effective) packer.array(2).number(effective.day).number(effective.seconds);
  else packer.null();
  packer.textOrNull(fact.caseId);
  putOrigin(fact);
  return packer.value(body).number(idCounter).end();
}

function putOrigin(origin: Fact): void {
  if (newestOrigin && isSameOrigin(newestOrigin.of, origin)) {
    packer.raw(newestOrigin.packed);
    return;
  }
  const from = packer.length;
  packer.array(8).text(origin.tenant.company).text(origin.tenant.mode);
  putAgent(origin.by);
  packer.textOrNull(origin.address).text(origin.requestId).text(origin.commandId).number(origin.schemaVersion).number(origin.rulesVersion);
  const { tenant, by, address, requestId, commandId, schemaVersion, rulesVersion } = origin;
  newestOrigin = { of: { tenant, by, address, requestId, commandId, schemaVersion, rulesVersion }, packed: packer.since(from) };
}

const isSameOrigin = (one: Origin, other: Origin): boolean =>
  one.commandId === other.commandId &&
  one.requestId === other.requestId &&
  one.tenant === other.tenant &&
  one.by === other.by &&
  one.address === other.address &&
  one.schemaVersion === other.schemaVersion &&
  one.rulesVersion === other.rulesVersion;

export function packEvent(event: StoredEvent): Uint8Array {
  const { tenant, refs } = event;
  packer.begin().array(5).number(EVENT);
  packer.array(12).text(event.id).text(tenant.company).text(tenant.mode).text(event.eventType).text(event.objectType).text(event.objectId);
  packer.number(event.stamp).number(event.occurredAt).number(event.sequence).text(event.orderKey);
  putAgent(event.by);
  packer.boolean(event.isReplay).array(REFERENCES.length);
  for (const name of REFERENCES) packer.textOrNull(refs[name]);
  packer.value(event.data);
  putExternalIds(event.externalIds);
  return packer.end();
}

export function packReply(reply: StoredReply): Uint8Array {
  packer.begin().array(10).number(REPLY).text(reply.commandId).text(reply.digest);
  if (reply.status === null) packer.null();
  else packer.number(reply.status);
  packer.textOrNull(reply.message).textOrNull(reply.operationId).text(reply.dataText).number(reply.at).textOrNull(reply.sealedFor);
  if (reply.stamp === undefined) packer.null();
  else packer.number(reply.stamp);
  return packer.end();
}

function putExternalIds(ids: ExternalIds | undefined): void {
  if (ids === undefined || EXTERNAL.every((name) => ids[name] == null)) {
    packer.null();
    return;
  }
  packer.array(EXTERNAL.length);
  for (const name of EXTERNAL) packer.textOrNull(ids[name]);
}

function putAgent({ type, id, userId }: Agent): void {
  packer
    .array(userId === undefined ? 2 : 3)
    .text(type)
    .text(id);
  if (userId !== undefined) packer.text(userId);
}

/** The offset of the tag: after the head of its array. */
const TAG_AT = 1;
/** A record as `packFact`, `packEvent` and `packReply` write it. */
type FactRecord = readonly [tag: typeof FACT, head: HeadFields, body: unknown, idCounter: number];
type EventHeadRecord = readonly [tag: typeof EVENT, head: EventFields, references: EventReferences];
type EventReferences = readonly (string | null)[];
type EventRecord = readonly [...EventHeadRecord, data: Record<string, unknown>, externalIds?: readonly (string | null)[] | null];
type ReplyRecord = readonly [
  tag: typeof REPLY,
  commandId: string,
  digest: string,
  status: number | null,
  message: string | null,
  operationId: string | null,
  dataText: string,
  at: number,
  sealedFor?: string | null,
  stamp?: number | null,
];

/**
 * Reads records that this or an earlier release wrote; of an event only its references, as `readEvent` reads the rest. The bytes come from
 * a journal whose hashes were checked.
 */
export function readRecord(bytes: Uint8Array, sequence: number): JournalRecord {
  switch (bytes[TAG_AT]) {
    case FACT: {
      const fields = readPacked<FactRecord>(bytes);
      return { type: 'fact', sequence, fact: readFact(fields, sequence), idCounter: fields[3] };
    }
    case EVENT:
      return { type: 'event', sequence, event: readEventHead(bytes) };
    case REPLY:
      return { type: 'reply', sequence, reply: readReply(bytes) };
    case undefined:
    default:
      assert(false, `record ${sequence} has the unknown tag ${String(bytes[TAG_AT])}`);
  }
}

export function readEventHead(bytes: Uint8Array): EventHead {
  const [, head, references] = readPackedStart<EventHeadRecord>(bytes, 3);
  return eventHeadOf(head, references);
}

export const readEvent = (bytes: Uint8Array): StoredEvent => readEventFields(readPacked<EventRecord>(bytes));
export const readReply = (bytes: Uint8Array): StoredReply => readReplyFields(readPacked<ReplyRecord>(bytes));

type HeadFields = readonly [string, string, string, number, number, readonly [Day, number] | null, string | null, OriginFields];
type OriginFields = readonly [string, Mode, AgentFields, string | null, string, string, number, number];

function readFact([, head, body]: FactRecord, sequence: number): Fact {
  const [kind, id, type, stamp, businessAt, effective, caseId, origin] = head;
  const [company, mode, by, address, requestId, commandId, schemaVersion, rulesVersion] = origin;
  const effectiveTime: EffectiveTime | null = effective ? { day: effective[0], seconds: effective[1] } : null;
  return {
    sequence,
    tenant: tenantOf(company, mode),
    kind,
    id,
    type,
    body,
    stamp,
    businessAt,
    effective: effectiveTime,
    by: agentOf(by),
    address,
    caseId,
    requestId,
    commandId,
    schemaVersion,
    rulesVersion,
  };
}

type EventFields = readonly [string, string, Mode, string, string, string, number, number, number, string, AgentFields, boolean];

function readEventFields([, head, references, data, externalIds]: EventRecord): StoredEvent {
  return { data, externalIds: externalIdsOf(externalIds), ...eventHeadOf(head, references) };
}

function eventHeadOf(head: EventFields, references: EventReferences): EventHead {
  const [id, company, mode, eventType, objectType, objectId, stamp, occurredAt, sequence, orderKey, by, isReplay] = head;
  return {
    id,
    tenant: tenantOf(company, mode),
    eventType,
    objectType,
    objectId,
    stamp,
    occurredAt,
    sequence,
    orderKey,
    by: agentOf(by),
    isReplay,
    refs: refsOf(references),
  };
}

/** The position of each reference of an event in its record. */
const REFERENCES = [
  'personId',
  'loanId',
  'drawId',
  'caseId',
  'transactionId',
  'interactionId',
] as const satisfies readonly (keyof EventRefs)[];

/** The position of each external id of an event in its record; those of earlier releases end before the cases. */
const EXTERNAL = [
  'personId',
  'loanId',
  'transactionId',
  'drawId',
  'caseId',
  'interactionId',
] as const satisfies readonly (keyof ExternalIds)[];

function externalIdsOf(fields: readonly (string | null)[] | null | undefined): ExternalIds {
  const ids: { -readonly [Name in keyof ExternalIds]: ExternalIds[Name] } = {};
  for (const [index, name] of EXTERNAL.entries()) {
    const id = fields?.[index];
    if (typeof id === 'string') ids[name] = id;
  }
  return ids;
}

function refsOf(fields: EventReferences): EventRefs {
  const refs: { -readonly [Name in keyof EventRefs]: EventRefs[Name] } = {};
  for (const [index, name] of REFERENCES.entries()) {
    const id = fields[index];
    if (typeof id === 'string') refs[name] = id;
  }
  return refs;
}

function readReplyFields(fields: ReplyRecord): StoredReply {
  const [, commandId, digest, status, message, operationId, dataText, at, sealedFor = null, stamp] = fields;
  return { commandId, digest, status, message, operationId, dataText, at, sealedFor, ...(stamp == null ? {} : { stamp }) };
}

type AgentFields = readonly [Agent['type'], string, string?];

const agentOf = ([type, id, userId]: AgentFields): Agent => (userId === undefined ? { type, id } : { type, id, userId });
