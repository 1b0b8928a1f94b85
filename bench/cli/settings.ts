import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isZone } from '../../engine/index.js';
import { assertHoldsData, atPath, bucketLocation, isMasterKey, PathUnusable } from '../../persistence/index.js';
import { isAddressOrBlock, PRIVATE_ADDRESSES, type RateLimit } from '../../gateway/index.js';
import { DELIVERY_SETTINGS, type DeliverySettings, deliveryFaults, type SettingRow } from './delivery-settings.js';
import { readTextFile } from './lookups.js';

/** Everything that an operator can set. Flags win over the environment, the environment over the config file. */
export interface Settings extends DeliverySettings {
  readonly host: string;
  readonly port: number;
  readonly dataFolder: string;
  readonly testKey: string | null;
  readonly liveKey: string | null;
  readonly masterKey: string | null;
  readonly masterKeyFile: string | null;
  readonly companyName: string;
  readonly companyZone: string;
  readonly publicUrl: string | null;
  /** Addresses and blocks, with commas. */
  readonly trustedProxies: string;
  readonly testRateLimit: string;
  readonly liveRateLimit: string;
  /** Borrowers, loans and companies kept in memory as objects. */
  readonly cachedActors: number;
  /** Addresses and blocks, with commas. */
  readonly outgoingAllowed: string;
  /** Address of the Redis server in which gateways count requests together. */
  readonly redis: string | null;
  /** Address of the NATS server to which events are published. */
  readonly eventsNats: string | null;
  /** File of values of public indexes. */
  readonly indexRatesFile: string | null;
  /** Where the records of mail domains are looked for: a file, or `system`; null = nowhere. */
  readonly nameRecords: string | null;
  /** Address of the NATS server of a cluster. */
  readonly nats: string | null;
  /** Name of the cluster: what its subjects and streams begin with. */
  readonly cluster: string;
  /** Addresses and blocks, with commas: who may read metrics and how the shards stand. */
  readonly operators: string;
  /** Where a worker serves metrics and health; null = nowhere. */
  readonly operatorPort: number | null;
  /** Name of a worker or gateway: of its folder, and in logs and leases. */
  readonly node: string | null;
  /** Seconds between two snapshots of a unit in the object store; 0 = none by itself. */
  readonly snapshotSeconds: number;
  /** Where contents of documents are stored: a folder, or `s3://…`; null = the data folder, or the message server of a cluster. */
  readonly documents: string | null;
  readonly s3KeyId: string | null;
  readonly s3Secret: string | null;
  readonly logLevel: string;
}

export type Setting = SettingRow<keyof Settings>;

const anyText = (text: string): string | null => (text.length > 0 ? null : 'must not be empty');
const portText = (text: string): string | null => (/^\d{1,5}$/.test(text) && Number(text) < 65_536 ? null : 'must be a port, 0 to 65535');
const keyText =
  (mode: string) =>
  (text: string): string | null =>
    new RegExp(`^${mode}_[A-Za-z0-9_-]{32,200}$`).test(text) ? null : `must be ${mode}_ and 32 to 200 letters, digits, - or _`;
const rateText = (text: string): string | null =>
  rateLimitOf(text) === undefined ? 'must be off, or requests a second and at once: 50/100' : null;
const addressesText = (text: string): string | null =>
  addressesOf(text).every(isAddressOrBlock) ? null : 'must be addresses or blocks with commas: 10.0.0.0/8,::1';
const awakeText = (text: string): string | null =>
  /^\d{3,8}$/.test(text) && Number(text) <= 10_000_000 && Number(text) >= 100 ? null : 'must be a number from 100 to 10000000';
