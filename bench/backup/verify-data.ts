import { isDeepStrictEqual } from 'node:util';
import { type CatalogRow, compareLedgers, loanStateOf, type Recomputed } from '../../actors/index.js';
import type { OfflineStore } from '../access.js';

export type CachedActor = ReturnType<Recomputed['world']['actorCache']['values']> extends Iterable<infer One> ? One : never;

/** An object that a start would serve with another state than the journal gives it. */
interface Difference {
  readonly where: string;
  readonly message: string;
}

/** Compares what a start would serve with the journal, object by object (`expected`), each with its line in the list index. */
export function* compareServed(served: Recomputed, fromJournal: Recomputed, expected: Iterable<CachedActor>): Iterable<Difference> {
  for (const { kind, id, tenant, definition, state } of expected) {
    const found = served.world.find(tenant, kind, id);
    const whole = (of: unknown): unknown =>
      definition.comparable === undefined ? [definition.pack(of), definition.parts?.(of) ?? []] : definition.comparable(of);
    if (!found) yield { where: id, message: 'is in the journal and would not be served' };
    else if (!isSame(whole(found.state), whole(state)))
      yield { where: id, message: 'would be served with another state than the journal gives' };
    const [servedRow, row] = [served, fromJournal].map(({ world }) => world.catalog.get(tenant, kind, id));
    if (!isSame(comparableRow(servedRow), comparableRow(row)))
      yield { where: id, message: 'has another line in the list index than the journal gives' };
  }
  yield* surplusLoans(served, fromJournal);
}

function* surplusLoans(served: Recomputed, fromJournal: Recomputed): Iterable<Difference> {
  for (const tenant of served.world.catalog.tenantsOf('loan')) {
    const surplus = served.world.catalog.count(tenant, 'loan') - fromJournal.world.catalog.count(tenant, 'loan');
    if (surplus !== 0) yield { where: tenant.company, message: `lists ${surplus} loans more than the journal has` };
  }
}

/** Whether two values are the same as JSON: the order of properties does not count, nor does the sign of zero. */
export const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(plain(one), plain(other));

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

/**
 * A line of the list index, with its sets in a fixed order. External ids of parts are one list: a line from a snapshot has one list, a line
 * that was made from its object has one list a kind. The texts of a field are a set, too, since filters search among them.
 */
function comparableRow(row: CatalogRow | undefined): unknown {
  if (row === undefined) return null;
  const { alsoUnder = [], parts = [], fields } = row;
  return {
    ...row,
    alsoUnder: alsoUnder.toSorted(),
    parts: parts
      .flat()
      .map((part) => part.join('\0'))
      .toSorted(),
    fields: Object.entries(fields)
      .map(([name, value]) => [name, isOfTexts(value) ? value.toSorted() : value] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  };
}

const isOfTexts = (value: CatalogRow['fields'][string]): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

type Finding = {
  readonly part: 'journal' | 'keys' | 'snapshots' | 'recompute' | 'ledger';
  readonly where: string;
  readonly message: string;
};

export interface Verification {
  readonly segments: number;
  readonly batches: number;
  readonly records: number;
  readonly shards: number;
  readonly actors: number;
  readonly loans: number;
  /** Loans with a ledger, replayed from all their facts. */
  readonly replayed: number;
  readonly findings: readonly Finding[];
  readonly seconds: number;
}

/** Reports the step that runs and its progress; a total of 0 means that it is unknown. */
export type OnStep = (step: (typeof STEPS)[number], done: number, total: number) => void;

export const STEPS = [
  'walking the journal',
  'computing memory from the journal',
  'checking the data keys',
  'reading the snapshots',
  'comparing objects',
  'replaying loans',
] as const;

/** Objects between two reports of progress. */
const REPORT_EVERY = 1_000;

/**
 * Everything that can be checked of a data folder while no service runs on it: each block and chain of the journal, each
 * record of the snapshots, memory from snapshots against memory from the journal alone, and each loan's running ledger
 * against a replay of all its facts.
 */
export async function verifyData(store: OfflineStore, onStep: OnStep): Promise<Verification> {
  const begun = performance.now();
  const findings: Finding[] = store.setAside.map(({ environment, reason, movedTo }) => ({
    part: 'snapshots',
    where: environment,
    message: `${reason}; set aside as ${movedTo}, the next start rebuilds it`,
  }));
  onStep('walking the journal', 0, 0);
  const { findings: found, ...journal } = await store.walkJournal();
  for (const finding of found) findings.push({ part: 'journal', ...finding });
  const memory = await compareMemory(store, findings, onStep);
  return { ...journal, ...memory, findings, seconds: Number(((performance.now() - begun) / 1000).toFixed(2)) };
}

type Memory = Pick<Verification, 'actors' | 'loans' | 'replayed'>;

/** Without a journal that can be opened there is no memory to compare: this is a finding, and the verification continues. */
async function compareMemory(store: OfflineStore, findings: Finding[], onStep: OnStep): Promise<Memory> {
  try {
    onStep('computing memory from the journal', 0, 0);
    const fromJournal = await store.recompute('journalAlone');
    onStep('checking the data keys', 0, 0);
    for (const { owner, message } of await store.keyFaults(personsIn(fromJournal))) findings.push({ part: 'keys', where: owner, message });
    onStep('reading the snapshots', 0, 0);
    if (store.servesSnapshots) {
      const served = await store.recompute('served');
      const expected = withProgress(fromJournal, 'comparing objects', onStep);
      for (const finding of compareServed(served, fromJournal, expected)) findings.push({ part: 'recompute', ...finding });
    }
    return { actors: fromJournal.world.actorCache.size, ...replayLoans(fromJournal, findings, onStep) };
  } catch (cause) {
    findings.push({ part: 'recompute', where: 'the journal', message: cause instanceof Error ? cause.message : String(cause) });
    return { actors: 0, loans: 0, replayed: 0 };
  }
}

function replayLoans(recomputed: Recomputed, findings: Finding[], onStep: OnStep): { loans: number; replayed: number } {
  let loans = 0;
  let replayed = 0;
  for (const actor of withProgress(recomputed, 'replaying loans', onStep)) {
    const { id, tenant, shard } = actor;
    if (actor.kind !== 'loan') continue;
    loans += 1;
    const comparison = compareLedgers(loanStateOf(actor), recomputed.scope(tenant, shard));
    if (comparison === null) continue;
    replayed += 1;
    if (isSame(comparison.running, comparison.recomputed)) continue;
    findings.push({
      part: 'ledger',
      where: id,
      message: `runs as ${comparison.running.digest}, its facts give ${comparison.recomputed.digest}`,
    });
  }
  return { loans, replayed };
}

function* personsIn({ world: { actorCache } }: Recomputed): Iterable<string> {
  for (const { kind, id } of actorCache.values()) if (kind === 'person') yield id;
}

/** All objects; reports the progress to `onStep`. */
function* withProgress({ world: { actorCache } }: Recomputed, step: (typeof STEPS)[number], onStep: OnStep): Iterable<CachedActor> {
  let done = 0;
  for (const actor of actorCache.values()) {
    if (done % REPORT_EVERY === 0) onStep(step, done, actorCache.size);
    done += 1;
    yield actor;
  }
}
