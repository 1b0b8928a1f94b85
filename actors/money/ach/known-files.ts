import type { ServiceCalls } from '../../kernel/jobs/service-calls.js';
import type { AchFileWork, FilesOfProcessor } from './view.js';

/** The files of one processor, sent and received, as the service knows them. */
export class KnownFiles {
  constructor(
    private readonly calls: ServiceCalls,
    private readonly paymentProcessorId: string,
  ) {}

  /** Their ids and what each waits for. */
  all(): Promise<FilesOfProcessor> {
    return this.calls.query<FilesOfProcessor>('achFile.ofProcessor', null, { processorId: this.paymentProcessorId });
  }

  work(id: string): Promise<AchFileWork> {
    return this.calls.query<AchFileWork>('achFile.work', id);
  }

  /** Records what has happened to a file; `verb` is that of the command. */
  async record(id: string, verb: string, body: object): Promise<void> {
    await this.calls.command({ type: `achFile.${verb}`, target: id, body });
  }
}
