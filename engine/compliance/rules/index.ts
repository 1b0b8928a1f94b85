import { type JudgedRule, RULE_KINDS } from '../rule.js';
import { SERVICE_BUSINESS_RULES } from './business.js';
import { CONSENT_RULES } from './consent.js';
import { FREQUENCY_RULES } from './frequencies.js';
import { STATUS_RULES } from './status.js';
import { TIME_RULES } from './times.js';

const ALL: readonly JudgedRule[] = [...STATUS_RULES, ...CONSENT_RULES, ...TIME_RULES, ...FREQUENCY_RULES, ...SERVICE_BUSINESS_RULES];

/** The rules that every company starts with (communications 5.4), in the order in which they are judged. */
export const SEED_RULES: readonly JudgedRule[] = RULE_KINDS.flatMap((kind) => ALL.filter((rule) => rule.kind === kind));

export const DECEASED_RULE = 'US-DECEASED';
