import { must } from '../../assert.js';
import { type JudgedRule, RULE_KINDS, type TestedRule } from '../rule.js';
import { SERVICE_BUSINESS_RULES, TIME_RULES } from './times.js';
import { CONSENT_RULES } from './consent.js';
import { CONTENT_RULES } from './content.js';
import { FREQUENCY_RULES } from './frequencies.js';
import { BASES } from './readings.js';
import { STATUS_RULES } from './status.js';

const OF_LAW: readonly TestedRule[] = [...STATUS_RULES, ...CONSENT_RULES, ...TIME_RULES, ...FREQUENCY_RULES, ...CONTENT_RULES];

const ALL: readonly JudgedRule[] = [
  ...OF_LAW.map((rule): JudgedRule => ({ ...rule, basis: must(BASES[rule.code], `the rule ${rule.code} has no basis`) })),
  ...SERVICE_BUSINESS_RULES,
];

/** The rules that every company starts with, in the order in which they are judged. */
export const SEED_RULES: readonly JudgedRule[] = RULE_KINDS.flatMap((kind) => ALL.filter((rule) => rule.kind === kind));

export const DECEASED_RULE = 'US-DECEASED';
