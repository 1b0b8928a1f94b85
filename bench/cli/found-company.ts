import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type CommandRequest, type CompanyState, EVERY_PERMISSION, type Mode, type Outcome, usersOf } from '../../actors/index.js';
import { must } from '../../engine/index.js';
import type { CompanyMaker } from '../house.js';
import type { Settings } from './settings.js';

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
}

/** On an empty data folder: a company, with one key for each mode. Null when there is a company already. */
export async function foundCompany(companies: CompanyMaker, settings: Settings): Promise<Founded | null> {
  if (companies.tenants().length > 0) return null;
  return createCompany(companies, {
    name: settings.companyName,
    timezone: settings.companyZone,
    testKey: settings.testKey,
    liveKey: settings.liveKey,
  });
}

/** Makes a company in both modes under one id, each with a key. Only the keys' hashes are stored. */
export async function createCompany(companies: CompanyMaker, company: NewCompany): Promise<Founded> {
  const companyId = await companies.newSharedId('CP');
  const keys = { test: company.testKey ?? newKey('test'), live: company.liveKey ?? newKey('live') };
  for (const mode of ['test', 'live'] as const) {
    await order(companies, companyId, mode, 'company.create', null, { name: company.name, timezone: company.timezone });
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
