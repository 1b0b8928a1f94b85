import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isRecord } from '../../engine/index.js';
import { assertHoldsData, atPath, PathUnusable } from '../../persistence/index.js';
import { PRIVATE_ADDRESSES } from '../../gateway/index.js';
import { DELIVERY_SETTINGS, type DeliverySettings, deliveryFaults, type SettingRow } from './delivery-settings.js';
import { readTextFile } from './lookups.js';
import {
  addressesText,
  anyText,
  awakeText,
  documentsText,
  keyText,
  masterKeyText,
  nameText,
  natsText,
  oneOf,
  originText,
  portText,
  rateText,
  redisText,
  zoneText,
} from './setting-texts.js';

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
  /** Addresses and blocks, with commas: which may read metrics and the state of the shards. */
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

/** The one table of settings; `docs/settings.md` is made from it. */
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
    meaning: 'API key of the test mode of an empty data folder; created and printed once if absent',
  },
  {
    name: 'liveKey',
    environment: 'TENOR_LIVE_KEY',
    standard: null,
    secret: true,
    fault: keyText('live'),
    meaning: 'API key of the live mode of an empty data folder; created and printed once if absent',
  },
  {
    name: 'masterKey',
    environment: 'TENOR_MASTER_KEY',
    standard: null,
    secret: true,
    fault: masterKeyText,
    meaning: 'master key, which wraps the data keys of people: 32 bytes as hexadecimal or base64',
  },
  {
    name: 'masterKeyFile',
    environment: 'TENOR_MASTER_KEY_FILE',
    standard: null,
    fault: anyText,
    meaning: 'file of the master key, if the environment does not have it; default `master.key` in the data folder, created on first start',
  },
  {
    name: 'companyName',
    environment: 'TENOR_COMPANY',
    standard: 'First Lender',
    meaning: 'name of the first company of an empty data folder',
    fault: anyText,
  },
  {
    name: 'companyZone',
    environment: 'TENOR_ZONE',
    standard: 'America/New_York',
    meaning: 'IANA time zone of that company',
    fault: zoneText,
  },
  {
    name: 'publicUrl',
    environment: 'TENOR_PUBLIC_URL',
    standard: null,
    fault: originText,
    meaning: 'scheme and host of `nextUrl` and `previousUrl`, if they differ from those of the request: https://loans.example.com',
  },
  {
    name: 'trustedProxies',
    environment: 'TENOR_TRUSTED_PROXIES',
    standard: '',
    fault: addressesText,
    meaning: 'addresses and blocks of proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted, with commas',
  },
  {
    name: 'outgoingAllowed',
    environment: 'TENOR_OUTGOING_ALLOW',
    standard: '',
    fault: addressesText,
    meaning: 'private addresses and blocks that webhooks may call, also without TLS, with commas',
  },
  {
    name: 'eventsNats',
    environment: 'TENOR_EVENTS_NATS',
    standard: null,
    fault: natsText,
    meaning: 'address of the NATS server with JetStream to which the service publishes all events: nats://127.0.0.1:4222',
  },
  {
    name: 'testRateLimit',
    environment: 'TENOR_RATE_LIMIT_TEST',
    standard: 'off',
    fault: rateText,
    meaning: 'requests of a key in test mode, as `50/100`: 50 a second, 100 at once; a company has four times as many; `off`: no limit',
  },
  { name: 'liveRateLimit', environment: 'TENOR_RATE_LIMIT_LIVE', standard: '50/100', fault: rateText, meaning: 'the same for live mode' },
  {
    name: 'redis',
    environment: 'TENOR_REDIS',
    standard: null,
    fault: redisText,
    meaning:
      'address of a Redis server in which several gateways count requests together; while it is away each counts for itself: ' +
      'redis://127.0.0.1:6379',
  },
  {
    name: 'cachedActors',
    environment: 'TENOR_CACHED_ACTORS',
    standard: '30000',
    fault: awakeText,
    meaning: 'borrowers and loans kept in memory, 100 to 10,000,000; the others are read when they are needed',
  },
  {
    name: 'indexRatesFile',
    environment: 'TENOR_INDEX_RATES',
    standard: null,
    fault: anyText,
    meaning: 'file of public index rates for `GET /utilities/index-rates`, with lines `indexName,effectiveDate,rate`',
  },
  {
    name: 'nameRecords',
    environment: 'TENOR_NAME_RECORDS',
    standard: null,
    fault: anyText,
    meaning:
      'where the DNS records of mail domains are looked for in live mode: `system` asks the name servers of this machine, ' +
      'anything else is a file of lines of host,text; absent: nowhere, so that none is verified',
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
    fault: nameText,
    meaning: 'name of the cluster: what its subjects and streams begin with',
  },
  {
    name: 'node',
    environment: 'TENOR_NODE',
    standard: null,
    fault: nameText,
    meaning: 'name of a worker or gateway in its cluster, the same at each of its starts; that of the host when absent',
  },
  {
    name: 'operators',
    environment: 'TENOR_OPERATORS',
    standard: PRIVATE_ADDRESSES.join(','),
    fault: addressesText,
    meaning: 'addresses and blocks that may read `/metrics` and `/health/shards`, with commas; others get 404',
  },
  {
    name: 'operatorPort',
    environment: 'TENOR_OPERATOR_PORT',
    standard: null,
    fault: portText,
    meaning: 'port on which a worker serves `/metrics` and `/health/…`; 0 takes a free one; none if absent',
  },
  {
    name: 'snapshotSeconds',
    environment: 'TENOR_SNAPSHOT_SECONDS',
    standard: '900',
    meaning:
      'in a cluster: seconds between two snapshots of a unit in the object store, where something has changed; ' +
      '0 = only when `tenor snapshot make` asks',
    fault: (text) => (/^\d{1,6}$/.test(text) ? null : 'must be a number of seconds, 0 to 999999'),
  },
  {
    name: 'documents',
    environment: 'TENOR_DOCUMENTS',
    standard: null,
    fault: documentsText,
    meaning:
      'where contents of documents are stored, encrypted: a folder, or a bucket of a store that speaks S3 ' +
      '(`s3://bucket/prefix?region=us-east-1&endpoint=https://minio.example`); ' +
      'absent: `documents` in the data folder, in a cluster the object store of its NATS server',
  },
  ...DELIVERY_SETTINGS,
  {
    name: 's3KeyId',
    environment: 'TENOR_S3_KEY_ID',
    standard: null,
    meaning: 'id of the access key for the bucket of `TENOR_DOCUMENTS`',
    fault: anyText,
  },
  { name: 's3Secret', environment: 'TENOR_S3_SECRET', standard: null, secret: true, meaning: 'its secret', fault: anyText },
  {
    name: 'logLevel',
    environment: 'TENOR_LOG',
    standard: 'info',
    meaning: 'lowest level that is logged: trace, debug, info, warn, error or silent',
    fault: oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
  },
];

