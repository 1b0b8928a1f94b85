import type { Registry } from 'prom-client';
import type { ShardsReport } from '../actors/index.js';
import { healthPages, metricsPage, type Readiness } from './health.js';
import { listen } from './http/server.js';
import { json, type Page, pageAnswers, type PageReaders, plainText } from './pages.js';

/** This machine and private networks. */
export const PRIVATE_ADDRESSES = ['127.0.0.0/8', '::1', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'];

/** What a process tells its operators beside the interface. */
export interface OperatorPagesOptions {
  readonly readiness: () => Readiness;
  readonly registry: Registry;
  /** How the shards stand: of this process, or of the whole cluster. */
  readonly shards: () => Promise<ShardsReport>;
}

export const operatorPages = ({ readiness, registry, shards }: OperatorPagesOptions, isDraining: () => boolean): readonly Page[] => [
  ...healthPages(readiness, isDraining),
  metricsPage(registry),
  shardsPage(shards),
];

/** `/health/shards`, which `tenor shards` prints. */
const shardsPage = (shards: () => Promise<ShardsReport>): Page => ({
  path: '/health/shards',
  isForOperators: true,
  respond: async () => {
    try {
      return json(200, await shards());
    } catch (cause) {
      return json(503, { message: `The shards cannot be told at the moment: ${cause instanceof Error ? cause.message : String(cause)}` });
    }
  },
});

export interface OperatorServerOptions extends OperatorPagesOptions, PageReaders {
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  readonly onFailure: (cause: unknown) => void;
}

export interface OperatorServer {
  readonly port: number;
  close(): Promise<void>;
}

/** The operators' pages of a process that serves no interface. Throws when the address is taken. */
export async function startOperatorServer(options: OperatorServerOptions): Promise<OperatorServer> {
  let isDraining = false;
  const answer = pageAnswers(
    operatorPages(options, () => isDraining),
    options,
  );
  const server = await listen({
    host: options.host,
    port: options.port,
    concurrentRequests: CONCURRENT_REQUESTS,
    socketPath: '/none',
    handle: (request) => answer(request) ?? plainText(404, 'There is no such page.\n'),
    refuse: () => plainText(503, 'Too many requests are under way.\n'),
    failed: (_head, cause) => {
      options.onFailure(cause);
      return plainText(500, 'The page has failed.\n');
    },
  });
  return {
    port: server.port,
    close: () => {
      isDraining = true;
      return server.close();
    },
  };
}

const CONCURRENT_REQUESTS = 16;
