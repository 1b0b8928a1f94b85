import { test } from 'tap';
import { apiKeyAuthenticator, startGateway } from '../../gateway/index.js';
import { collectGarbage } from '../garbage-collection.js';
import { ask, keyRecord, scriptedEngine, TEST_KEY } from './harness.js';
import { THING_ROUTES } from './routes.js';

/** What has run in this round of the event loop may still be referred to by its stack. */
const ROUNDS = 20;

/** Serves a request of an engine, and closes the gateway. */
async function servedOnce(): Promise<WeakRef<object>> {
  const engine = scriptedEngine({});
  const gateway = await startGateway({
    routes: THING_ROUTES,
    engine,
    authenticator: apiKeyAuthenticator(() => keyRecord(TEST_KEY)),
    onFailure: () => undefined,
    host: '127.0.0.1',
    port: 0,
  });
  await ask(gateway.port, '/api/things', { method: 'POST', body: { name: 'a' } });
  await gateway.close();
  return new WeakRef(engine);
}

test('a gateway that is closed holds no engine in memory', async (t) => {
  const engine = await servedOnce();
  for (let round = 0; round < ROUNDS && engine.deref() !== undefined; round += 1) await collectGarbage();
  t.equal(engine.deref(), undefined);
});
