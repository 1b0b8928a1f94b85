import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Test } from 'tap';
import { actorModules, type Tenant } from '../../actors/index.js';
import { importFile, type ImportOptions, type ImportSummary, type Mapping, noProgress, readMapping } from '../../bench/index.js';
import { Harness } from '../actors/harness.js';

/** The mapping that is shipped as an example. */
export const EXAMPLE_MAPPING = resolve(import.meta.dirname, '../../../bench/import/lending-club.mapping.json');

export interface ImportSetting {
  readonly h: Harness;
  readonly tenant: Tenant;
  readonly folder: string;
  readonly errorsFile: string;
  write(name: string, text: string | Uint8Array): Promise<string>;
  run(file: string, options?: Partial<ImportOptions>): Promise<ImportSummary>;
}

/** An engine in memory with one company, and a folder for files. */
export async function openImport(t: Test): Promise<ImportSetting> {
  const folder = await mkdtemp(join(tmpdir(), 'tenor-import-'));
  const h = await Harness.open(() => actorModules());
  await h.makeCompany();
  t.teardown(async () => {
    await h.engine.close();
    await rm(folder, { recursive: true, force: true });
  });
  const mapping = await readMapping(EXAMPLE_MAPPING);
  const tenant: Tenant = { company: h.company, mode: 'test' };
  const errorsFile = join(folder, 'errors.csv');
  return {
    h,
    tenant,
    folder,
    errorsFile,
    async write(name, text) {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    },
    run: (file, options = {}) =>
      importFile({
        engine: h.engine,
        tenant,
        file,
        mapping,
        mappingFile: 'the mapping',
        activates: true,
        asOf: '2018-02-15',
        errorsFile,
        progress: noProgress,
        stop: new AbortController().signal,
        ...options,
      }),
  };
}

export type { Mapping };

export const HEADER = [
  'loan_id',
  'state',
  'loan_purpose',
  'application_type',
  'annual_income',
  'loan_amount',
  'term',
  'interest_rate',
  'installment',
  'sub_grade',
  'issue_month',
  'loan_status',
];

/** A row of an invented lender; `changes` by column. */
export function rowOf(id: string, changes: Readonly<Record<string, string>> = {}): string {
  const cells: Record<string, string> = {
    loan_id: id,
    state: 'IL',
    loan_purpose: 'car',
    application_type: 'individual',
    annual_income: '41000',
    loan_amount: '10000',
    term: '36',
    interest_rate: '5',
    installment: '299.71',
    sub_grade: 'A1',
    issue_month: '2018-01',
    loan_status: 'Current',
    ...changes,
  };
  return HEADER.map((name) => cells[name] ?? '').join(',');
}

export const csv = (...rows: readonly string[]): string => `${[HEADER.join(','), ...rows].join('\n')}\n`;
