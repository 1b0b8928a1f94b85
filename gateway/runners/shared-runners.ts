import { setTimeout as pause } from 'node:timers/promises';
import typia from 'typia';
import {
  BankStatementRunner,
  type Blobs,
  BORROWER_UNITS,
  type CampaignMeasure,
  CampaignRunner,
  campaignsOf,
  type CompanyState,
  CreditFileRunner,
  type Engine,
  GeneralLedgerReading,
  GeneralLedgerRunner,
  KEPT_FILES,
  LoanSections,
  OutsideFault,
  type PutFile,
  type QueryRequest,
  type Question,
  type QuestionAnswer,
  type QuestionMeasure,
  Questions,
  isForNow,
  Refusal,
  RetentionRunner,
  type Services,
  SettlementRunner,
  SHARED_SHARD,
  TapeRunner,
  type Tenant,
  type ViewStore,
} from '../../actors/index.js';
import { ContentStore } from '../documents/content-store.js';
import type { EngineCalls } from '../engine-calls.js';
import type { AddressRules } from '../outgoing.js';
import { FILE_PGP } from '../pgp/pgp.js';
import { fetchQueryList } from './query-tool.js';
import { askReport, type AskedReport, listReports, reportFile } from './reports.js';
import { type ServerKeyMeasure, ServerKeys } from './server-keys.js';
import { putToBucket } from './s3.js';
import { putBySftp } from './sftp.js';
import { zipped } from './zip.js';

/** The routes check what a caller sends: a fault here is a bug. */
const assertQuestion = typia.createAssert<Question>();
const assertChecked = typia.createAssert<Pick<Question, 'sql'>>();

/** How often views are asked for in the background while the service starts, and the pause between, in milliseconds. */
const WARM_TRIES = 200;
const WARM_PAUSE_MS = 3_000;

/** Counts what campaigns, questions and deliveries of files come to. */
export type RunnerMeasure = CampaignMeasure & QuestionMeasure & ServerKeyMeasure;

export interface SharedRunnersOptions {
  readonly views: ViewStore;
  /** Addresses that query tools and SFTP servers may have. */
  readonly rules: AddressRules;
  readonly measure?: RunnerMeasure;
  /** Fewer loans in a section of a file, for tests. */
  readonly sectionLoans?: () => number | undefined;
  /** Fewer rows in a view that has a most of them, for tests. */
  readonly mostRows?: () => number | undefined;
  /** Fewer actors of views that are kept, for tests. */
  readonly keptFrom?: () => number | undefined;
  readonly report: (level: 'warn' | 'error', message: string, details: Readonly<Record<string, unknown>>) => void;
}

interface SharedRunnersParts {
  /** That of the shared shard. */
  readonly engine: Engine;
  /** Where borrowers of all shards are asked; absent: the same engine. */
  readonly objects?: EngineCalls;
  readonly blobs: Blobs;
}

interface Running {
  readonly engine: Engine;
  readonly contents: ContentStore;
  readonly questions: Questions;
  readonly runner: CampaignRunner;
  readonly creditFiles: CreditFileRunner;
  readonly settlements: SettlementRunner;
  readonly tapes: TapeRunner;
  readonly statements: BankStatementRunner;
  readonly generalLedger: GeneralLedgerRunner;
  readonly ledgerReading: GeneralLedgerReading;
  readonly retention: RetentionRunner;
}

/**
 * Campaigns, questions, files for credit agencies, settlements, loan tapes, statements of banks and books, and how long files are kept, on
 * the owner of the shared shard: it fills the views, and executes the runs.
 */
export class SharedRunners {
  #running: Running | null = null;

  readonly #keys: ServerKeys;

  constructor(private readonly options: SharedRunnersOptions) {
    this.#keys = new ServerKeys(options);
  }

