import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { endsWithUs } from '../../cli/children.js';

export interface Posting {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts the posting with Fastify and PostgreSQL in a process of its own. */
export async function startPosting(postgresPort: number, loans: number): Promise<Posting> {
  const child = endsWithUs(
    fork(resolve(import.meta.dirname, 'posting-service.js'), [String(postgresPort), String(loans)], {
      env: { ...process.env, NODE_ENV: 'production' },
    }),
  );
  const port = await new Promise<number>((done, failed) => {
    child.once('message', (message) => done(Number(message)));
    child.once('exit', (code) => failed(new Error(`the posting service ended with code ${code ?? 'none'}`)));
  });
  return {
    port,
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}
