import { createHash } from 'node:crypto';
import { assert, Bug, must } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import type { CommandRequest, CommandSpec, Decision, Outcome, Reply } from '../actor.js';
import type { Ticket } from '../journal/committer.js';
import { type Fact, type FactDraft, factOf, SYSTEM_AGENT, type Tenant, tenantOf } from '../fact.js';
import { LIMITS, SHARED_SHARD } from '../limits.js';
import { operationIdOf } from '../jobs/operations.js';
import { namesIn, ownedBy } from '../snapshots/at-rest.js';
import { nothingPersonal } from '../journal/known-keys.js';
import { LOAN } from '../known-names.js';
import { notHere } from './cluster-part.js';
import { agendaOf, catchUpActor, pendingDrafts, pendingThrough } from './pending.js';
import { storeReply } from './replies.js';
import type { Runtime } from './runtime.js';
import { Scope } from './scope.js';
import { type Origin, Work } from './work.js';
import type { CachedActor } from './world.js';

/**
 * One command from start to end, in one round of the event loop: find the actor, bring it up to date, decide, record the facts with the
 * events that they cause, and add all of it to the gathering batch. The answer waits for that batch (`answerOf`).
 *
 * `spec.decide` is the command's own function inside the rows of `actors/policies.ts` and `actors/reactions.ts` that concern it
 * (`underRules`): a policy may refuse or change the command, and the decision includes the facts of the reactions.
 *
 * Until the decision is made (`settle`), reading state of another unit of a cluster throws `RemoteStateRequired` (`asking`): the engine
 * fetches it and runs the command again. A command that once failed after its first fact is first simulated on a copy (`isSimulatedFirst`).
 */
export function runCommand(runtime: Runtime, spec: CommandSpec<unknown>, request: CommandRequest, isSimulatedFirst = false): Executed {
  const tenant = tenantOf(request.company, request.mode);
  const machineMs = runtime.machineMs();
  const now = runtime.world.calendars.now(tenant, machineMs);
  const location = locationOf(runtime, spec, request, tenant);
  if (!runtime.world.owns(location.shard)) throw notHere(request.type);
  const { world, keys, openZone } = runtime;
  const scope = new Scope({ world, keys, tenant, shard: location.shard, now, openZone });
  const asking = scope.asking();
  const actor = location.actor ?? runtime.world.initial(tenant, spec.kind, newActorId(runtime, scope, spec, request));

  if (location.actor && !world.isWhole) fetchReferred(location.actor, asking);
  if (location.actor && isSimulatedFirst && spec.catchesUp !== false) applyToCopy(runtime, actor, [], { request, scope });
  const caughtUp = location.actor && spec.catchesUp !== false ? catchUpBefore(runtime, location.actor, request, scope) : null;

  const decision = spec.decide({
    id: actor.id,
    state: actor.state,
    body: request.body,
    command: request,
    env: asking,
    besideId: location.besideId,
  });
  asking.settle();
  refusePersonalOfErased(runtime, { actor, request }, decision.facts);
  if (decision.preview)
    return { outcome: outcomeOf(preview(runtime, actor, decision, { request, scope })), ticket: caughtUp, erased: NOBODY };

  // A command that reads a list waits before anything is recorded. A command of a type that once failed after its first fact fails here,
  // where nothing has changed.
  if (isSimulatedFirst || !runtime.world.catalog.isComplete) preview(runtime, actor, decision, { request, scope });
  const work = workOf(runtime, location.shard, request, scope);
  const { reply, ticket } = asOneRecording(work, () => carryOut(runtime, work, decision, { spec, request, actor, scope }));
  // A reply that names an operation can be asked about by its id. What the service asks of itself is no operation of a caller.
  const isCallers = request.actor.type !== SYSTEM_AGENT.type;
  if ((ticket !== null && isCallers) || reply.operationId !== undefined) noteOperation(runtime, { request, actor }, reply, machineMs);
  return { outcome: outcomeOf(reply), ticket: ticket ?? caughtUp ?? actor.ticket, erased: work.erased };
}

/** Records what was decided, and what the command itself has made due. */
function carryOut(
  runtime: Runtime,
  work: Work,
  decision: Decision<unknown>,
  { spec, request, actor, scope }: Carrying,
): { readonly reply: Reply; readonly ticket: Ticket | null } {
  for (const draft of decision.facts) work.record(draft, actor);
  for (const event of decision.events ?? []) work.emit(event);
  if (spec.catchesUp !== false) catchUpActor(actor, scope, work);
  const reply = decision.reply(actor.state);
  if (request.idempotency && !work.isEmpty) storeReply(runtime, work, { request, actor }, reply);
  return { reply, ticket: work.commit() };
}