/**
 * The data folder that a flag, the environment or the file of settings names, for commands that need existing data. Throws
 * `LocationMissing` or `PathUnusable` where it holds none, since opening it would create data.
 */
export function existingDataFolder(flag: string | undefined, environment: NodeJS.ProcessEnv = process.env): string {
  const { dataFolder } = readSettings({ dataFolder: flag }, environment).settings;
  assertHoldsData(dataFolder);
  return dataFolder;
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
  const variables = withCurrentNames(environment);
  const file = withCurrentNames(readConfigFile(environment[CONFIG_VARIABLE], faults));
  const texts: Record<string, string | null> = {};
  for (const setting of SETTINGS) {
    const given = flags[setting.name] ?? variables[setting.environment] ?? file[setting.name] ?? setting.standard;
    const text = given === null || given === undefined ? null : typeof given === 'string' ? given : JSON.stringify(given);
    const message = text === null ? null : setting.fault(text);
    if (message) faults.push({ name: `${setting.name} (${setting.environment})`, message });
    texts[setting.name] = text;
  }
  for (const name of Object.keys(file)) {
    if (!SETTINGS.some((setting) => setting.name === name)) faults.push({ name, message: 'is no setting' });
  }
  const read = {
    ...texts,
    port: Number(texts['port']),
    operatorPort: numberOrNull(texts['operatorPort']),
    cachedActors: Number(texts['cachedActors']),
    snapshotSeconds: Number(texts['snapshotSeconds']),
    dataFolder: resolve(texts['dataFolder'] ?? '.'),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each setting has its text, or a fault which its caller reports
  const settings = read as unknown as Settings;
  return { settings, faults: [...faults, ...deliveryFaults(settings)] };
}

/** Names of earlier releases with their current names: they are still accepted where the current name is absent. */
export const FORMER_NAMES: Readonly<Record<string, string>> = {
  TENOR_RESIDENT_ACTORS: 'TENOR_CACHED_ACTORS',
  residentActors: 'cachedActors',
};

/** The values by their current names: a former name counts where the current one is absent. */
function withCurrentNames<Value>(values: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  const current: Record<string, Value> = {};
  for (const [name, value] of Object.entries(values)) {
    const renamed = FORMER_NAMES[name];
    if (renamed === undefined) current[name] = value;
    else if (values[renamed] === undefined) current[renamed] = value;
  }
  return current;
}

/** Variables that look like settings and are none: misspelt, or of another release. */
export const unknownVariables = (environment: NodeJS.ProcessEnv): readonly string[] =>
  Object.keys(withCurrentNames(environment)).filter(
    (name) => name.startsWith('TENOR_') && !OTHER_VARIABLES.has(name) && !SETTINGS.some((setting) => setting.environment === name),
  );

const CONFIG_VARIABLE = 'TENOR_CONFIG';
/** Variables that are no settings of a service: the name of the file of settings, and those of single commands. */
const OTHER_VARIABLES: ReadonlySet<string> = new Set([CONFIG_VARIABLE, 'TENOR_URL', 'TENOR_KEY', 'TENOR_NEW_MASTER_KEY']);

const numberOrNull = (text: string | null | undefined): number | null => (text === null || text === undefined ? null : Number(text));

/** A file that is named must exist; the default one may be missing. */
function readConfigFile(named: string | undefined, faults: SettingFault[]): Readonly<Record<string, unknown>> {
  const path = named ?? 'tenor.config.json';
  if (!existsSync(path)) {
    if (named !== undefined) faults.push({ name: CONFIG_VARIABLE, message: `there is no file ${path}` });
    return {};
  }
  try {
    const parsed: unknown = JSON.parse(atPath('the file of settings', path, () => readTextFile(path)));
    if (isRecord(parsed) && !Array.isArray(parsed)) return parsed;
    faults.push({ name: path, message: 'must hold one JSON object' });
  } catch (cause) {
    faults.push({
      name: path,
      message: cause instanceof PathUnusable ? cause.message : `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
    });
  }
  return {};
}
