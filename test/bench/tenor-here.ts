import { runCommandLine } from '../../bench/index.js';
import { access } from '../../wiring/index.js';
import type { Ended } from './tenor.js';

type Write = typeof process.stdout.write;

/** A subcommand carried out in this process, with what it finds in the environment: the program takes two seconds to load. */
export async function tenorHere(environment: Readonly<Record<string, string>>, ...parameters: readonly string[]): Promise<Ended> {
  const before = { ...process.env };
  const [out, error] = [listened(process.stdout), listened(process.stderr)];
  Object.assign(process.env, environment);
  try {
    const code = await runCommandLine(access, parameters);
    return { code, out: out.end(), error: error.end() };
  } finally {
    for (const stream of [out, error]) stream.end();
    process.exitCode = 0;
    for (const name of Object.keys(environment)) {
      const former = before[name];
      if (former === undefined) delete process.env[name];
      else process.env[name] = former;
    }
  }
}

/** What is written to a stream until `end`, which lets it be written again. */
export function listened(stream: { write: Write }): { end(): string } {
  const { write } = stream;
  let text = '';
  stream.write = (chunk: string | Uint8Array) => {
    text += String(chunk);
    return true;
  };
  return {
    end() {
      stream.write = write;
      return text;
    },
  };
}