/** A command that was carried out in memory, and what its answer waits for. */
export interface Executed {
  readonly outcome: Outcome;
  /** Null when nothing was recorded. */
  readonly ticket: Ticket | null;
  /** Persons whose data keys have to be destroyed before the answer. */
  readonly erased: readonly string[];
}

const NOBODY: readonly string[] = [];

/** An answer that waits for nothing. */
export const answered = (outcome: Outcome): Executed => ({ outcome, ticket: null, erased: NOBODY });

/**
 * Resolves with the answer once everything in it is durable. Thousands of commands wait for one flush: each of them holds only its answer
 * and one promise, as the garbage collector copies everything that is held until the flush.
 */
export function answerOf({ outcome, ticket, erased }: Executed, erase: (persons: readonly string[]) => Promise<void>): Promise<Outcome> {
  if (erased.length > 0) return erasedBefore(outcome, ticket, () => erase(erased));
  return ticket === null || ticket.isDurable ? Promise.resolve(outcome) : ticket.durable.then(() => outcome);
}

async function erasedBefore(outcome: Outcome, ticket: Ticket | null, erase: () => Promise<void>): Promise<Outcome> {
  await ticket?.durable;
  await erase();
  return outcome;
}

/**
 * The facts that closed days require are a batch of their own, which stays even if the command is refused; null when nothing is
 * pending.
 */
function catchUpBefore(runtime: Runtime, actor: CachedActor, request: CommandRequest, scope: Scope): Ticket | null {
  if (pendingThrough(actor.definition, actor.state, agendaOf(actor), scope) === null) return null;
  const work = workOf(runtime, actor.shard, request, scope);
  return asOneRecording(work, () => {
    catchUpActor(actor, scope, work);
    return work.commit();
  });
}

/** Throws `RemoteStateRequired` for remote state that the actor's own work may read and that is not known here. */
export function fetchReferred({ definition, state }: CachedActor, asking: Scope): void {
  for (const reference of definition.refersTo?.(state, asking) ?? []) {
    if ('id' in reference) asking.read(reference.kind, reference.id);
    else asking.readBelow(reference.kind, reference.parentId);
  }
}

/** Memory has facts that no batch carries: it has to be computed again from the journal. The caller gets the cause. */
export class MemoryAhead extends Error {
  override readonly name = 'MemoryAhead';
}

/**
 * Memory has a command from its first fact on: an error after that is a bug, even a refusal. An error before it has changed nothing.
 */
function asOneRecording<T>(work: Work, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    if (!work.hasBegun) throw thrown;
    const cause = thrown instanceof Refusal ? new Bug('a command failed after its first fact', { cause: thrown }) : thrown;
    throw new MemoryAhead('memory is ahead of the journal', { cause });
  }
}

interface Carrying {
  readonly spec: CommandSpec<unknown>;
  readonly request: CommandRequest;
  readonly actor: CachedActor;
  readonly scope: Scope;
}

const workOf = (runtime: Runtime, shard: number, request: CommandRequest, scope: Scope): Work =>
  new Work(runtime, shard, scope, originOf(request));

const originOf = ({ actor, address, requestId, commandId }: CommandRequest): Origin => ({ by: actor, address, requestId, commandId });

/** Refuses a value of a client that could never be read again: of a borrower without a key nothing personal is recorded. */
function refusePersonalOfErased(
  { world: { atRest } }: Runtime,
  { actor, request }: Pick<Carrying, 'actor' | 'request'>,
  facts: readonly FactDraft[],
): void {
  const { personal } = actor.definition;
  if (personal?.refused === undefined || request.actor.type === 'system') return;
  for (const { body, target } of facts) {
    if (target !== undefined) continue;
    const [name] = namesIn(body, personal.refused);
    if (name === undefined) continue;
    const owner = personal.ownerOf(ownedBy(actor, body));
    if (!atRest.isGone(owner)) continue;
    throw nothingPersonal(owner, [{ path: name, expected: 'null or absent', message: 'cannot be stored: it is personal data' }]);
  }
}

interface CommandLocation {
  readonly actor: CachedActor | null;
  readonly shard: number;
  readonly besideId: string | null;
}

function locationOf(runtime: Runtime, spec: CommandSpec<unknown>, request: CommandRequest, tenant: Tenant): CommandLocation {
  const { place } = spec;
  if (place.on === 'root') return { actor: null, shard: rootShard(runtime, spec.kind, request), besideId: null };
  const kind = place.on === 'beside' ? place.kind : spec.kind;
  const target = must(request.target, `${request.type} needs a target`);
  const isUnlisted = spec.reachesUnlisted === true && runtime.world.find(tenant, kind, target) !== undefined;
  const id = isUnlisted ? target : runtime.locate(tenant, kind, target);
  const found = must(runtime.world.find(tenant, kind, id), `${id} is listed but has no state`);
  return place.on === 'beside' ? { actor: null, shard: found.shard, besideId: id } : { actor: found, shard: found.shard, besideId: null };
}

