import { operationIdOf } from '../../actors/kernel/jobs/operations.js';
import { type Client } from './client.js';
import type { Scenario, ScenarioParts } from './scenario.js';
import { Follower, hold, type KnownLoan } from './witness.js';

/** Less than the time for which a service keeps its replies, in milliseconds. */
const REPLIES_KEPT_MS = 23 * 3_600_000;

/** After this time every day that is over is closed, in every unit: answers no longer change. */
const DAYS_CLOSED_MS = 10_000;

const QUERIES = ['loan.get', 'loan.balances', 'loan.rates', 'loan.statusHistory', 'loan.expectedPayments', 'transaction.list'] as const;

/** The conditions once all faults are over: a retry gets the same answer, and the service serves what the journal says. */
export async function examine(
  parts: ScenarioParts,
  scenario: Scenario,
  examiner: Client,
  followers: readonly (readonly [Follower, Follower])[],
): Promise<void> {
  const { witness, clock, time, trace } = parts;
  clock.stand();
  await time.pause(DAYS_CLOSED_MS);
  for (const sent of witness.sent) if (clock.now() - sent.at < REPLIES_KEPT_MS) await examiner.again(sent);
  await checkLoans(parts, examiner);
  await checkValues(parts, scenario, examiner);
  trace('every command is answered once more');

  for (const [index, pair] of followers.entries()) await followToTheEnd(scenario, examiner, index, pair);
  const served = await allAnswers(parts, examiner);
  await scenario.verify();
  trace('the journal is whole');
  for (const how of ['withSnapshots', 'fromJournalAlone'] as const) {
    await scenario.restart(how);
    compare(served, await allAnswers(parts, examiner), how);
    for (const [index, pair] of followers.entries()) await followToTheEnd(scenario, examiner, index, pair);
  }
  await checkLoans(parts, examiner);
  trace('what is served is what the journal says');
}

async function checkLoans({ witness, time }: ScenarioParts, examiner: Client): Promise<void> {
  for (const loan of witness.loans) {
    while (!(await examiner.read(loan))) await time.pause(10);
    const accepted = loan.payments.filter(({ sent }) => sent.state === 'accepted').length;
    hold(loan.shown.length >= accepted, () => `loan ${loan.id} has ${loan.shown.length} transactions of ${accepted} accepted payments`);
  }
}

/** Every part of the service finishes the mass work of every value of the index, and each loan that follows it has the newest one. */
async function checkValues({ witness, time }: ScenarioParts, scenario: Scenario, examiner: Client): Promise<void> {
  for (const { sent } of witness.values) {
    const operationId = operationIdOf(sent.request.commandId);
    for (const { name, shard } of scenario.eventSources) {
      let share = await examiner.mass(operationId, shard);
      for (; share?.status === 'running'; share = await examiner.mass(operationId, shard)) await time.pause(10, 200);
      hold(
        share === null || (share.status === 'succeeded' && !share.counts?.failed),
        () => `${name} ends mass work with ${JSON.stringify(share)}`,
      );
    }
  }
  const [newest] = witness.values
    .filter(({ sent }) => sent.state === 'accepted')
    .sort((one, other) => other.startDate.localeCompare(one.startDate));
  for (const loan of witness.loans) {
    if (loan.spread === null || !loan.isActive || newest === undefined) continue;
    const { rates } = JSON.parse(await examiner.answerTo('loan.rateDetails', loan)) as {
      readonly rates: readonly { readonly effectiveRate: number }[];
    };
    const expected = Math.round((loan.spread + newest.annualRate) * 10_000);
    hold(
      rates.every(({ effectiveRate }) => Math.round(effectiveRate * 10_000) === expected),
      () => `loan ${loan.id} has ${JSON.stringify(rates)}, and not ${expected} basis points`,
    );
  }
}

async function followToTheEnd(
  scenario: Scenario,
  examiner: Client,
  index: number,
  [one, other]: readonly [Follower, Follower],
): Promise<void> {
  const { name, shard } = scenario.eventSources[index] ?? { name: '', shard: 0 };
  const late = new Follower(`a late follower of ${name}`);
  for (const follower of [one, other, late]) while (await examiner.follow(follower, shard)) continue;
  one.agreeWith(other);
  one.agreeWith(late);
  hold(
    one.seen.length === late.seen.length && other.seen.length === late.seen.length,
    () => `of ${name} ${one.seen.length}, ${other.seen.length} and ${late.seen.length} events were read`,
  );
}

async function allAnswers({ witness }: ScenarioParts, examiner: Client): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  for (const loan of witness.loans) for (const type of QUERIES) answers.set(`${type} of ${loan.id}`, await answerOf(examiner, type, loan));
  return answers;
}

const answerOf = (examiner: Client, type: string, loan: KnownLoan): Promise<string> => examiner.answerTo(type, loan);

function compare(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>, how: string): void {
  for (const [what, text] of before)
    hold(after.get(what) === text, () => `after a start (${how}) ${what} is ${after.get(what)}, and was ${text}`);
}
