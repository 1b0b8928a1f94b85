import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Everything that an operator can set. Flags win over the environment, the environment over the config file. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly dataFolder: string;
  readonly testKey: string | null;
  readonly liveKey: string | null;
  readonly masterKey: string | null;
  readonly masterKeyFile: string | null;
  readonly companyName: string;
  readonly companyZone: string;
  readonly logLevel: string;
}

export interface Setting {
  readonly name: keyof Settings;
  readonly environment: string;
  readonly standard: string | null;
  readonly meaning: string;
  /** Never printed, not even by `check-config`. */
  readonly secret?: boolean;
  /** What is wrong with the text, or null. */
  readonly fault: (text: string) => string | null;
}

const anyText = (text: string): string | null => (text.length > 0 ? null : 'must not be empty');
const keyText = (mode: string) => (text: string): string | null =>
  new RegExp(`^${mode}_[A-Za-z0-9_-]{32,200}$`).test(text) ? null : `must be ${mode}_ and 32 to 200 letters, digits, - or _`;
const oneOf = (...values: readonly string[]) => (text: string): string | null =>
  values.includes(text) ? null : `must be one of ${values.join(', ')}`;

/** The one table of settings; `docs/operations.md` is checked against it. */
export const SETTINGS: readonly Setting[] = [
  { name: 'host', environment: 'TENOR_HOST', standard: '127.0.0.1', meaning: 'address to listen on', fault: anyText },
  { name: 'port', environment: 'TENOR_PORT', standard: '8080', meaning: 'port to listen on; 0 takes a free one',
    fault: (text) => (/^\d{1,5}$/.test(text) && Number(text) < 65_536 ? null : 'must be a port, 0 to 65535') },
  { name: 'dataFolder', environment: 'TENOR_DATA', standard: './data', meaning: 'folder of journal, snapshots and keys', fault: anyText },
  { name: 'testKey', environment: 'TENOR_TEST_KEY', standard: null, secret: true, fault: keyText('test'),
    meaning: 'API key of the test mode of an empty data folder; made and printed once when absent' },
  { name: 'liveKey', environment: 'TENOR_LIVE_KEY', standard: null, secret: true, fault: keyText('live'),
    meaning: 'API key of the live mode of an empty data folder; made and printed once when absent' },
  { name: 'masterKey', environment: 'TENOR_MASTER_KEY', standard: null, secret: true, fault: anyText,
    meaning: 'key that wraps the data keys of persons: 32 bytes as hex or base64' },
  { name: 'masterKeyFile', environment: 'TENOR_MASTER_KEY_FILE', standard: null, fault: anyText,
    meaning: 'file of the master key when the environment does not carry it; `master.key` in the data folder, made on first start' },
  { name: 'companyName', environment: 'TENOR_COMPANY', standard: 'First Lender', meaning: 'name of the company that an empty data folder starts with', fault: anyText },
  { name: 'companyZone', environment: 'TENOR_ZONE', standard: 'America/New_York', meaning: 'time zone of that company, an IANA name', fault: anyText },
  { name: 'logLevel', environment: 'TENOR_LOG', standard: 'info', meaning: 'least level of log lines',
    fault: oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent') },
];

export interface SettingFault {
  readonly name: string;
  readonly message: string;
}

export interface ReadSettings {
  readonly settings: Settings;
  readonly faults: readonly SettingFault[];
}

/** Reads flags, environment and `tenor.config.json` (or the file that `TENOR_CONFIG` names); all faults at once. */
export function readSettings(flags: Readonly<Record<string, unknown>>, environment: NodeJS.ProcessEnv): ReadSettings {
  const faults: SettingFault[] = [];
  const file = readConfigFile(environment['TENOR_CONFIG'] ?? 'tenor.config.json', faults);
  const texts: Record<string, string | null> = {};
  for (const setting of SETTINGS) {
    const given = flags[setting.name] ?? environment[setting.environment] ?? file[setting.name] ?? setting.standard;
    const text = given === null || given === undefined ? null : String(given);
    const message = text === null ? null : setting.fault(text);
    if (message) faults.push({ name: `${setting.name} (${setting.environment})`, message });
    texts[setting.name] = text;
  }
  for (const name of Object.keys(file)) {
    if (!SETTINGS.some((setting) => setting.name === name)) faults.push({ name, message: 'is no setting' });
  }
  const settings = { ...texts, port: Number(texts['port']), dataFolder: resolve(texts['dataFolder'] ?? '.') } as unknown as Settings;
  return { settings, faults };
}

function readConfigFile(path: string, faults: SettingFault[]): Record<string, unknown> {
  if (!existsSync(path)) return {};
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>;
    faults.push({ name: path, message: 'must hold one JSON object' });
  } catch (cause) {
    faults.push({ name: path, message: `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}` });
  }
  return {};
}
