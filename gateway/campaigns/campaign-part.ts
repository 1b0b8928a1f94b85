import {
  type Blobs,
  CampaignRunner,
  campaignsOf,
  type CompanyState,
  type Engine,
  type Question,
  type QuestionAnswer,
  Questions,
  type QueryRequest,
  Refusal,
  type Services,
  SettlementRunner,
  type Tenant,
  type ViewStore,
} from '../../actors/index.js';
import { ContentStore } from '../documents/content-store.js';
import type { Engine as GatewayEngine } from '../local-caller.js';
import type { AddressRules } from '../outgoing.js';
import { fetchQueryList } from './query-tool.js';
import { askReport, listReports } from './reports.js';
import { putBySftp } from './sftp.js';

export interface CampaignPartOptions {
  readonly views: ViewStore;
  /** Addresses that query tools and SFTP servers may have. */
  readonly rules: AddressRules;
  readonly report: (level: 'warn' | 'error', message: string, details: Readonly<Record<string, unknown>>) => void;
}

interface CampaignPartParts {
  /** That of the shared shard. */
  readonly engine: Engine;
  /** Where borrowers of all shards are asked; absent: the same engine. */
  readonly objects?: GatewayEngine;
  readonly blobs: Blobs;
}

interface Running {
  readonly questions: Questions;
  readonly runner: CampaignRunner;
  readonly settlements: SettlementRunner;
}

/** Campaigns, questions and settlements, on the process that owns the shared shard: it fills the views, and executes the runs. */
export class CampaignPart {
  #running: Running | null = null;

  constructor(private readonly options: CampaignPartOptions) {}

  /** What the engine answers with this part's help. */
  readonly services: Services = {
    queries: {
      'question.check': async (request) => {
        await this.#parts.questions.check((request.query as { readonly sql: string }).sql);
        return {};
      },
      'question.ask': (request, tenant) => this.#ask(request, tenant),
      'report.list': () => listReports(),
      'report.run': (request, tenant) => askReport(this.#parts.questions, tenant, request.params['reportName'] ?? ''),
    },
    commands: {},
  };

  start({ engine, objects = engine, blobs }: CampaignPartParts): this {
    const { views, rules, report } = this.options;
    const questions = new Questions({ engine, asked: objects, store: views });
    const runner = new CampaignRunner({
      engine,
      asked: objects,
      questions,
      contents: new ContentStore(blobs),
      outside: {
        fetchList: (asked) => fetchQueryList(rules, asked),
        putFile: (address, name, content) => putBySftp(rules, address, name, content),
      },
      report: (message, details) => report('warn', message, details),
    }).start();
    const settlements = new SettlementRunner({
      engine,
      asked: objects,
      contents: new ContentStore(blobs),
      putFile: (address, name, content) => putBySftp(rules, address, name, content),
      report: (message, details) => report('warn', message, details),
    }).start();
    this.#running = { questions, runner, settlements };
    void this.#warm(engine, questions);
    return this;
  }

  /** In the background: the views that campaigns will ask, so that the first run of the morning need not wait for them. */
  async #warm(engine: Engine, questions: Questions): Promise<void> {
    for (const tenant of engine.tenants()) {
      const company = engine.stateOf<CompanyState>(tenant, 'company', tenant.company);
      const asking = company === undefined ? [] : [...campaignsOf(company).values()].map(({ stored }) => stored);
      for (const seesPersonalData of [false, true]) {
        const isAsked = asking.some(
          (each) => each.status === 'active' && each.query !== null && each.seesPersonalData === seesPersonalData,
        );
        if (!isAsked || this.#running === null) continue;
        await questions.warm(tenant, seesPersonalData).catch((cause: unknown) => {
          this.options.report('warn', 'views could not be filled; the next question fills them', { ...tenant, cause: String(cause) });
        });
      }
    }
  }

  /** Executes what is to run, and resolves when it is done: for tests. */
  async settled(): Promise<void> {
    await this.#running?.runner.settled();
  }

  /** Goes on with settlements by one step, for tests. */
  async settlementsAdvanced(): Promise<void> {
    await this.#running?.settlements.run();
  }

  async close(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.settlements.close();
    await running?.runner.close();
    await this.options.views.close();
  }

  async #ask({ query }: QueryRequest, tenant: Tenant): Promise<QuestionAnswer> {
    const { sql, seesPersonalData } = query as Question;
    return { object: 'questionAnswer', ...(await this.#parts.questions.ask(tenant, { sql, seesPersonalData })) };
  }

  get #parts(): Running {
    if (this.#running === null) throw new Refusal('unavailable', 'Nobody answers questions at the moment.', { retryAfterSeconds: 1 });
    return this.#running;
  }
}