/** The command id determines the shard of a new root, so that a retry finds its first attempt. */
function rootShard({ world }: Runtime, kind: string, request: CommandRequest): number {
  const given = request.params['newId'];
  const isShared = world.definition(kind).isShared === true;
  assert(given === undefined || (world.shardOf(given) === SHARED_SHARD) === isShared, `${given ?? ''} is no id of a ${kind}`);
  if (isShared) return SHARED_SHARD;
  if (given !== undefined) return must(world.shardOf(given), `${given} is no id`);
  return rootShardOf(request.commandId);
}

/** The shard of a new borrower, from the id of the command that makes it. */
export const rootShardOf = (commandId: string): number => createHash('sha256').update(commandId).digest().readUInt32LE(0) % LIMITS.shards;

/** The operator may give the id of a new root, so that a company is the same in both modes. */
function newActorId(runtime: Runtime, scope: Scope, spec: CommandSpec<unknown>, request: CommandRequest): string {
  const given = request.params['newId'];
  return given !== undefined && request.actor.type === 'system' ? given : scope.newId(runtime.world.definition(spec.kind).prefix);
}

/** Applies the same facts to a copy: what a preview shows is what the command would record. */
function preview(runtime: Runtime, actor: CachedActor, decision: Decision<unknown>, simulated: Simulated): Reply {
  return decision.reply(applyToCopy(runtime, actor, decision.facts, simulated));
}

/** A command that is simulated, and the environment of its decision. */
export interface Simulated {
  readonly request: CommandRequest;
  readonly scope: Scope;
  /** The copy that the facts change; absent: of the actor's state. */
  readonly copy?: unknown;
}

/** Applies facts, and what they make due, to a copy of the actor's state; returns the copy. */
export function applyToCopy(
  runtime: Runtime,
  actor: CachedActor,
  facts: Iterable<FactDraft>,
  { request, scope, copy = actor.definition.clone(actor.state) }: Simulated,
): unknown {
  const apply = (draft: FactDraft): void => {
    if (!draft.target) actor.definition.evolve(copy, previewFact(runtime, actor, draft, { request, scope }), null, scope);
  };
  for (const draft of facts) apply(draft);
  for (const draft of pendingDrafts(actor.definition, copy, actor.definition.agenda?.(copy) ?? null, scope) ?? []) apply(draft);
  return copy;
}

function previewFact(runtime: Runtime, actor: CachedActor, draft: FactDraft, { request, scope }: Simulated): Fact {
  const sequence = runtime.world.position(actor.shard).sequence + 1;
  return factOf(draft, actor, { sequence, stamp: runtime.machineMs() * 1000, businessAt: scope.now, ...originOf(request) });
}

/** Mass work has an operation of its own. */
function noteOperation(runtime: Runtime, { request, actor }: Pick<Carrying, 'request' | 'actor'>, reply: Reply, at: number): void {
  const operationId = reply.operationId ?? operationIdOf(request.commandId);
  if (runtime.world.massWorks.get(actor.tenant, operationId)) return;
  const { failure } = reply;
  runtime.operations.put({
    operationId,
    tenant: actor.tenant,
    kind: request.type,
    loanId: actor.kind === LOAN ? actor.id : null,
    status: statusOf(reply),
    startedAt: at,
    finishedAt: reply.isUnderWay === true ? null : at,
    resultObjectId: objectIdOf(reply.data) ?? actor.id,
    errorType: failure?.errorType ?? null,
    errorMessage: failure?.message ?? null,
    progress: null,
  });
}

function statusOf({ failure, isUnderWay }: Reply): 'running' | 'succeeded' | 'failed' {
  if (failure !== undefined) return 'failed';
  return isUnderWay === true ? 'running' : 'succeeded';
}

function objectIdOf(data: unknown): string | null {
  const id = typeof data === 'object' && data !== null ? (data as { readonly id?: unknown }).id : undefined;
  return typeof id === 'string' ? id : null;
}

/** The outcome for the caller: without the owner of sealed data. */
function outcomeOf({ data, status, message, operationId }: Reply): Outcome {
  const outcome: { -readonly [Key in keyof Outcome]: Outcome[Key] } = { data, replayed: false };
  if (status !== undefined) outcome.status = status;
  if (message !== undefined) outcome.message = message;
  if (operationId !== undefined) outcome.operationId = operationId;
  return outcome;
}