  /** What the engine answers with this part's help. */
  readonly services: Services = {
    queries: {
      'question.check': async (request) => {
        await this.#parts.questions.check(assertChecked(request.query).sql);
        return {};
      },
      'question.ask': (request, tenant) => this.#ask(request, tenant),
      'report.list': (_request, tenant) => listReports(this.#companyOf(tenant)),
      'report.run': (request, tenant) => askReport(this.#parts.questions, this.#asked(request, tenant)),
      'generalLedger.entries': (request, tenant) => this.#parts.ledgerReading.list(request, tenant),
      'generalLedger.entry': (request, tenant) => this.#parts.ledgerReading.get(request, tenant),
      'generalLedger.report': (request, tenant) => this.#parts.ledgerReading.report(request, tenant),
      'generalLedger.openOfPeriod': (request, tenant) => this.#parts.ledgerReading.openOfPeriod(request, tenant),
      'report.file': (request, tenant) => reportFile(this.#parts.questions, this.#parts.contents, this.#asked(request, tenant)),
    },
    commands: {},
  };

  start({ engine, objects = engine, blobs }: SharedRunnersParts): this {
    const { views, rules, measure, report, sectionLoans, mostRows, keptFrom } = this.options;
    const measured = measure === undefined ? {} : { measure };
    const contents = new ContentStore(blobs);
    const shards = objects === engine ? [SHARED_SHARD] : BORROWER_UNITS.flatMap((unit) => unit.shards.slice(0, 1));
    const questions = new Questions({ engine, asked: objects, shards, store: views, mostRows, keptFrom, ...measured });
    const keys = this.#keys.start(engine);
    const putFile: PutFile = (tenant, ...file) => putBySftp({ tenant, rules, keys }, ...file);
    const runner = new CampaignRunner({
      engine,
      asked: objects,
      units: shards.length,
      questions,
      contents,
      ...measured,
      outside: {
        fetchList: (asked) => fetchQueryList(rules, asked),
        putFile,
      },
      report: (message, details) => report('warn', message, details),
    }).start();
    const reportWarning = (message: string, details: Readonly<Record<string, unknown>>): void => report('warn', message, details);
    const outside = { putFile, pgp: FILE_PGP, isFault: (cause: unknown): cause is Error => cause instanceof OutsideFault };
    const creditFiles = new CreditFileRunner({
      engine,
      asked: objects,
      contents,
      outside,
      report: reportWarning,
    }).start();
    const settlements = new SettlementRunner({ engine, asked: objects, contents, putFile, report: reportWarning }).start();
    const sections = new LoanSections({ asked: objects, shards, store: views, machineMs: () => engine.machineMs(), sectionLoans });
    const tapes = new TapeRunner({
      engine,
      asked: objects,
      sections,
      contents,
      zip: zipped,
      outside: { ...outside, putToBucket: (bucket, file) => putToBucket(rules, bucket, file) },
      report: reportWarning,
    }).start();
    const statements = new BankStatementRunner({ engine, asked: objects, contents, questions, report: reportWarning }).start();
    const generalLedger = new GeneralLedgerRunner({ engine, asked: objects, contents, outside, report: reportWarning }).start();
    const ledgerReading = new GeneralLedgerReading({
      engine,
      asked: objects,
      wasRead: (tenant, batchId) => generalLedger.compareLater(tenant, batchId),
      sealedThrough: (tenant) => generalLedger.sealedThrough(tenant),
    });
    const kinds = KEPT_FILES.map(({ kind }) => kind);
    const retention = new RetentionRunner({ engine, asked: objects, contents, kinds, report: reportWarning }).start();
    this.#running = {
      engine,
      contents,
      questions,
      runner,
      creditFiles,
      settlements,
      tapes,
      statements,
      generalLedger,
      ledgerReading,
      retention,
    };
    void this.#warm(engine, questions);
    return this;
  }

  /** In the background: the views that campaigns will ask, so that the first run of the morning need not wait for them. */
  async #warm(engine: Engine, questions: Questions): Promise<void> {
    for (const tenant of engine.tenants()) {
      const company = engine.stateOf<CompanyState>(tenant, 'company', tenant.company);
      for (const { stored } of company === undefined ? [] : campaignsOf(company).values()) {
        const { status, query, seesPersonalData } = stored;
        if (status !== 'active' || query === null || this.#running === null) continue;
        await this.#warmed(() => questions.warm(tenant, { sql: query, seesPersonalData })).catch((cause: unknown) => {
          if (this.#running === null) return; // it is closing
          this.options.report('warn', 'views could not be filled; the next question fills them', { ...tenant, cause: String(cause) });
        });
      }
    }
  }

  /** Once the service has started: until then it reads its list index, or other workers take their units. */
  async #warmed(warm: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries += 1)
      try {
        return await warm();
      } catch (cause) {
        const isStarting = isForNow(cause) && this.#running !== null;
        if (!isStarting || tries >= WARM_TRIES) throw cause;
        await pause(WARM_PAUSE_MS, undefined, { ref: false });
      }
  }

  /** Executes what is to run, and resolves when it is done: for tests. */
  async settled(): Promise<void> {
    await this.#running?.runner.settled();
    await this.#running?.creditFiles.settled();
  }

  /** Resolves when all questions are answered and views are kept, for tests. */
  async viewsKept(): Promise<void> {
    await this.#running?.questions.settled();
  }

  /** Goes on with settlements by one step, for tests. */
  async settlementsAdvanced(): Promise<void> {
    await this.#running?.settlements.run();
  }

  /** Makes and sends the files of loan tapes that are due, for tests. */
  async tapesSettled(): Promise<void> {
    await this.#running?.tapes.settled();
  }

  /** Matches the statements of banks, for tests. */
  async statementsSettled(): Promise<void> {
    await this.#running?.statements.settled();
  }

  /** Seals the days of the books that are over, and writes the files that are ordered, for tests. */
  async ledgerSettled(): Promise<void> {
    await this.#running?.generalLedger.settled();
  }

  /** Drops the files whose time is over, for tests. */
  async retentionSettled(): Promise<void> {
    await this.#running?.retention.settled();
  }

  async close(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.retention.close();
    await running?.statements.close();
    await running?.generalLedger.close();
    await running?.settlements.close();
    await running?.tapes.close();
    await running?.runner.close();
    await running?.creditFiles.close();
    await this.options.views.close();
  }

  #companyOf(tenant: Tenant): CompanyState | undefined {
    return this.#parts.engine.stateOf<CompanyState>(tenant, 'company', tenant.company);
  }

  #asked({ params }: QueryRequest, tenant: Tenant): AskedReport {
    return { tenant, company: this.#companyOf(tenant), name: params['reportName'] ?? '' };
  }

  async #ask({ query }: QueryRequest, tenant: Tenant): Promise<QuestionAnswer> {
    const { sql, seesPersonalData } = assertQuestion(query);
    return { object: 'questionAnswer', ...(await this.#parts.questions.ask(tenant, { sql, seesPersonalData })) };
  }

  get #parts(): Running {
    if (this.#running === null) throw new Refusal('unavailable', 'Nobody answers questions at the moment.', { retryAfterSeconds: 1 });
    return this.#running;
  }
}
