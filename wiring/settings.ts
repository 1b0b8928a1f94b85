import { pino, type Logger } from 'pino';
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

/** To the standard error: the standard output is what subcommands print. */
export const logOf = ({ logLevel }: Settings): Logger => pino({ level: logLevel }, pino.destination(2));
