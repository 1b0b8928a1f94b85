import {
  addBusinessDays,
  addDays,
  civil,
  dayAt,
  type Day,
  dayOf,
  daysInMonth,
  isBusinessDay,
  metro2,
  startOfDay,
} from '../../engine/index.js';
import {
  campaignsOf,
  creditAgenciesOf,
  investorsOf,
  isScheduled,
  LOAN_TAPE_FILE,
  loanTapesOf,
  loanTapeTypeOf,
  missingToSettle,
  moneyCalendarOf,
  nextPeriodEnd,
  runOn,
  scheduledMoment,
  SETTLEMENT,
  type SettlementState,
  type TapeFileState,
  zoneOf,
} from '../company/index.js';
import { CAMPAIGN_RUN, type RunState } from '../contact/index.js';
import type { CatalogRow } from '../kernel/actor.js';
import { CREDIT_FILE, type CreditFileState, missingForHeader } from '../loan/index.js';
import { type Look, type Reading, skipped, WAITING, type WorkKind } from './work-kind.js';

/** Objects of one kind that a work looks at: the newest of them. */
const NEWEST = 40;

function newest<State>(
  { env }: Look,
  kind: string,
  parentId: string | null,
  matches: (fields: CatalogRow['fields']) => boolean,
): readonly State[] {
  const { rows } = env.listAll(kind, {
    limit: NEWEST,
    ...(parentId === null ? {} : { parentId }),
    matches: ({ fields }) => matches(fields),
  });
  return rows.flatMap(({ id }) => env.stateOf<State>(kind, id) ?? []);
}

const GONE = 'It was removed or changed before its time.';

/** `settlements/runner.ts` orders them. */
export const SETTLEMENTS: WorkKind = {
  title: 'Settlement with an investor',
  due: 'on the first business day after the day, week or month of the investor, at midnight of the company',
  includes: ['the payments of the period on all loans of the investor', 'the remittance file'],
  graceMinutes: 4 * 60,
  pausedBy: 'work',
  dueOn({ company }, day) {
    const calendar = moneyCalendarOf(company);
    const zone = zoneOf(company);
    if (!isBusinessDay(day, calendar)) return [];
    return [...investorsOf(company).values()].flatMap(({ id, stored, createdAt }) => {
      const { settlementFrequency } = stored;
      const end = settlementFrequency === null ? null : nextPeriodEnd(settlementFrequency, day, null);
      const isFirst = end !== null && addBusinessDays(day, -1, calendar) <= end;
      return isFirst && createdAt < startOfDay(zone, addDays(day, 1)) ? [{ subjectId: id, zone, day, dueAt: startOfDay(zone, day) }] : [];
    });
  },
  read(look, { subjectId, day }) {
    const { company } = look;
    const investor = investorsOf(company).get(subjectId ?? '');
    const frequency = investor?.stored.settlementFrequency ?? null;
    const end = frequency === null ? null : nextPeriodEnd(frequency, day, null);
    if (end === null) return skipped(GONE);
    const made = newest<SettlementState>(look, SETTLEMENT, subjectId, ({ isPaid }) => isPaid === true).findLast(
      ({ periodEnd }) => periodEnd >= end,
    );
    if (made !== undefined) return readSettlement(made);
    // It is made as soon as nothing is missing any more.
    return { state: 'waiting', error: missingToSettle(company, subjectId ?? '') };
  },
};

function readSettlement({ id, totals, operationId, createdAt }: SettlementState): Reading {
  const known = { begunAt: createdAt, objectIds: [id], operationId };
  if (totals === null) return { ...known, state: 'running', isAsOperation: true };
  return { ...known, state: 'done', counts: { transactions: totals.transactionCount } };
}

