import { CardRunner, type CardsSeen, type Engine, type Tenant } from '../../actors/index.js';
import type { EngineCalls } from '../engine-calls.js';
import type { AddressRules } from '../outgoing.js';
import { CardHttp } from './card-http.js';

export interface CardPartOptions {
  /** Addresses that processors of cards may have. */
  readonly rules: AddressRules;
  readonly report: (level: 'warn' | 'error', message: string, details: Readonly<Record<string, unknown>>) => void;
}

interface CardPartParts {
  /** That of the shared shard. */
  readonly engine: Engine;
  /** Where loans and borrowers of all shards are asked; absent: the same engine. */
  readonly objects?: EngineCalls;
}

/** Payments by card, on the process that owns the shared shard. */
export class CardPart {
  #runner: CardRunner | null = null;

  constructor(private readonly options: CardPartOptions) {}

  start({ engine, objects = engine }: CardPartParts): this {
    const { rules, report } = this.options;
    this.#runner = new CardRunner({
      engine,
      asked: objects,
      servers: new CardHttp(rules),
      report: (message, details) => report('warn', message, details),
    }).start();
    return this;
  }

  /** What was done for the processors of a company since the start. */
  seen(tenant: Tenant): readonly CardsSeen[] {
    return this.#runner?.seen(tenant) ?? [];
  }

  /** Does what is to do, and resolves when it is done: for tests. */
  async settled(): Promise<void> {
    await this.#runner?.settled();
  }

  async close(): Promise<void> {
    const runner = this.#runner;
    this.#runner = null;
    await runner?.close();
  }
}
