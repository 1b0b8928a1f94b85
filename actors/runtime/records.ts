import { Packr } from 'msgpackr';
import { assert, type Day } from '../../engine/index.js';
import type { Agent, EffectiveTime, EventRefs, Fact, Mode, StoredEvent } from './fact.js';

/**
 * The records of a shard's journal, as msgpack arrays led by a tag. Plain maps and arrays only, so that a record
 * can be read without those before it.
 */
export type JournalRecord =
  | { readonly type: 'fact'; readonly sequence: number; readonly fact: Fact; readonly idCounter: number }
  | { readonly type: 'event'; readonly sequence: number; readonly event: StoredEvent }
  | { readonly type: 'reply'; readonly sequence: number; readonly reply: StoredReply };

/** The answer to an accepted command, kept for its retries. */
export interface StoredReply {
  readonly commandId: string;
  readonly digest: string;
  readonly status: number | null;
  readonly message: string | null;
  readonly operationId: string | null;
  /** The reply's data as its JSON text: what is sent again is what was sent. */
  readonly dataText: string;
  /** Whose key `dataText` is sealed with, in base64; null when it shows no personal data. */
  readonly sealedFor: string | null;
  /** Machine time in milliseconds. */
  readonly at: number;
}

const packr = new Packr({ useRecords: false, moreTypes: false, int64AsType: 'number' });

export const pack = (value: unknown): Uint8Array => packr.pack(value);
export const unpack = (bytes: Uint8Array): unknown => packr.unpack(bytes);

const FACT = 0;
const EVENT = 1;
const REPLY = 2;

export function packFact(fact: Fact, idCounter: number): Uint8Array {
  const effective = fact.effective ? [fact.effective.day, fact.effective.seconds] : null;
  return pack([
    FACT,
    [fact.tenant.company, fact.tenant.mode, fact.kind, fact.id, fact.type, fact.stamp, fact.businessAt, effective,
      agentFields(fact.by), fact.address, fact.caseId, fact.requestId, fact.commandId, fact.schemaVersion, fact.rulesVersion],
    fact.body,
    idCounter,
  ]);
}

export function packEvent(event: StoredEvent): Uint8Array {
  return pack([
    EVENT,
    [event.id, event.tenant.company, event.tenant.mode, event.eventType, event.objectType, event.objectId, event.stamp,
      event.occurredAt, event.sequence, event.orderKey, agentFields(event.by), event.isReplay],
    event.refs,
    event.data,
  ]);
}

export function packReply(reply: StoredReply): Uint8Array {
  return pack([REPLY, reply.commandId, reply.digest, reply.status, reply.message, reply.operationId, reply.dataText, reply.at, reply.sealedFor]);
}

/** Reads what this or an earlier release wrote. The bytes come from a journal whose hashes were checked. */
export function readRecord(bytes: Uint8Array, sequence: number): JournalRecord {
  const fields = unpack(bytes) as readonly unknown[];
  switch (fields[0]) {
    case FACT:
      return { type: 'fact', sequence, fact: readFact(fields, sequence), idCounter: fields[3] as number };
    case EVENT:
      return { type: 'event', sequence, event: readEventFields(fields) };
    case REPLY:
      return { type: 'reply', sequence, reply: readReplyFields(fields) };
    default:
      assert(false, `record ${sequence} has the unknown tag ${String(fields[0])}`);
  }
}

export const readEvent = (bytes: Uint8Array): StoredEvent => readEventFields(unpack(bytes) as readonly unknown[]);
export const readReply = (bytes: Uint8Array): StoredReply => readReplyFields(unpack(bytes) as readonly unknown[]);

type HeadFields = readonly [string, Mode, string, string, string, number, number, readonly [Day, number] | null,
  AgentFields, string | null, string | null, string, string, number, number];

function readFact(fields: readonly unknown[], sequence: number): Fact {
  const [company, mode, kind, id, type, stamp, businessAt, effective, by, address, caseId, requestId, commandId,
    schemaVersion, rulesVersion] = fields[1] as HeadFields;
  const effectiveTime: EffectiveTime | null = effective ? { day: effective[0], seconds: effective[1] } : null;
  return {
    sequence, tenant: { company, mode }, kind, id, type, body: fields[2], stamp, businessAt, effective: effectiveTime,
    by: agentOf(by), address, caseId, requestId, commandId, schemaVersion, rulesVersion,
  };
}

type EventFields = readonly [string, string, Mode, string, string, string, number, number, number, string, AgentFields, boolean];

function readEventFields(fields: readonly unknown[]): StoredEvent {
  const [id, company, mode, eventType, objectType, objectId, stamp, occurredAt, sequence, orderKey, by, isReplay] =
    fields[1] as EventFields;
  return {
    id, tenant: { company, mode }, eventType, objectType, objectId, stamp, occurredAt, sequence, orderKey,
    by: agentOf(by), isReplay, refs: fields[2] as EventRefs, data: fields[3] as Record<string, unknown>,
  };
}

function readReplyFields(fields: readonly unknown[]): StoredReply {
  const [, commandId, digest, status, message, operationId, dataText, at, sealedFor = null] = fields as
    readonly [number, string, string, number | null, string | null, string | null, string, number, (string | null)?];
  return { commandId, digest, status, message, operationId, dataText, at, sealedFor };
}

type AgentFields = readonly [Agent['type'], string, string?];

const agentFields = (agent: Agent): AgentFields =>
  agent.userId === undefined ? [agent.type, agent.id] : [agent.type, agent.id, agent.userId];

const agentOf = ([type, id, userId]: AgentFields): Agent => (userId === undefined ? { type, id } : { type, id, userId });
