import { createHash, randomUUID } from 'node:crypto';
import { Refusal } from '../../errors.js';
import { textOf } from '../../wire.js';
import type { CommandRequest, Outcome, QueryRequest } from '../actor.js';
import { SYSTEM_AGENT, type Tenant } from '../fact.js';

const NOTHING: ReadonlySet<string> = new Set();

interface Command {
  readonly type: string;
  readonly target: string;
  readonly body: object;
  readonly params?: Readonly<Record<string, string>>;
  /** What happens once, however often it is asked for. */
  readonly key?: string;
}

/** Where borrowers, loans and other objects of all shards are asked. */
export interface AskedEngine {
  execute(command: CommandRequest): Promise<Outcome>;
  query(request: QueryRequest): Promise<unknown>;
}

/** The engine of the shared shard, as work for all shards needs it: it knows the companies. */
export interface SharedEngine {
  tenants(): readonly Tenant[];
  stateOf<State>(tenant: Tenant, kind: string, id: string): State | undefined;
  /** Milliseconds of the company's clock. */
  now(tenant: Tenant): number;
  companyZone(tenant: Tenant): string;
  machineMs(): number;
}

/** What a part of the service asks of the engine for one company and mode. */
export class ServiceCalls {
  constructor(
    private readonly asked: AskedEngine,
    private readonly tenant: Tenant,
  ) {}

  async query<Result>(
    type: string,
    target: string | null,
    query: object = {},
    params: Readonly<Record<string, string>> = {},
  ): Promise<Result> {
    const { company, mode } = this.tenant;
    return (await this.asked.query({ company, mode, type, target, params, query, permissions: NOTHING })) as Result;
  }

  async command<Result>({ type, target, body, params = {}, key }: Command): Promise<Result> {
    const { company, mode } = this.tenant;
    const commandId = key ?? `service-${randomUUID()}`;
    const digest = createHash('sha256').update(JSON.stringify(body)).digest('hex');
    const { data } = await this.asked.execute({
      commandId,
      company,
      mode,
      type,
      target,
      params,
      body,
      actor: SYSTEM_AGENT,
      permissions: NOTHING,
      address: null,
      requestId: commandId,
      ...(key === undefined ? {} : { idempotency: { key, digest } }),
    });
    // The stored reply of a first try is text.
    return (data === undefined ? undefined : JSON.parse(textOf(data))) as Result;
  }
}

/** Whether a refusal says that the same is to be asked again later. */
export const isForNow = (cause: unknown): boolean =>
  cause instanceof Refusal &&
  (cause.statusCode >= 500 || cause.statusCode === 429 || cause.errorType === 'idempotencyInProgress' || cause.errorType === 'loanLocked');
