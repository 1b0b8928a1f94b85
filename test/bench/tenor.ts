import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

export const ENTRY_POINT = resolve(import.meta.dirname, '../../tenor.js');

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** One run of a subcommand, with what it finds in the environment. */
export function tenor(environment: Readonly<Record<string, string>>, ...parameters: readonly string[]): Promise<Ended> {
  return new Promise((done) => {
    execFile(process.execPath, [ENTRY_POINT, ...parameters], { env: { PATH: process.env['PATH'], ...environment } }, (error, out, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), out, error: stderr }),
    );
  });
}
