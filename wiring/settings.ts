import { pino, type Logger } from 'pino';
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

/**
 * To the standard error: the standard output is what subcommands print. JSON lines, or lines for people on a terminal.
 */
export function logOf({ logLevel }: Settings): Logger {
  if (process.stderr.isTTY) return pino({ level: logLevel }, pretty({ destination: 2, ignore: 'pid,hostname', singleLine: true }));
  return pino({ level: logLevel }, pino.destination(2));
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
