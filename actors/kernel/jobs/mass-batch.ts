import { Refusal } from '../../errors.js';
import type { CommandRequest, CommandSpec } from '../actor.js';
import type { Ticket } from '../journal/committer.js';
import { agendaOf, catchUpActor, NOT_ASKED, pendingDrafts } from '../shard/pending.js';
import { type FactDraft, SYSTEM_AGENT, type Tenant } from '../fact.js';
import { EVERY_PERMISSION } from '../../permission.js';
import { environmentOf } from '../ports.js';
import type { Runtime } from '../shard/runtime.js';
import type { Scope } from '../shard/scope.js';
import { Work } from '../shard/work.js';
import type { CachedActor } from '../shard/world.js';
import type { MassAdvanced, MassCommand, MassFailure, MassWork } from './mass-works.js';

/** What computing for mass work needs of the engine. */
export interface MassBatchHost {
  runtime(): Runtime;
  scope(tenant: Tenant, shard: number): Scope;
  command(type: string): CommandSpec<unknown>;
  /** Called for an actor whose computation met a bug. */
  quarantine(actor: CachedActor, cause: unknown): void;
  isQuarantined(actorKey: string): boolean;
  /** Resolves when the remote state that the actor's own work may read is known here; null when it is known already. */
  missing(actor: CachedActor): Promise<void> | null;
}

/**
 * The part of mass work that is computed in one time slice on one shard: the facts of several actors, and the progress of the work, in one
 * block of the journal. An actor that cannot be computed is restored, and recorded as failed.
 */
export class MassBatch {
  readonly #runtime: Runtime;
  readonly #scope: Scope;
  readonly #work: Work;
  readonly #failures: MassFailure[] = [];
  readonly #actors: CachedActor[] = [];
  #changed = 0;
  #unchanged = 0;
  #through = 0;

  /** `mass` is null for daily work without a known closed day. */
  constructor(
    private readonly host: MassBatchHost,
    private readonly mass: MassWork | null,
    tenant: Tenant,
    private readonly shard: number,
  ) {
    this.#runtime = host.runtime();
    this.#scope = host.scope(tenant, shard);
    const id = mass?.operationId ?? 'daily';
    const origin = { by: mass?.task.type === 'command' ? mass.by : SYSTEM_AGENT, address: null, requestId: id, commandId: id };
    this.#work = new Work(this.#runtime, shard, this.#scope, origin);
  }

  /** How many were computed. */
  get count(): number {
    return this.#changed + this.#unchanged + this.#failures.length;
  }