const originText = (text: string): string | null =>
  /^https?:\/\/[^/?#]+$/.test(text) ? null : 'must be a scheme and a host without a path: https://loans.example.com';
const redisText = (text: string): string | null =>
  /^rediss?:\/\/[^?#\s]+$/.test(text) ? null : 'must be the address of a server: redis://127.0.0.1:6379';
const natsText = (text: string): string | null =>
  /^(nats|tls):\/\/[^/?#\s]+$/.test(text) ? null : 'must be the address of a server: nats://127.0.0.1:4222';
const documentsText = (text: string): string | null =>
  text.length > 0 && (!text.startsWith('s3:') || bucketLocation(text, { id: '', secret: '' }))
    ? null
    : 'must be a folder, or a bucket: s3://bucket/prefix?region=us-east-1';
const wordText = (text: string): string | null => (/^[A-Za-z0-9_-]{1,40}$/.test(text) ? null : 'must be 1 to 40 letters, digits, - or _');
const masterKeyText = (text: string): string | null => (isMasterKey(text) ? null : 'must be 32 bytes as hexadecimal or base64');
const zoneText = (text: string): string | null => (isZone(text) ? null : 'must be an IANA time zone such as America/New_York');
const oneOf =
  (...values: readonly string[]) =>
  (text: string): string | null =>
    values.includes(text) ? null : `must be one of ${values.join(', ')}`;

/** The one table of settings; `docs/operations.md` is checked against it. */
export const SETTINGS: readonly Setting[] = [
  { name: 'host', environment: 'TENOR_HOST', standard: '127.0.0.1', meaning: 'address to listen on', fault: anyText },
  { name: 'port', environment: 'TENOR_PORT', standard: '8080', meaning: 'port to listen on; 0 takes a free one', fault: portText },
  { name: 'dataFolder', environment: 'TENOR_DATA', standard: './data', meaning: 'folder of journal, snapshots and keys', fault: anyText },
  {
    name: 'testKey',
    environment: 'TENOR_TEST_KEY',
    standard: null,
    secret: true,
    fault: keyText('test'),
    meaning: 'API key of the test mode of an empty data folder; made and printed once when absent',
  },
  {
    name: 'liveKey',
    environment: 'TENOR_LIVE_KEY',
    standard: null,
    secret: true,
    fault: keyText('live'),
    meaning: 'API key of the live mode of an empty data folder; made and printed once when absent',
  },
  {
    name: 'masterKey',
    environment: 'TENOR_MASTER_KEY',
    standard: null,
    secret: true,
    fault: masterKeyText,
    meaning: 'key that wraps the data keys of persons: 32 bytes as hex or base64',
  },
  {
    name: 'masterKeyFile',
    environment: 'TENOR_MASTER_KEY_FILE',
    standard: null,
    fault: anyText,
    meaning: 'file of the master key when the environment does not carry it; `master.key` in the data folder, made on first start',
  },
  {
    name: 'companyName',
    environment: 'TENOR_COMPANY',
    standard: 'First Lender',
    meaning: 'name of the company that an empty data folder starts with',
    fault: anyText,
  },
  {
    name: 'companyZone',
    environment: 'TENOR_ZONE',
    standard: 'America/New_York',
    meaning: 'time zone of that company, an IANA name',
    fault: zoneText,
  },
  {
    name: 'publicUrl',
    environment: 'TENOR_PUBLIC_URL',
    standard: null,
    fault: originText,
    meaning: 'scheme and host in the addresses of further pages, where they are not those of the request',
  },
  {
    name: 'trustedProxies',
    environment: 'TENOR_TRUSTED_PROXIES',
    standard: '',
    fault: addressesText,
    meaning: 'addresses and blocks of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed',
  },
  {
    name: 'outgoingAllowed',
    environment: 'TENOR_OUTGOING_ALLOW',
    standard: '',
    fault: addressesText,
    meaning: 'private addresses and blocks that webhooks may call besides public ones, also without TLS',
  },
  {
    name: 'eventsNats',
    environment: 'TENOR_EVENTS_NATS',
    standard: null,
    fault: natsText,
    meaning: 'address of a NATS server with JetStream to which `tenor serve` publishes all events: nats://127.0.0.1:4222',
  },
  {
    name: 'testRateLimit',
    environment: 'TENOR_RATE_LIMIT_TEST',
    standard: 'off',
    fault: rateText,
    meaning: 'requests of a key a second and at once in test mode; a company has four times as many',
  },
  { name: 'liveRateLimit', environment: 'TENOR_RATE_LIMIT_LIVE', standard: '50/100', fault: rateText, meaning: 'the same in live mode' },
  {
    name: 'redis',
    environment: 'TENOR_REDIS',
    standard: null,
    fault: redisText,
    meaning:
      'address of a Redis server in which several gateways count requests together; while it is away each counts for itself: redis://127.0.0.1:6379',
  },
  {
    name: 'cachedActors',
    environment: 'TENOR_RESIDENT_ACTORS',
    standard: '30000',
    fault: awakeText,
    meaning: 'borrowers and loans kept awake in memory, 100 to 10,000,000; the others are read when they are touched',
  },
  {
    name: 'indexRatesFile',
    environment: 'TENOR_INDEX_RATES',
    standard: null,
    fault: anyText,
    meaning: 'file of values of public indexes for `GET /utilities/index-rates`: lines of indexName,effectiveDate,rate',
  },
  {
    name: 'nameRecords',
    environment: 'TENOR_NAME_RECORDS',
    standard: null,
    fault: anyText,
    meaning:
      'where the DNS records of mail domains are looked for in live mode: `system` asks the name servers of this machine, anything else is a file of lines of host,text; absent: nowhere, so that none is verified',
  },
  {
    name: 'nats',
    environment: 'TENOR_NATS',
    standard: null,
    fault: natsText,
    meaning: 'address of the NATS server of a cluster, for `tenor worker` and `tenor gateway`: nats://127.0.0.1:4222',
  },
  {
    name: 'cluster',
    environment: 'TENOR_CLUSTER',
    standard: 'tenor',
    fault: wordText,
    meaning: 'name of the cluster: what its subjects and streams begin with',
  },
  {
    name: 'node',
    environment: 'TENOR_NODE',
    standard: null,
    fault: wordText,
    meaning: 'name of a worker or gateway in its cluster, the same at each of its starts; that of the host when absent',
  },
  {
    name: 'operators',
    environment: 'TENOR_OPERATORS',
    standard: PRIVATE_ADDRESSES.join(','),
    fault: addressesText,
    meaning: 'addresses and blocks that may read `/metrics` and `/health/shards`; to others they are not there',
  },
  {
    name: 'operatorPort',
    environment: 'TENOR_OPERATOR_PORT',
    standard: null,
    fault: portText,
    meaning: 'port on which a worker serves `/metrics` and `/health/…`; 0 takes a free one; absent: none',
  },
  {
    name: 'snapshotSeconds',
    environment: 'TENOR_SNAPSHOT_SECONDS',
    standard: '900',
    meaning:
      'in a cluster: seconds between two snapshots of a unit in the object store, where something has changed; 0 = only when `tenor snapshot make` asks',
    fault: (text) => (/^\d{1,6}$/.test(text) ? null : 'must be a number of seconds, 0 to 999999'),
  },
  {
    name: 'documents',
    environment: 'TENOR_DOCUMENTS',
    standard: null,
    fault: documentsText,
    meaning:
      'where contents of documents are stored, encrypted: a folder, or a bucket of a store that speaks S3 (`s3://bucket/prefix?region=us-east-1&endpoint=https://minio.example`); absent: `documents` in the data folder, in a cluster the object store of its NATS server',
  },
  ...DELIVERY_SETTINGS,
  { name: 's3KeyId', environment: 'TENOR_S3_KEY_ID', standard: null, meaning: 'id of the key for that bucket', fault: anyText },
  { name: 's3Secret', environment: 'TENOR_S3_SECRET', standard: null, secret: true, meaning: 'the key itself', fault: anyText },
  {
    name: 'logLevel',
    environment: 'TENOR_LOG',
    standard: 'info',
    meaning: 'least level of log lines',
    fault: oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
  },
];

/**
 * The data folder that a flag, the environment or the file of settings names, for commands that work on data which is there.
 * Throws `LocationMissing` or `PathUnusable` where it holds none: opening it would make a new one.
 */
export function existingDataFolder(flag: string | undefined, environment: NodeJS.ProcessEnv = process.env): string {
  const { dataFolder } = readSettings({ dataFolder: flag }, environment).settings;
  assertHoldsData(dataFolder);
  return dataFolder;
}

/** The list in a text with commas. */
export const addressesOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** `50/100`: a second and at once; null = off; undefined = neither. */
export function rateLimitOf(text: string): RateLimit | null | undefined {
  if (text === 'off') return null;
  const match = /^(\d{1,7})\/(\d{1,7})$/.exec(text);
  const [perSecond, burst] = [Number(match?.[1]), Number(match?.[2])];
  return perSecond > 0 && burst > 0 ? { perSecond, burst } : undefined;
}

interface SettingFault {
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
  const file = readConfigFile(environment[CONFIG_VARIABLE], faults);
  const texts: Record<string, string | null> = {};
  for (const setting of SETTINGS) {
    const given = flags[setting.name] ?? environment[setting.environment] ?? file[setting.name] ?? setting.standard;
    const text = given === null || given === undefined ? null : typeof given === 'string' ? given : JSON.stringify(given);
    const message = text === null ? null : setting.fault(text);
    if (message) faults.push({ name: `${setting.name} (${setting.environment})`, message });
    texts[setting.name] = text;
  }
  for (const name of Object.keys(file)) {
    if (!SETTINGS.some((setting) => setting.name === name)) faults.push({ name, message: 'is no setting' });
  }
  const settings = {
    ...texts,
    port: Number(texts['port']),
    operatorPort: numberOrNull(texts['operatorPort']),
    cachedActors: Number(texts['cachedActors']),
    snapshotSeconds: Number(texts['snapshotSeconds']),
    dataFolder: resolve(texts['dataFolder'] ?? '.'),
  } as unknown as Settings;
  return { settings, faults: [...faults, ...deliveryFaults(settings)] };
}

/** Variables that look like settings and are none: misspelt, or of another release. */
export const unknownVariables = (environment: NodeJS.ProcessEnv): readonly string[] =>
  Object.keys(environment).filter(
    (name) => name.startsWith('TENOR_') && !OTHER_VARIABLES.has(name) && !SETTINGS.some((setting) => setting.environment === name),
  );

const CONFIG_VARIABLE = 'TENOR_CONFIG';
/** No settings of a service: the file of them, and what single subcommands read. */
const OTHER_VARIABLES: ReadonlySet<string> = new Set([CONFIG_VARIABLE, 'TENOR_URL', 'TENOR_KEY', 'TENOR_NEW_MASTER_KEY']);

const numberOrNull = (text: string | null | undefined): number | null => (text === null || text === undefined ? null : Number(text));

/** The file that was named must be there; the usual one may be. */
function readConfigFile(named: string | undefined, faults: SettingFault[]): Record<string, unknown> {
  const path = named ?? 'tenor.config.json';
  if (!existsSync(path)) {
    if (named !== undefined) faults.push({ name: CONFIG_VARIABLE, message: `there is no file ${path}` });
    return {};
  }
  try {
    const parsed: unknown = JSON.parse(atPath('the file of settings', path, () => readTextFile(path)));
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>;
    faults.push({ name: path, message: 'must hold one JSON object' });
  } catch (cause) {
    faults.push({
      name: path,
      message: cause instanceof PathUnusable ? cause.message : `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
    });
  }
  return {};
}