export const SETTLEMENT_TRANSFERS: WorkKind = {
  title: 'Transfer of a settlement',
  due: 'on the settlement date, at midnight of the company',
  includes: ['the upload of the remittance file', 'the transfer to the investor'],
  graceMinutes: 4 * 60,
  pausedBy: 'work',
  restsUnderWay: true,
  dueOn(look, day) {
    const zone = zoneOf(look.company);
    return newest<SettlementState>(look, SETTLEMENT, null, ({ settlementDay }) => settlementDay === day).map(({ id }) => ({
      subjectId: id,
      zone,
      day,
      dueAt: startOfDay(zone, day),
    }));
  },
  read({ env }, { subjectId }) {
    const settlement = env.stateOf<SettlementState>(SETTLEMENT, subjectId ?? '');
    if (settlement === undefined) return skipped(GONE);
    const { status, failureReason, deliveryError, deliveredAt, updatedAt, totals } = settlement;
    const known = { objectIds: [settlement.id] };
    switch (status) {
      case 'pending':
        return { ...known, state: deliveryError === null ? 'waiting' : 'running', error: deliveryError };
      case 'initiated':
      case 'succeeded':
        return { ...known, state: 'done', endedAt: deliveredAt ?? updatedAt, counts: { transactions: totals?.transactionCount ?? 0 } };
      case 'failed':
        return { ...known, state: 'failed', error: failureReason };
      case 'canceled':
        return { ...known, ...skipped('The settlement was canceled.') };
    }
  },
};

export const LOAN_TAPES: WorkKind = {
  title: 'File of a loan tape',
  due: 'on the days of its type, at `runTimeOfDay` of the company',
  includes: ['the file of the loans or payments', 'its upload'],
  graceMinutes: 60,
  pausedBy: 'status',
  dueOn({ company }, day) {
    const zone = zoneOf(company);
    return [...loanTapesOf(company).values()].flatMap(({ id, stored, createdAt }) => {
      const type = loanTapeTypeOf(company, stored.loanTapeTypeId);
      if (type === undefined || !isScheduled(type, day)) return [];
      const dueAt = scheduledMoment(type.runTimeOfDay, zone, day);
      return dueAt > createdAt ? [{ subjectId: id, zone, day, dueAt }] : [];
    });
  },
  read(look, { subjectId, day, dueAt }) {
    const files = newest<TapeFileState>(look, LOAN_TAPE_FILE, subjectId, ({ trigger, reportDay, status }) =>
      trigger === 'schedule' ? Number(reportDay) >= day : reportDay === day && status === 'succeeded',
    );
    const tape = loanTapesOf(look.company).get(subjectId ?? '');
    const type = tape && loanTapeTypeOf(look.company, tape.stored.loanTapeTypeId);
    // One that has failed may be made again by hand. A late file of loans has a later report day: it is that of the last scheduled day.
    const file =
      files.find(({ reportDay, status }) => reportDay === day && status === 'succeeded') ??
      files.findLast(({ reportDay }) => reportDay === day || (type !== undefined && !isScheduled(type, reportDay)));
    if (file !== undefined) return readTape(file);
    if (files.length > 0) return skipped('The service was not there at the time. A later file was made instead.');
    if (tape === undefined) return skipped(GONE);
    return tape.stored.status === 'paused' && look.now >= dueAt ? { state: 'paused', error: 'The loan tape is paused.' } : WAITING;
  },
};

function readTape({ id, status, failureDescription, createdAt, uploadedAt, updatedAt, made }: TapeFileState): Reading {
  const known = { begunAt: createdAt, objectIds: [id], error: failureDescription };
  if (status === 'pending') return { ...known, state: 'running' };
  if (status === 'failed') return { ...known, state: 'failed', endedAt: updatedAt };
  return { ...known, error: null, state: 'done', endedAt: uploadedAt, counts: { rows: made?.rowCount ?? 0 } };
}

/** The day of a month on which an agency gets its file, counted from the day on which it was added. */
function fileDayOf(specificDays: readonly number[], month: Day, addedOn: Day): Day | undefined {
  const { year, month: ofYear } = civil(month);
  const last = daysInMonth(year, ofYear);
  return specificDays
    .map((specific) => dayOf(year, ofYear, Math.min(specific, last)))
    .sort((a, b) => a - b)
    .find((day) => day >= addedOn);
}

