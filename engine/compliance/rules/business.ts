import { type BusinessRule, judgedBusinessRule } from '../business-rule.js';
import type { JudgedRule } from '../rule.js';

const OF_SERVICE = {
  kind: 'business',
  directions: ['outbound'],
  themes: [],
  subjects: [],
  transactional: 'exclude',
  jurisdictions: [],
  loanTypes: [],
  loanStatuses: [],
  lawCitation: null,
  effectiveFrom: null,
  effectiveTo: null,
  mutable: true,
  status: 'active',
} as const;

/** Business rules that every company has until it mutes them. */
const RULES: readonly BusinessRule[] = [
  {
    ...OF_SERVICE,
    id: 'CR-BZMX-DAY3',
    code: 'BIZ-MAXDAY',
    name: 'Contacts a day',
    channels: ['voice', 'email', 'text', 'chat', 'mail'],
    parameters: { type: 'frequency', limit: 3, days: 1, per: 'person' },
    description: 'Three contacts were made today that answered nothing.',
  },
  {
    ...OF_SERVICE,
    id: 'CR-BZQT-TEXT',
    code: 'BIZ-QUIET',
    name: 'Hours of texts',
    channels: ['text'],
    parameters: { type: 'hours', from: '09:00', to: '20:00' },
    description: 'Texts outside of 09:00 to 19:59 where the borrower is.',
  },
  {
    ...OF_SERVICE,
    id: 'CR-BZNT-LGHT',
    code: 'BIZ-INTENSITY-LIGHT',
    name: 'Light collection',
    channels: ['voice', 'email', 'text', 'chat', 'mail'],
    themes: ['opsCollDebt'],
    transactional: 'any',
    parameters: { type: 'frequency', limit: 2, days: 7, per: 'person', collectionsIntensity: 'light' },
    description: 'The borrower is to be collected from lightly: two contacts in seven days.',
  },
];

export const SERVICE_BUSINESS_RULES: readonly JudgedRule[] = RULES.map(judgedBusinessRule);
