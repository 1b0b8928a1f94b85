import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ActorModule,
  closedZones,
  type CommandRequest,
  DayWorkRunner,
  type DeliveryAdapter,
  NoticeDirector,
  Engine,
  type EngineParts,
  type KeyStore,
  type KeyValue,
  type Mode,
  type Outcome,
  Refusal,
  SHARED_UNIT,
  toJsonText,
} from '../../actors/index.js';
import { must } from '../../engine/index.js';
import { companyZone } from '../../actors/company/index.js';
import { SHARED_SHARD } from '../../actors/kernel/limits.js';
import { Scope } from '../../actors/kernel/shard/scope.js';
import { tenantOf } from '../../actors/kernel/ids.js';
import {
  AddressRules,
  type Backlog,
  AchPart,
  CardPart,
  SharedRunners,
  clusterEventSource,
  engineEventSource,
  HttpOutgoing,
  ProcessMetrics,
  Webhooks,
} from '../../gateway/index.js';
import {
  type FileLayer,
  FolderBlobs,
  KEPT_VIEWS,
  nodeFiles,
  type OpenedKeyStore,
  openJournal,
  openKeyStore,
  type OpenedSnapshots,
  openSnapshots,
  QuestionStore,
} from '../../persistence/index.js';
import { clusterAsEngine } from '../cluster/in-process/cluster-as-engine.js';
import { LocalCluster, type LocalClusterOptions, LocalDisks, type LocalGateway } from '../cluster/in-process/local-cluster.js';
import { Gate } from '../gate.js';
import { scratchFolder } from '../temp-folder.js';

export interface HarnessOptions {
  /** Time for which a command waits for mass work. */
  readonly lockWaitMs?: number;
  /** What its company is made of beside a name and a time zone. */
  readonly company?: object;
  /** What the journal of one process lies on. */
  readonly files?: FileLayer;
}

export interface Ask {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: unknown;
  readonly mode?: Mode;
  readonly permissions?: readonly string[];
  readonly key?: string;
  readonly system?: boolean;
  readonly company?: string;
}

/** The service under test: one process, or a cluster with all units within this process. */
export type Over = 'oneProcess' | 'cluster';

/**
 * One engine, or a cluster, with the real journal, LMDB and key store in a temporary folder, and a clock that the test sets.
 */
export class Harness {
  nowMs = Date.parse('2026-03-02T15:00:00Z');
  /** The part of `nowMs` by which the machine's clock was set forward. */
  jumpedMs = 0;
  readonly folder = scratchFolder();
  #forgets = false;
  #keys: KeyStore | null = null;
  #webhooks: Webhooks | null = null;
  #campaigns: SharedRunners | null = null;
  #ach: AchPart | null = null;
  #cards: CardPart | null = null;
  #dayWork: DayWorkRunner | null = null;
  #director: NoticeDirector | null = null;
  /** Late work by name and mode, as of the last look. */
  lateWork: ReadonlyMap<string, number> = new Map();
  /** Since its last start. */
  metrics = new ProcessMetrics();
  /** The deliveries that wait for receivers of webhooks. */
  backlog: (() => Backlog) | null = null;
  #stores: OpenedSnapshots | null = null;
  readonly reports: string[] = [];
  /** Takes e-mails to the users of companies. */
  mail: DeliveryAdapter['submit'] = () => Promise.resolve({ providerMessageId: 'none' });
  /** Fewer loans in a section of a file. */
  sectionLoans: number | undefined;
  /** Fewer rows in views that have a most of them. */
  mostRows: number | undefined;
  /** Fewer actors of views that are kept for the next start; in one process. */
  keptFrom: number | undefined;
  engine: Engine;
  /** Used in place of one engine. */
  cluster: { readonly cluster: LocalCluster; readonly gateway: LocalGateway } | null = null;
  company = '';

  /** The disks of a cluster. */
  readonly #disks = new LocalDisks();
  readonly #flushes = new Gate();

