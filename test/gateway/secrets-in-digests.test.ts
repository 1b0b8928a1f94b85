import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'tap';
import type { CallParts } from '../../gateway/call-context.js';
import { commandRequest } from '../../gateway/command-request.js';

const PROJECT = resolve(import.meta.dirname, '../../..');
const CALLER = { company: 'CP-1', mode: 'test', permissions: new Set(['*']), address: '127.0.0.1', keyId: 'k', userId: null };

/** Properties of bodies that are declared as secrets. */
function declaredSecrets(): readonly string[] {
  const sources = readdirSync(join(PROJECT, 'actors'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const names = sources.flatMap((name) =>
    [...readFileSync(join(PROJECT, 'actors', name), 'utf8').matchAll(/readonly (\w+)\??: Secret\b/g)].map(([, secret = '']) => secret),
  );
  return [...new Set(names)].sort();
}

function digestOf(body: object): string | undefined {
  const parts = { params: {}, query: {}, body, caller: CALLER, requestId: 'r', idempotencyKey: 'k', method: 'POST', path: '/x' };
  return commandRequest(parts as unknown as CallParts, 'any', null, {}).idempotency?.digest;
}

test('the digest that is stored with a reply says nothing about the secrets of its request', (t) => {
  const secrets = declaredSecrets();
  t.ok(secrets.length > 5, 'the declarations are found');
  for (const secret of secrets) {
    t.equal(digestOf({ name: 'a', server: { [secret]: 'one' } }), digestOf({ name: 'a', server: { [secret]: 'another' } }), secret);
    t.not(digestOf({ name: 'a', [secret]: 'one' }), digestOf({ name: 'b', [secret]: 'one' }));
  }
  t.end();
});
