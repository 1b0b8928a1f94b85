import { isUtf8 } from 'node:buffer';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type CommandRequest, type CompanyState, EVERY_PERMISSION, type Mode, type Outcome, usersOf } from '../../actors/index.js';
import { must } from '../../engine/index.js';
import { localNames, type Lookups, OWN_LOOKUPS, parseIndexRates, parseNames, systemNames } from '../../gateway/index.js';
import { atPath, PathUnusable } from '../../persistence/index.js';
import type { CompanyMaker, Service } from '../access.js';
import type { Settings } from './settings.js';

/**
 * The text of an operator's file: UTF-8, with or without a byte order mark. Throws for another encoding, whose letters would otherwise
 * silently become U+FFFD.
 */
export function readTextFile(path: string): string {
  const bytes = readFileSync(path);
  if (!isUtf8(bytes)) throw new Error('is not UTF-8 text: store it in this encoding');
  return bytes.toString('utf8').replace(/^\ufeff/, '');
}

/** The command line or the request is wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/** Outside data, such as index rates, from files of the operator. */
export function lookupsOf({ indexRatesFile, nameRecords }: Settings): Lookups {
  return {
    ...OWN_LOOKUPS,
    ...(indexRatesFile === null ? {} : { indexRates: read('the file of index values', indexRatesFile, parseIndexRates) }),
    ...(nameRecords === null
      ? {}
      : { names: nameRecords === 'system' ? systemNames() : localNames(read('the file of mail domains', nameRecords, parseNames)) }),
  };
}

function read<Read>(what: string, file: string, parse: (text: string) => Read): Read {
  try {
    return parse(atPath(what, file, () => readTextFile(file)));
  } catch (cause) {
    if (cause instanceof PathUnusable) throw cause;
    throw new UsageError(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** The company of a command: the one that is named, or the only one. */
export function onlyCompany({ engine }: Service, wanted: string | undefined): string {
  const companies = [...new Set(engine.tenants().map(({ company }) => company))];
  if (wanted !== undefined) {
    if (companies.includes(wanted)) return wanted;
    throw new UsageError(`There is no company ${wanted}; there are ${companies.join(', ')}.`);
  }
  const [only] = companies;
  if (only !== undefined && companies.length === 1) return only;
  throw new UsageError(companies.length === 0 ? 'There is no company yet.' : `Say which company with --company: ${companies.join(', ')}.`);
}

export interface Founded {
  readonly companyId: string;
  /** The texts of keys that were made here; null where the settings gave them. */
  readonly testKey: string | null;
  readonly liveKey: string | null;
}

export interface NewCompany {
  readonly name: string;
  readonly timezone: string;
  readonly testKey: string | null;
  readonly liveKey: string | null;
  /** Whether it begins with templates in plain words for all that the service sends by itself. */
  readonly withTemplates: boolean;
}

/** On an empty data folder: creates a company, with one key for each mode. Null when there is a company already. */
export async function foundCompany(companies: CompanyMaker, settings: Settings): Promise<Founded | null> {
  if (companies.tenants().length > 0) return null;
  return createCompany(companies, {
    name: settings.companyName,
    timezone: settings.companyZone,
    testKey: settings.testKey,
    liveKey: settings.liveKey,
    withTemplates: true,
  });
}

/** Makes a company in both modes under one id, each with a key. Only the keys' hashes are stored. */
export async function createCompany(companies: CompanyMaker, company: NewCompany): Promise<Founded> {
  const companyId = await companies.newSharedId('CP');
  const keys = { test: company.testKey ?? newKey('test'), live: company.liveKey ?? newKey('live') };
  for (const mode of ['test', 'live'] as const) {
    await order(companies, companyId, mode, 'company.create', null, {
      name: company.name,
      timezone: company.timezone,
      withTemplates: company.withTemplates,
    });
    const state = must(companies.stateOf<CompanyState>({ company: companyId, mode }, 'company', companyId), 'the company was just made');
    const user = must([...usersOf(state).values()][0], 'a new company has a user');
    await order(companies, companyId, mode, 'apiKey.create', companyId, {
      userId: user.id,
      hash: createHash('sha256').update(keys[mode]).digest('hex'),
      description: 'made with the company',
    });
  }
  return { companyId, testKey: company.testKey === null ? keys.test : null, liveKey: company.liveKey === null ? keys.live : null };
}

/** 256 random bits after the mode's name. */
const newKey = (mode: Mode): string => `${mode}_${randomBytes(32).toString('base64url')}`;

function order(companies: CompanyMaker, company: string, mode: Mode, type: string, target: string | null, body: unknown): Promise<Outcome> {
  const request: CommandRequest = {
    commandId: randomUUID(),
    company,
    mode,
    type,
    target,
    params: target === null ? { newId: company } : {},
    body,
    actor: { type: 'system', id: 'operator' },
    permissions: new Set([EVERY_PERMISSION]),
    address: null,
    requestId: randomUUID(),
  };
  return companies.execute(request);
}
