import type { CompanyProfile } from '../../company/index.js';
import type { PersonState } from '../state.js';
import { MONITORING_KINDS, type MonitoringKind } from './status.js';

type Datum = 'name' | 'SSN' | 'dateOfBirth' | 'address' | 'phone';

interface Watch {
  /** The switch of the company that turns it on. */
  readonly policy: 'bankruptcyPolicy' | 'deceasedPolicy' | 'scraPolicy' | 'femaPolicy' | 'ofacPolicy' | 'rndPolicy';
  /** What its source needs to know: all of one row. */
  readonly needs: readonly (readonly Datum[])[];
}

const WATCHES: { readonly [Kind in MonitoringKind]: Watch } = {
  bankruptcy: {
    policy: 'bankruptcyPolicy',
    needs: [
      ['name', 'SSN'],
      ['name', 'dateOfBirth', 'address'],
    ],
  },
  deceased: {
    policy: 'deceasedPolicy',
    needs: [
      ['name', 'SSN'],
      ['name', 'dateOfBirth', 'address'],
    ],
  },
  militaryDuty: {
    policy: 'scraPolicy',
    needs: [
      ['name', 'SSN'],
      ['name', 'dateOfBirth'],
    ],
  },
  disaster: { policy: 'femaPolicy', needs: [['address']] },
  sanctions: { policy: 'ofacPolicy', needs: [['name']] },
  phoneReassigned: { policy: 'rndPolicy', needs: [['phone']] },
};

/** Numbers that stand for the social security number with sources that look after businesses, too. */
const NUMBERS: ReadonlySet<string> = new Set(['SSN', 'ITIN', 'FEIN', 'taxID']);

const HAS: { readonly [Name in Datum]: (person: PersonState) => boolean } = {
  name: ({ names, business }) => business !== null || names.some(({ status }) => status === 'active'),
  SSN: ({ identities }) => identities.some(({ identityType, isArchived }) => NUMBERS.has(identityType) && !isArchived),
  dateOfBirth: ({ dateOfBirth }) => dateOfBirth !== null,
  address: (person) => hasPrimary(person, 'address'),
  phone: (person) => hasPrimary(person, 'phone'),
};

const hasPrimary = ({ contacts }: PersonState, type: string): boolean =>
  contacts.some(({ contactType, affiliation, status }) => contactType === type && affiliation === 'self' && status === 'primary');

/** What a source lacks of the borrower: of the row that lacks least. */
export function missingFields(person: PersonState, kind: MonitoringKind): readonly string[] {
  const lacking = WATCHES[kind].needs.map((row) => row.filter((datum) => !HAS[datum](person)));
  return lacking.reduce((least, row) => (row.length < least.length ? row : least));
}

export const isPolicyOn = (profile: CompanyProfile | null, kind: MonitoringKind): boolean => profile?.[WATCHES[kind].policy] ?? false;

/** Kinds that begin by themselves: the policy is on, nothing is lacking, and nobody has said anything of them yet. */
export const dueKinds = (person: PersonState, profile: CompanyProfile | null): readonly MonitoringKind[] =>
  MONITORING_KINDS.filter((kind) => isPolicyOn(profile, kind) && missingFields(person, kind).length === 0 && isToBegin(person, kind));

const isToBegin = ({ monitoring }: PersonState, kind: MonitoringKind): boolean => {
  const known = monitoring.find((status) => status.kind === kind);
  return known === undefined || known.status === 'missingData';
};
