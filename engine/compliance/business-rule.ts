import { type Day, weekday } from '../calendar/index.js';
import { COMPANY_BASIS } from './basis.js';
import { aboutLoan, type Considered, counted, debtsOf } from './considered.js';
import { atMost, type Minutes, MINUTES_A_DAY, NEVER, type Opening, shutDuring } from './openings.js';
import { type ComplianceRule, type JudgedRule, opens } from './rule.js';
import type { PastContact } from './situation.js';

/** What a rule of a company asks. Each of them can only stop what the law allows. */
type BusinessParameters = Restriction & {
  /** Borrowers of this intensity alone; absent: all. */
  readonly collectionsIntensity?: 'light' | 'normal' | 'heavy';
  /** Contacts with these labels alone; absent or empty: all. */
  readonly contactLabels?: readonly ('personal' | 'work' | 'home' | 'military')[];
};

type Restriction =
  /**
   * Allowed from `from` to before `to`, as `HH:MM` where the borrower is, on these weekdays (1 = Monday); other days are not restricted.
   */
  | { readonly type: 'hours'; readonly from: string; readonly to: string; readonly weekdays?: readonly number[] }
  /** No contact on these weekdays. */
  | { readonly type: 'daysOff'; readonly weekdays: readonly number[] }
  /** At most so many contacts that the rule is about, on so many calendar days. */
  | { readonly type: 'frequency'; readonly limit: number; readonly days: number; readonly per: 'person' | 'loan' }
  /** Never. */
  | { readonly type: 'never' };

export interface BusinessRule extends ComplianceRule {
  readonly kind: 'business';
  readonly parameters: BusinessParameters & Readonly<Record<string, unknown>>;
}

export const judgedBusinessRule = (rule: BusinessRule): JudgedRule => ({
  ...rule,
  scope: 'any',
  basis: COMPANY_BASIS,
  test: opens((considered) => openingsOf(rule, considered)),
});

function openingsOf(rule: BusinessRule, considered: Considered): readonly Opening[] {
  const { collectionsIntensity, contactLabels = [], ...restriction } = rule.parameters;
  const { person, contact } = considered.situation;
  if (collectionsIntensity !== undefined && collectionsIntensity !== person.collectionsIntensity) return [];
  if (contactLabels.length > 0 && contact !== null && !contactLabels.includes(contact.label)) return [];
  return within(rule, restriction, considered);
}

function within(rule: BusinessRule, restriction: Restriction, considered: Considered): readonly Opening[] {
  const { zones } = considered;
  switch (restriction.type) {
    case 'never':
      return [NEVER];
    case 'daysOff':
      return zones.map((zone) => shutDuring(zone, (day) => (restriction.weekdays.includes(weekday(day)) ? [[0, MINUTES_A_DAY]] : [])));
    case 'hours':
      return zones.map((zone) => shutDuring(zone, (day) => shutOn(restriction, day)));
    case 'frequency': {
      const debts = restriction.per === 'person' ? [null] : debtsOf(considered);
      const past = counted(considered.situation.history).filter((made) => isOf(rule, made));
      return debts.flatMap((loanId) =>
        zones.map((zone) =>
          atMost(
            restriction,
            zone,
            aboutLoan(past, loanId).map(({ startedAt }) => startedAt),
          ),
        ),
      );
    }
  }
}

function shutOn({ from, to, weekdays = [] }: Extract<Restriction, { type: 'hours' }>, day: Day): readonly Minutes[] {
  return weekdays.length > 0 && !weekdays.includes(weekday(day))
    ? []
    : [
        [0, minutesOf(from)],
        [minutesOf(to), MINUTES_A_DAY],
      ];
}

/** `HH:MM` in minutes; `24:00` is the end of the day. */
export function minutesOf(time: string): number {
  const [hours = '0', minutes = '0'] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** Whether a past contact is one of those that the rule counts. What an old row does not say counts. */
const isOf = ({ channels, themes, subjects, transactional }: BusinessRule, past: PastContact): boolean =>
  (channels.length === 0 || channels.includes(past.channel)) &&
  (themes.length === 0 || past.theme === null || themes.includes(past.theme)) &&
  (subjects.length === 0 || (past.subject !== null && subjects.includes(past.subject))) &&
  (transactional === 'any' || past.isTransactional === null || past.isTransactional === (transactional === 'only'));
