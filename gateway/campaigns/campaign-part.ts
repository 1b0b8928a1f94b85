import {
  type Blobs,
  CampaignRunner,
  type Engine,
  type Question,
  type QuestionAnswer,
  Questions,
  type QueryRequest,
  Refusal,
  type Services,
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
  report(level: 'warn' | 'error', message: string, details: Readonly<Record<string, unknown>>): void;
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
}

/** Campaigns and questions, on the process that owns the shared shard: it fills the views, and executes the runs. */
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
      'report.run': (request, tenant) => askReport(this.#parts.questions, tenant, request.params['name'] ?? ''),
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
    this.#running = { questions, runner };
    return this;
  }

  /** Executes what is to run, and resolves when it is done: for tests. */
  async settled(): Promise<void> {
    await this.#running?.runner.settled();
  }

  async close(): Promise<void> {
    const running = this.#running;
    this.#running = null;
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
