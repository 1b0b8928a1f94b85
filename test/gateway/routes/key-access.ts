import type { Test } from 'tap';
import type { Harness } from '../../actors/harness.js';
import type { HttpAnswer } from '../harness.js';

type Ask = (method: string, path: string, body?: object) => Promise<HttpAnswer>;

/** Asks, and keeps the text of each answer. */
export function rememberingAnswers(ask: Ask): { readonly ask: Ask; answers(): readonly string[] } {
  const texts: string[] = [];
  return {
    answers: () => texts,
    async ask(method, path, body) {
      const answer = await ask(method, path, body);
      texts.push(answer.text);
      return answer;
    },
  };
}

/** The private key with which a file is sent, as the service opens it for that. `type`: what its runner asks. */
export async function privateKeyOf(h: Harness, type: 'loanTapeFile.work' | 'creditFile.work', fileId: unknown): Promise<string> {
  const asked = { company: h.company, mode: 'test', type, target: String(fileId), params: {}, query: {} } as const;
  const work = JSON.stringify(await h.engine.query({ ...asked, permissions: new Set() }));
  const [, text] = /"privateKey":"(-----BEGIN RSA PRIVATE KEY-----[^"]*)"/.exec(work) ?? [];
  if (text === undefined) throw new Error(`the work of ${String(fileId)} has no private key`);
  return text.replaceAll('\\n', '\n');
}

/** No text has the key, or a line of it. */
export function assertNeverShown(t: Test, privateKey: string, texts: readonly string[]): void {
  const lines = privateKey.split('\n').filter((line) => /^[A-Za-z0-9+/=]{40,}$/.test(line));
  t.ok(lines.length > 20, 'a key has many lines');
  const all = texts.join('\n');
  t.notMatch(all, 'PRIVATE KEY');
  t.strictSame(
    lines.filter((line) => all.includes(line)),
    [],
  );
}