  /**
   * Computes one actor, and records what it has pending, or what the ordered command decides. `createdStamp`: its position in the order of
   * creation. An actor that no longer exists counts as unchanged.
   */
  take(actor: CachedActor | undefined, createdStamp: number): void {
    this.#through = Math.max(this.#through, createdStamp);
    if (!actor) {
      this.#unchanged += 1;
      return;
    }
    if (!this.#isCommand && this.#pending(actor) === null) {
      this.#unchanged += 1;
      this.#runtime.world.index(actor); // it is not due: put it back on its day of the agenda
      return;
    }
    const mark = this.#work.mark();
    const undo = new Undo(actor);
    try {
      const { moved, failure } = this.#compute(actor, mark.events, undo);
      if (failure) this.#failures.push({ id: actor.id, ...failure });
      else if (moved) this.#changed += 1;
      else this.#unchanged += 1;
      this.#actors.push(actor);
    } catch (cause) {
      if (environmentOf(cause) !== null) throw cause; // the loan is sound, and is computed again from sound snapshots
      const isAlone = this.#work.touched.length <= mark.touched + 1 && this.#work.erased.length === mark.erased;
      if (!this.#isCommand || !(cause instanceof Refusal)) this.host.quarantine(actor, cause);
      if (!isAlone) throw cause; // all of memory is computed again
      this.#work.undo(mark);
      undo.restore();
      if (!this.#isCommand) this.#runtime.world.agenda.set(actor.key, null);
      this.#failures.push({ id: actor.id, ...failureOf(cause) });
    }
  }

  /** Hands everything to the gathering batch, and returns the changed actors; null when there is nothing to record. */
  commit(isLast: boolean): { readonly ticket: Ticket; readonly actors: readonly CachedActor[] } | null {
    if (this.mass && (this.count > 0 || isLast)) this.#work.recordProgress(this.#advanced(this.mass, isLast));
    const ticket = this.#work.commit();
    return ticket && { ticket, actors: this.#actors };
  }

  get #isCommand(): boolean {
    return this.mass?.task.type === 'command';
  }

  #pending(actor: CachedActor): Iterable<FactDraft> | null {
    return pendingDrafts(actor.definition, actor.state, agendaOf(actor), this.#scope);
  }

  /** Whether anything was recomputed, and why the actor failed all the same. */
  #compute(
    actor: CachedActor,
    eventsBefore: number,
    undo: Undo,
  ): { readonly moved: boolean; readonly failure: Omit<MassFailure, 'id'> | null } {
    let moves = 0;
    let failure: Omit<MassFailure, 'id'> | null = null;
    const { isRecomputation } = actor.definition;
    const recorder: Pick<Work, 'record'> = {
      record: (draft, of) => {
        undo.keep();
        this.#work.record(draft, of);
      },
    };
    const record = (drafts: Iterable<FactDraft>): void => {
      for (const draft of drafts) {
        if (isRecomputation?.(draft) !== false) moves += 1;
        recorder.record(draft, actor);
      }
    };
    const pending = this.#pending(actor);
    if (pending !== null) undo.keep();
    record(pending ?? []);
    if (this.mass?.task.type === 'command') {
      const request = requestOf(this.mass, this.mass.task, actor);
      const {
        facts,
        events = [],
        failure: ownFailure = null,
      } = this.host
        .command(request.type)
        .decide({ id: actor.id, state: actor.state, body: request.body, command: request, env: this.#scope, besideId: null });
      record(facts);
      failure = ownFailure;
      for (const event of events) this.#work.emit(event);
    }
    catchUpActor(actor, this.#scope, recorder);
    return { moved: moves > 0 || this.#work.events.length > eventsBefore, failure };
  }

  #advanced({ operationId }: MassWork, isLast: boolean): MassAdvanced {
    return {
      operationId,
      shard: this.shard,
      through: this.#through,
      changed: this.#changed,
      unchanged: this.#unchanged,
      failures: this.#failures,
      isLast,
    };
  }
}

/** Restores an actor that could not be computed. Its state is copied before the first fact, since many commands decide nothing. */
class Undo {
  #kept: Pick<CachedActor, 'state' | 'lastSequence' | 'eventSequence'> | null = null;

  constructor(private readonly actor: CachedActor) {}

  keep(): void {
    const { definition, state, lastSequence, eventSequence } = this.actor;
    this.#kept ??= { state: definition.clone(state), lastSequence, eventSequence };
  }

  restore(): void {
    Object.assign(this.actor, this.#kept, { agendaSequence: NOT_ASKED });
  }
}

/** The command that the user who ordered the work would have sent for this actor. */
export function requestOf(
  { tenant: { company, mode }, by, operationId }: MassWork,
  task: MassCommand,
  { id }: CachedActor,
): CommandRequest {
  return {
    commandId: operationId,
    requestId: operationId,
    company,
    mode,
    type: task.command,
    target: id,
    params: {},
    body: task.body,
    query: {},
    actor: by,
    permissions: MAY_ALL,
    address: null,
  };
}

/** The permission was checked when the work was ordered. */
const MAY_ALL: ReadonlySet<string> = new Set([EVERY_PERMISSION]);

const failureOf = (cause: unknown): Omit<MassFailure, 'id'> =>
  cause instanceof Refusal
    ? { errorType: cause.errorType, message: cause.message }
    : { errorType: 'internalError', message: 'It could not be computed: see the log.' };
