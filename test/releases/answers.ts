import type { Test } from 'tap';
import { tenorHere } from '../bench/tenor-here.js';
import { Service } from '../service/service.js';
import { type Difference, differencesOf } from './differences.js';
import { releaseOf } from './kept.js';

/**
 * Intended differences: by release and beginning of the position (`path at`), the reason and the version of the rules that changed it.
 * None so far.
 */
const ON_PURPOSE: Readonly<Record<string, Readonly<Record<string, string>>>> = {};

const isOnPurpose = (name: string, { path, at }: Difference): boolean =>
  Object.keys(ON_PURPOSE[name] ?? {}).some((place) => `${path} ${at}`.startsWith(place));

/** Starts on the folder, compares all answers, and stops. */
export async function answersAlike(t: Test, data: string, name: string): Promise<void> {
  const { key, answers } = releaseOf(name);
  const service = await Service.start(data);
  const differences: Difference[] = [];
  for (const [path, before] of Object.entries(answers)) {
    const { status, json } = await service.ask('GET', path, undefined, { authorization: `Bearer ${key}` });
    if (status !== 200) differences.push({ path, at: '', before: 200, now: status });
    differences.push(...differencesOf(path, before, json));
  }
  const unnamed = differences.filter((difference) => !isOnPurpose(name, difference));
  t.same(unnamed, [], 'all that it answered');
  t.equal(await service.stop(), 0, 'it ends in order');
}

export async function isSound(t: Test, data: string, when: string): Promise<void> {
  const { code, out } = await tenorHere({}, 'verify', '--data', data, '--json');
  t.match({ code, findings: (JSON.parse(out) as { readonly findings: unknown }).findings }, { code: 0, findings: [] }, when);
}
