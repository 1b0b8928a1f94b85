import { addDays, startOfDay } from '../../engine/index.js';
import {
  type CommandOfMorning,
  NOTIFY_OF_PRIVACY,
  operationOfMorning,
  REMIND_LOAN,
  REMINDER_ZONE,
  worksOfMorning,
} from '../company/index.js';
import { type DueWork, type Look, type Reading, WAITING, type WorkKind } from './work-kind.js';

/** The day of each zone is closed at the first instant of the next one, and the actors with work of that day do it. */
export const DAY_CLOSE: WorkKind = {
  title: 'Close of the day',
  due: 'at midnight of each time zone of the company and its loan types',
  includes: [
    'interest, periods, due and overdue amounts',
    'autopay',
    'fees',
    'statements',
    'statuses of loans',
    'promises and payment plans',
    'key dates of cases',
    'notices of the day',
  ],
  graceMinutes: 60,
  pausedBy: 'operation',
  hasOwnZones: true,
  dueOn: ({ outside }, day) =>
    outside.zones.map(({ zone }) => ({ subjectId: null, zone, day: addDays(day, -1), dueAt: startOfDay(zone, day) })),
  read({ outside }, { zone, day }) {
    const seen = outside.zones.find((each) => each.zone === zone);
    if (seen === undefined || seen.closed < day) return WAITING;
    if (seen.closed > day) return { state: 'done', endedAt: null };
    return { state: 'running', isAsOperation: true, operationId: seen.operationId };
  },
};

const ofMorning = (command: CommandOfMorning, work: Pick<WorkKind, 'title' | 'due' | 'includes'>): WorkKind => ({
  ...work,
  graceMinutes: 9 * 60,
  pausedBy: 'operation',
  hasOwnZones: true,
  dueOn: ({ company }, day) =>
    worksOfMorning(company, day)
      .filter((each) => each.command === command)
      .map(({ productId }) => ({ subjectId: productId, zone: REMINDER_ZONE, day, dueAt: startOfDay(REMINDER_ZONE, day) })),
  read: (look, due) => readMorning(look, due, command),
});

function readMorning({ company }: Look, { subjectId, day }: DueWork, command: CommandOfMorning): Reading {
  if (company.remindedOn === null || company.remindedOn < day) return WAITING;
  const operationId = operationOfMorning(company, { productId: subjectId ?? '', today: day, command });
  return { state: 'running', isAsOperation: true, operationId };
}

/** What goes out in the morning is planned at the begin of the day, and is late when it is not planned by then. */
export const REMINDERS: WorkKind = ofMorning(REMIND_LOAN, {
  title: 'Reminders of a loan type',
  due: 'each day at midnight in Los Angeles, for messages at 09:00',
  includes: ['reminders of due dates, autopay, overdue amounts, cards and promotions'],
});

export const PRIVACY_NOTICES: WorkKind = ofMorning(NOTIFY_OF_PRIVACY, {
  title: 'Privacy notices of a loan type',
  due: 'on January 15 at midnight in Los Angeles',
  includes: ['the yearly privacy notice'],
});
