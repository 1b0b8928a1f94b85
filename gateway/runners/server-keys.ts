import {
  type CompanyState,
  type Engine,
  type Mode,
  OutsideFault,
  Refusal,
  ServiceCalls,
  serverKeyOf,
  type Tenant,
} from '../../actors/index.js';
import { must } from '../../engine/index.js';

/** Counts servers that had another key than the known one. */
export interface ServerKeyMeasure {
  serverKeyRefused(mode: Mode): void;
}

interface ServerKeysOptions {
  readonly measure?: ServerKeyMeasure;
  readonly report: (level: 'warn' | 'error', message: string, details: Readonly<Record<string, unknown>>) => void;
}

/** The recorded keys of the servers of files of all companies, on the process that owns the shared shard. */
export class ServerKeys {
  #engine: Pick<Engine, 'stateOf' | 'execute' | 'query'> | null = null;

  constructor(private readonly options: ServerKeysOptions) {}

  /** `engine`: that of the shared shard. */
  start(engine: Pick<Engine, 'stateOf' | 'execute' | 'query'>): this {
    this.#engine = engine;
    return this;
  }

  /** The key with which a server has let the company in before, as SHA-256 in base64. */
  recorded(tenant: Tenant, host: string): string | undefined {
    const company = this.#started.stateOf<CompanyState>(tenant, 'company', tenant.company);
    return company && serverKeyOf(company, host);
  }

  /** Resolves when the key is durable. Throws `OutsideFault` where that cannot be done now, or another connection has found another key. */
  async record(tenant: Tenant, body: { readonly host: string; readonly hostKey: string; readonly isConfigured: boolean }): Promise<void> {
    try {
      await new ServiceCalls(this.#started, tenant).command({ type: 'company.recordServerKey', target: tenant.company, body });
    } catch (cause) {
      if (cause instanceof Refusal) throw new OutsideFault(`The key of the server could not be recorded: ${cause.message}`, { cause });
      throw cause;
    }
  }

  refused({ company, mode }: Tenant, host: string): void {
    this.options.measure?.serverKeyRefused(mode);
    this.options.report('error', 'a server of files has another key than before', { company, mode, host });
  }

  get #started(): Pick<Engine, 'stateOf' | 'execute' | 'query'> {
    if (this.#engine !== null) return this.#engine;
    throw new Refusal('unavailable', 'The keys of servers are not loaded yet. Try again in a second.', { retryAfterSeconds: 1 });
  }
}

const DEFAULT_PORT = ':22';

/** The check of one server's key, before the client says who it is. */
export class ServerKeyCheck {
  /** As keys are recorded: in lower case and with the port. */
  readonly #address: string;
  readonly #recorded: string | undefined;
  #presented: string | null = null;

  /** `hostKey`: the configured one. */
  constructor(
    private readonly keys: ServerKeys,
    private readonly tenant: Tenant,
    private readonly server: { readonly host: string; readonly hostKey?: string },
  ) {
    const host = server.host.toLowerCase();
    this.#address = host.includes(':') ? host : `${host}${DEFAULT_PORT}`;
    this.#recorded = keys.recorded(tenant, this.#address);
  }

  get options(): { readonly hostHash: 'sha256'; readonly hostVerifier: (hash: string) => boolean } {
    return {
      hostHash: 'sha256',
      hostVerifier: (hash) => {
        this.#presented = Buffer.from(hash, 'hex').toString('base64').replace(/=+$/, '');
        return !this.#isOther;
      },
    };
  }

  /** The server has let the client in: its key is recorded before anything is read or written. */
  async accept(): Promise<void> {
    const hostKey = must(this.#presented ?? undefined, 'a server shows its key before it lets anybody in');
    if (this.#recorded === hostKey) return;
    await this.keys.record(this.tenant, { host: this.#address, hostKey, isConfigured: this.server.hostKey !== undefined });
  }

  /** Why a connection has failed, in words of the service. */
  faultOr(other: string): string {
    if (!this.#isOther) return other;
    this.keys.refused(this.tenant, this.#address);
    if (this.server.hostKey !== undefined) return 'the server has another key than the configured one';
    return `the server has another key, SHA256:${this.#presented ?? ''}, than before; if it is the right one, configure it`;
  }

  get #isOther(): boolean {
    const known = this.server.hostKey ?? this.#recorded;
    return this.#presented !== null && known !== undefined && known !== this.#presented;
  }
}
