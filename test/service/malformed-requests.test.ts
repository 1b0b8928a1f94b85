import { test } from 'tap';
import { Random } from '../durability/random.js';
import { makeBook } from './book.js';
import { type Attempt, Malformer, operationsOf } from './malformed.js';
import { LIVE_KEY, newFolder, Service, TEST_KEY } from './service.js';

const REQUESTS = Number(process.env['TENOR_MALFORMED'] ?? 20_000);
const SEED = Number(process.env['TENOR_SEED'] ?? Math.floor(performance.timeOrigin) % 1_000_000);
const CALLERS = 16;

/** A request that is not answered within this is a hang. */
const ANSWER_MS = 60_000;

interface Failure {
  readonly status: number | string;
  readonly attempt: Attempt;
  readonly text: string;
}

test(`${REQUESTS} malformed requests over every operation: no 5xx, no stopped shard`, async (t) => {
  t.comment(`seed ${SEED}`);
  const service = await Service.start(newFolder());
  const book = await makeBook(service, 3);
  const document = (await service.ask('GET', '/openapi.json')).json as never;
  // A stream does not end by itself; it has tests of its own.
  const operations = operationsOf(document).filter(({ path }) => !/stream|socket/.test(path));
  t.ok(operations.length > 40, `${operations.length} operations`);
  const random = new Random(SEED);
  const malformer = new Malformer(random, document, [
    await service.company(), book.personId, book.instrumentId, ...book.loanIds, 'ext-none', '12345', 'BO-AAAA-AAAA',
  ]);
  const failures: Failure[] = [];
  const statuses = new Map<number, number>();
  let sent = 0;
  await Promise.all(Array.from({ length: CALLERS }, async () => {
    while (sent < REQUESTS && failures.length < 10) {
      const operation = operations[sent++ % operations.length];
      if (!operation) return;
      const attempt = malformer.attempt(operation);
      // Deleting the clock would empty the mode under the other requests.
      if (attempt.method === 'DELETE' && attempt.path.startsWith('/test-clocks')) continue;
      const answer = await send(service, attempt);
      if (answer === null) continue;
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status >= 500) failures.push({ status: answer.status, attempt, text: answer.text });
      else if (answer.status >= 400 && attempt.method !== 'HEAD' && !isErrorBody(answer.text)) failures.push({ status: 'no error body', attempt, text: answer.text });
    }
  }));
  t.comment(`statuses ${JSON.stringify([...statuses].sort(([a], [b]) => a - b))}`);
  t.strictSame(failures.map(({ status, attempt, text }) => `${status} ${attempt.method} ${attempt.path.slice(0, 200)} ${(attempt.body ?? '').slice(0, 600)} -> ${text.slice(0, 300)}`), []);

  const ready = await fetch(`${service.url}/health/ready`);
  t.equal(ready.status, 200, 'the service is ready afterwards');
  const others = service.lines.filter((line) => line.includes('"level":50'));
  t.strictSame(others.slice(0, 3), [], 'and has met no bug');
  t.notOk(service.lines.slice(6).some((line) => line.includes(TEST_KEY) || line.includes(LIVE_KEY)), 'no line of the log holds a key');
  t.equal(await service.stop(), 0);
});

async function send(service: Service, { method, path, headers, body }: Attempt): Promise<{ status: number; text: string } | null> {
  let reply: Response;
  try {
    reply = await fetch(`${service.url}/api${path}`, {
      method, headers: { authorization: `Bearer ${TEST_KEY}`, ...headers }, ...(body === null ? {} : { body }), redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
  } catch (cause) {
    // What the client itself refuses to send never reaches the service.
    if (cause instanceof TypeError && /Headers|Invalid|URL/.test(cause.message)) return null;
    if (cause instanceof DOMException) return { status: 599, text: 'no answer' };
    throw cause;
  }
  return { status: reply.status, text: await reply.text() };
}

function isErrorBody(text: string): boolean {
  const body: unknown = text === '' ? null : JSON.parse(text);
  const fields = body as { readonly statusCode?: unknown; readonly errorType?: unknown; readonly message?: unknown; readonly requestId?: unknown } | null;
  return typeof fields?.statusCode === 'number' && typeof fields.errorType === 'string' && typeof fields.message === 'string' && typeof fields.requestId === 'string';
}