  private constructor(
    private readonly modules: () => readonly ActorModule[],
    private readonly over: Over,
    private readonly options: HarnessOptions,
  ) {
    this.engine = undefined as never;
  }

  static async open(modules: () => readonly ActorModule[], over: Over = 'oneProcess', options: HarnessOptions = {}): Promise<Harness> {
    const harness = new Harness(modules, over, options);
    await harness.start();
    return harness;
  }

  async start(): Promise<void> {
    const stores = openSnapshots({ folder: this.#snapshots });
    this.#stores = stores;
    const keys = await openKeyStore({ folder: join(this.folder, 'keys'), masterKey: MASTER_KEY });
    this.#keys = keys;
    this.#webhooks = new Webhooks({
      stores,
      keys: this.keys,
      outgoing: new HttpOutgoing(new AddressRules(LOOPBACK), OUTGOING_MS),
      nowMs: () => this.nowMs,
      random: () => 0.5,
      mail: { submit: (message, files) => this.mail(message, files) },
      measure: { tried: () => undefined, delivering: (backlog) => void (this.backlog = backlog) },
      report: (_level, message, details) => this.reports.push(`${message} ${JSON.stringify(details)}`),
    });
    this.metrics = new ProcessMetrics();
    const measure = this.metrics.campaigns();
    this.#ach = new AchPart({
      rules: new AddressRules(LOOPBACK),
      measure,
      report: (_level, message, details) => this.reports.push(`${message} ${JSON.stringify(details)}`),
    });
    this.#cards = new CardPart({
      rules: new AddressRules(LOOPBACK),
      report: (_level, message, details) => this.reports.push(`${message} ${JSON.stringify(details)}`),
    });
    this.#campaigns = new SharedRunners({
      views: this.#views(keys),
      rules: new AddressRules(LOOPBACK),
      measure,
      sectionLoans: () => this.sectionLoans,
      mostRows: () => this.mostRows,
      keptFrom: () => this.keptFrom,
      report: (_level, message, details) => this.reports.push(`${message} ${JSON.stringify(details)}`),
    });
    const parts: Pick<EngineParts, 'clock' | 'keys' | 'idKey' | 'companyZone' | 'services' | 'report' | 'lockWaitMs'> = {
      ...this.options,
      clock: { now: () => this.nowMs, monotonicMs: () => this.nowMs - this.jumpedMs },
      services: {
        ...this.webhooks.services,
        queries: { ...this.webhooks.services.queries, ...this.campaigns.services.queries, ...this.ach.services.queries },
        commands: {
          ...this.webhooks.services.commands,
          'delivery.forget': () => Promise.resolve({ data: undefined, replayed: false }), // nothing lies unencrypted beside the journal
        },
      },
      keys: this.keys,
      idKey: createHash('sha256').update('a test').digest(),
      companyZone,
      report: (level, message, details) => {
        if (level !== 'info') this.reports.push(`${message} ${JSON.stringify(details)}`);
      },
    };
    if (this.over === 'cluster') return this.#startCluster(parts);
    this.engine = await Engine.open({
      ...parts,
      openJournal: async () =>
        this.#flushes.before(
          await openJournal({ folder: join(this.folder, 'journal'), files: this.options.files ?? nodeFiles, segmentBytes: SEGMENT_BYTES }),
        ),
      stores,
      modules: this.modules(),
    });
  }

  #views(keys: OpenedKeyStore): QuestionStore {
    const views = new QuestionStore({
      folder: join(this.folder, 'questions'),
      ...(this.over === 'oneProcess' ? { kept: { folder: join(this.folder, KEPT_VIEWS), masterKey: MASTER_KEY } } : {}),
      report: (level, message) => {
        if (level !== 'info') this.reports.push(message);
      },
    });
    keys.onDestroy((owner) => owner.startsWith('BO-') && views.eraseKept());
    return views;
  }

  /** Nothing of borrowers becomes durable until the returned function is called. */
  holdFlushes(): () => void {
    return this.#flushes.close();
  }

  /** Starts deliveries of webhooks to receivers on this machine, by the clock of the harness. */
  deliver(): void {
    const blobs = new FolderBlobs(join(this.folder, 'documents'));
    const engine = this.cluster?.cluster.engine(SHARED_UNIT) ?? this.engine;
    this.#dayWork = new DayWorkRunner({
      engine,
      asked: this.cluster?.gateway.client ?? engine,
      zones: (tenant) => closedZones(engine.world, tenant),
      banks: (tenant) => this.ach.seen(tenant),
      cards: (tenant) => this.cards.seen(tenant),
      measure: { late: (counts) => void (this.lateWork = counts) },
      report: (message, details) => this.reports.push(`${message} ${JSON.stringify(details)}`),
    });
    this.#director = new NoticeDirector({
      engine,
      asked: this.cluster?.gateway.client ?? engine,
      report: (message, details) => this.reports.push(`${message} ${JSON.stringify(details)}`),
    });
    if (!this.cluster) {
      this.campaigns.start({ engine: this.engine, blobs });
      this.ach.start({ engine: this.engine, blobs });
      this.cards.start({ engine: this.engine });
      return this.webhooks.start({ engine: this.engine, source: engineEventSource(this.engine) });
    }
    const {
      cluster,
      gateway: { client },
    } = this.cluster;
    this.campaigns.start({ engine: cluster.engine(SHARED_UNIT), objects: client, blobs });
    this.ach.start({ engine: cluster.engine(SHARED_UNIT), objects: client, blobs });
    this.cards.start({ engine: cluster.engine(SHARED_UNIT), objects: client });
    this.webhooks.start({ engine: cluster.engine(SHARED_UNIT), source: clusterEventSource(client.events), objects: client });
  }

  get webhooks(): Webhooks {
    return must(this.#webhooks, 'the harness has started');
  }

  /** Campaigns and questions, once `deliver` was called. */
  get campaigns(): SharedRunners {
    return must(this.#campaigns, 'the harness has started');
  }

  /** Files for banks, once `deliver` was called. */
  get ach(): AchPart {
    return must(this.#ach, 'the harness has started');
  }

  /** Payments by card, once `deliver` was called. */
  get cards(): CardPart {
    return must(this.#cards, 'the harness has started');
  }

  /** Looks at the automatic work of all companies, which nothing else does in tests, once `deliver` was called. */
  get dayWork(): DayWorkRunner {
    return must(this.#dayWork, 'deliver was called');
  }

  /** Brings notices to other borrowers, which nothing else does in tests, once `deliver` was called. */
  get director(): NoticeDirector {
    return must(this.#director, 'deliver was called');
  }

  /** The store of the progress of deliveries. */
  get outbox(): KeyValue {
    return must(this.#stores, 'the harness has started').outbox;
  }

  async #startCluster(parts: Omit<LocalClusterOptions, 'modules'>): Promise<void> {
    const cluster = await LocalCluster.open(
      { ...parts, modules: this.modules, wrap: (journal, unit) => (unit === SHARED_UNIT ? journal : this.#flushes.before(journal)) },
      this.#disks,
    );
    const gateway = await cluster.gateway();
    this.engine = clusterAsEngine(cluster, gateway);
    this.cluster = { cluster, gateway };
  }

  get stores(): OpenedSnapshots {
    return must(this.#stores, 'the harness has started');
  }

  get keys(): KeyStore {
    return must(this.#keys, 'the harness has started');
  }

  /** The scope of reads on the shard of `beside`, in test mode. */
  scope(beside: string): Scope {
    const { world } = this.engine;
    const [tenant, shard] = [tenantOf(this.company, 'test'), must(world.shardOf(beside), beside)];
    return new Scope({ world, keys: this.keys, tenant, shard, now: this.nowMs });
  }

  get #snapshots(): string {
    return join(this.folder, 'snapshots');
  }

  /** All bytes on disk except the keys. They must not contain personal data. */
  written(): string {
    const parts = this.cluster ? ['snapshots'] : ['journal', 'snapshots'];
    const files = parts.flatMap((part) => {
      const folder = join(this.folder, part);
      return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
    });
    return [...files, this.#disks.written()].join('');
  }

  /** Makes the next start read the whole journal. */
  forgetSnapshots(): void {
    this.#forgets = true;
  }

  async close(): Promise<void> {
    await this.#dayWork?.close();
    await this.#director?.close();
    await this.campaigns.close();
    await this.ach.close();
    await this.cards.close();
    await this.webhooks.close();
    await this.engine.close();
    if (this.over === 'oneProcess') return; // one engine closes what it was given
    await this.#stores?.close();
    await this.keys.close();
  }

  /** Closes the engine and opens another one on the same data. */
  async restart(): Promise<void> {
    await this.close();
    if (this.#forgets) rmSync(this.#snapshots, { recursive: true, force: true });
    if (this.#forgets) this.#disks.forgetSnapshots();
    await this.start();
  }

  /** Creates a company in both modes, as the operator does. */
  async makeCompany(body: object = {}): Promise<void> {
    const filled = { name: 'Northwind Lending', timezone: 'America/New_York', ...body };
    const created = await this.command('company.create', null, filled, { system: true });
    this.company = (created.data as { readonly id: string }).id;
    await this.command('company.create', null, filled, { system: true, mode: 'live', params: { newId: this.company } });
  }

  async command(type: string, target: string | null, body: unknown = {}, ask: Ask = {}): Promise<Outcome> {
    const request: CommandRequest = {
      commandId: ask.key ?? randomUUID(),
      company: ask.company ?? this.company,
      mode: ask.mode ?? 'test',
      type,
      target,
      params: ask.params ?? {},
      body,
      query: ask.query ?? {},
      actor: ask.system ? { type: 'system', id: 'system' } : { type: 'key', id: 'AK-TEST-TEST' },
      permissions: new Set(ask.permissions ?? []),
      address: '127.0.0.1',
      requestId: 'request',
      ...(ask.key === undefined ? {} : { idempotency: { key: ask.key, digest: digest(body) } }),
    };
    if (type === 'company.create' && request.company === '') {
      const id = this.engine.world.ids.encode('CP', SHARED_SHARD, 1);
      return this.engine.execute({ ...request, company: id, params: { newId: id } });
    }
    return this.engine.execute(request);
  }

  /** The data of a command's reply, as a client would parse it. */
  async data(type: string, target: string | null, body: unknown = {}, ask: Ask = {}): Promise<Data> {
    return plain((await this.command(type, target, body, ask)).data);
  }

  async query(type: string, target: string | null, query: unknown = {}, ask: Ask = {}): Promise<Data> {
    const result = await this.engine.query({
      company: ask.company ?? this.company,
      mode: ask.mode ?? 'test',
      type,
      target,
      params: ask.params ?? {},
      query,
      permissions: new Set(ask.permissions ?? []),
    });
    return plain(result);
  }

  /** The refusal of a command. */
  async refusal(type: string, target: string | null, body: unknown = {}, ask: Ask = {}): Promise<Refusal> {
    return refusalOf(this.command(type, target, body, ask));
  }
}

export const MASTER_KEY = new Uint8Array(32).fill(7);

const LOOPBACK = ['127.0.0.0/8'];

/** Timeout of receivers on this machine, which may be busy. */
const OUTGOING_MS = 60_000;

/** Small segments, so that a start writes little. */
const SEGMENT_BYTES = 256 * 1024;

/** A reply after it was printed as JSON and parsed. */
export interface Data {
  readonly id: string;
  readonly [property: string]: unknown;
}

export const plain = (data: unknown): Data => JSON.parse(data === undefined ? '{}' : toJsonText(data)) as Data;

/** Items of a list's reply. */
export const itemsOf = (list: Data): readonly Data[] => list['items'] as readonly Data[];

export async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  try {
    await work;
  } catch (cause) {
    if (cause instanceof Refusal) return cause;
    throw cause;
  }
  throw new Error('nothing was refused');
}

const digest = (body: unknown): string => createHash('sha256').update(JSON.stringify(body)).digest('hex');