export const CREDIT_FILES: WorkKind = {
  title: 'File for a credit agency',
  due: 'on the first of the days of the agency in a month, at midnight of the company',
  includes: ['the month of each reported loan', 'the file', 'its upload'],
  graceMinutes: 12 * 60,
  pausedBy: 'work',
  dueOn({ company }, day) {
    const zone = zoneOf(company);
    return [...creditAgenciesOf(company).values()].flatMap(({ id, stored, createdAt }) =>
      fileDayOf(stored.specificDays, day, dayAt(zone, createdAt)) === day
        ? [{ subjectId: id, zone, day, dueAt: Math.max(startOfDay(zone, day), createdAt) }]
        : [],
    );
  },
  read(look, { subjectId, day }) {
    const activityDay = metro2.endOfLastMonth(day);
    const agency = creditAgenciesOf(look.company).get(subjectId ?? '');
    const [file] = newest<CreditFileState>(
      look,
      CREDIT_FILE,
      null,
      (fields) => fields['creditAgencyId'] === subjectId && fields['activityDay'] === activityDay,
    );
    if (file !== undefined) return readCreditFile(file);
    if (agency === undefined) return skipped(GONE);
    if (metro2.endOfLastMonth(dayAt(zoneOf(look.company), look.now)) > activityDay)
      return skipped('The service was not there on the days of the agency in that month.');
    const missing = missingForHeader(look.company, agency, activityDay);
    return missing.length === 0 ? WAITING : { state: 'waiting', error: `The loan types that are reported lack ${missing.join(', ')}.` };
  },
};

function readCreditFile({ id, status, failureDescription, operationId, createdAt, finishedAt, gathered }: CreditFileState): Reading {
  const known = { begunAt: createdAt, endedAt: finishedAt, objectIds: [id], operationId };
  switch (status) {
    case 'recording':
      return { ...known, state: 'running', isAsOperation: true };
    case 'writing':
    case 'sending':
      return { ...known, state: 'running' };
    case 'failed':
      return { ...known, state: 'failed', error: failureDescription };
    case 'succeeded':
      return { ...known, state: 'done', counts: { records: gathered?.totals['totalBaseRecords'] ?? 0, held: gathered?.heldCount ?? 0 } };
  }
}

export const CAMPAIGNS: WorkKind = {
  title: 'Run of a campaign',
  due: 'on the days of its schedule, between 05:00 and 07:00 of the company',
  includes: ['the list of the query', 'messages to its borrowers, or the file of their contacts'],
  graceMinutes: 2 * 60,
  pausedBy: 'status',
  dueOn(look, day) {
    const zone = zoneOf(look.company);
    return [...campaignsOf(look.company).values()].flatMap(({ id, stored, createdAt }) => {
      const dueAt = stored.status === 'deleted' ? null : runOn(id, stored.schedule, day, zone);
      if (dueAt === null || dueAt < createdAt || (stored.runsFrom > day && !ranSince(look, id, day))) return [];
      return [{ subjectId: id, zone, day, dueAt }];
    });
  },
  read(look, { subjectId, zone, day, dueAt }) {
    const run = runOf(look, subjectId, day);
    if (run !== undefined) return readRun(run);
    const campaign = campaignsOf(look.company).get(subjectId ?? '');
    if (campaign === undefined || campaign.stored.status === 'deleted') return skipped(GONE);
    if (campaign.stored.status === 'paused') return look.now < dueAt ? WAITING : { state: 'paused', error: 'The campaign is paused.' };
    return dayAt(zone, look.now) > day
      ? skipped('The service was not there on that day. Runs that were missed are not made up for.')
      : WAITING;
  },
};

const scheduledRuns = (look: Look, campaignId: string | null): readonly RunState[] =>
  newest<RunState>(look, CAMPAIGN_RUN, campaignId, () => true).filter(({ trigger }) => trigger === 'schedule');

const runOf = (look: Look, campaignId: string | null, on: Day): RunState | undefined =>
  scheduledRuns(look, campaignId).find(({ day }) => day === on);

/** A run on the day or later: the campaign was under way. */
const ranSince = (look: Look, campaignId: string, since: Day): boolean =>
  scheduledRuns(look, campaignId).some(({ day }) => day !== null && day >= since);

function readRun({ id, status, error, createdAt, startedAt, finishedAt, rowCount, counts }: RunState): Reading {
  const { processed, exported, sent, blocked, failed } = counts;
  const known = { begunAt: startedAt ?? createdAt, endedAt: finishedAt, objectIds: [id], error };
  switch (status) {
    case 'queued':
    case 'querying':
    case 'processing':
      return { ...known, state: 'running', progress: rowCount === null ? null : { done: processed, total: rowCount } };
    case 'failed':
      return { ...known, state: 'failed' };
    case 'skipped':
      return { ...known, state: 'skipped' };
    case 'canceled':
      return { ...known, ...skipped('The run was canceled.') };
    case 'succeeded':
    case 'partiallyFailed':
      return { ...known, state: 'done', counts: { rows: processed, exported, sent, blocked, failed } };
  }
}
