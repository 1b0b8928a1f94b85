import { type DestinationStream, type Logger, pino } from 'pino';
import { PinoPretty as pretty } from 'pino-pretty';
import type { Answered } from '../gateway/index.js';
import { readSettings, type Settings, UsageError } from '../bench/index.js';

/** Of flags and environment. Throws `UsageError` with every fault. */
export function checkedSettings(flags: Readonly<Record<string, unknown>>): Settings {
  const { settings, faults } = readSettings(flags, process.env);
  if (faults.length > 0) throw new UsageError(faults.map(({ name, message }) => `${name}: ${message}`).join('\n'));
  return settings;
}

/** The address of the cluster's server. Throws `UsageError` where there is none. */
export function natsOf({ nats }: Settings): string {
  if (nats === null) throw new UsageError('nats (TENOR_NATS): a cluster needs the address of its server');
  return nats;
}

/** Where the log goes: the standard error, since the standard output is what subcommands print. */
interface LogTarget {
  readonly isTerminal: boolean;
  /** A stream, or the number of a file. */
  readonly destination: DestinationStream | number;
}

/** JSON lines, or lines for people on a terminal. */
export function logOf(
  { logLevel: level }: Pick<Settings, 'logLevel'>,
  { isTerminal, destination }: LogTarget = { isTerminal: process.stderr.isTTY, destination: 2 },
): Logger {
  if (isTerminal) return pino({ level }, pretty({ destination, ignore: 'pid,hostname', singleLine: true }));
  return pino({ level }, typeof destination === 'number' ? pino.destination(destination) : destination);
}

/** One line for each request: ids alone, no personal data. */
export const requestLog =
  (log: Logger) =>
  ({ requestId, method, route, operation, status, seconds, caller }: Answered): void => {
    const { company, mode, keyId, userId } = caller ?? {};
    const ms = Math.round(seconds * 1e5) / 100;
    log.info(
      { requestId, method, route, operation, status, ms, company, mode, keyId: keyId ?? undefined, userId: userId ?? undefined },
      'request',
    );
  };
