import type { tags } from 'typia';
import {
  addDays,
  type Channel,
  formatDay,
  type InteractionTheme,
  minutesOf,
  SEED_RULES,
  stateNamed,
  type Subject,
  zonesOfState,
} from '../../../engine/index.js';
import type { Change, Declaration } from '../../kernel/resources/index.js';
import { type Fault, refuse } from '../../errors.js';
import type { DateText, ShortText, Text, Whole } from '../../wire.js';
import { zoneOf } from '../directory.js';
import type { CompanyState } from '../state.js';
import { BUSINESS_RULE_TYPE, businessRuleRecords, businessRuleView, type StoredBusinessRule } from './rule-view.js';

type TimeText = string & tags.Pattern<'^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$'>;
type Weekdays = readonly (Whole & tags.Minimum<1> & tags.Maximum<7>)[] & tags.MinItems<1> & tags.MaxItems<7>;

interface RecipientFilter {
  readonly collectionsIntensity?: 'light' | 'normal' | 'heavy';
  readonly contactLabels?: readonly ('personal' | 'work' | 'home' | 'military')[] & tags.MaxItems<4>;
}

/** The rule's parameters. Times are in the borrower's local time. */
type ParametersBody =
  | ({ readonly type: 'hours'; readonly from: TimeText; readonly to: TimeText; readonly weekdays?: Weekdays } & RecipientFilter)
  | ({ readonly type: 'daysOff'; readonly weekdays: Weekdays } & RecipientFilter)
  | ({
      readonly type: 'frequency';
      readonly limit: Whole & tags.Maximum<1000>;
      readonly days: Whole & tags.Minimum<1> & tags.Maximum<30>;
      readonly per: 'person' | 'loan';
    } & RecipientFilter)
  | ({ readonly type: 'never' } & RecipientFilter);

/* Lists are written out: the schema of a generic alias would get a name made of its members, in an order that depends on the compiler. */
type ShortTexts = readonly ShortText[] & tags.MaxItems<100>;

export type LoanStatusNamed =
  | 'originated'
  | 'active'
  | 'frozen'
  | 'accelerated'
  | 'chargedOff'
  | 'paidOff'
  | 'canceled'
  | 'declined'
  | 'pending';

interface OptionalBody {
  readonly description?: Text;
  readonly channels?: readonly Channel[] & tags.MaxItems<100>;
  readonly themes?: readonly InteractionTheme[] & tags.MaxItems<100>;
  readonly subjects?: readonly Subject[] & tags.MaxItems<100>;
  /** Default `exclude`: the rule does not apply to replies to a borrower. */
  readonly transactional?: 'any' | 'only' | 'exclude';
  readonly jurisdictions?: ShortTexts;
  readonly loanTypes?: ShortTexts;
  readonly loanStatuses?: readonly LoanStatusNamed[] & tags.MaxItems<100>;
  readonly lawCitation?: Text | null;
  readonly effectiveFrom?: DateText | null;
  readonly effectiveTo?: DateText | null;
  readonly status?: 'active' | 'inactive';
}

export interface BusinessRuleCreateBody extends OptionalBody {
  readonly code: string & tags.Pattern<'^[A-Z][A-Z0-9-]{1,49}$'>;
  readonly name: ShortText & tags.MinLength<1>;
  readonly parameters: ParametersBody;
}

export interface BusinessRuleUpdateBody extends OptionalBody {
  readonly name?: ShortText & tags.MinLength<1>;
  readonly parameters?: ParametersBody;
}

export const BUSINESS_RULE: Declaration<BusinessRuleCreateBody, BusinessRuleUpdateBody, StoredBusinessRule, CompanyState> = {
  type: BUSINESS_RULE_TYPE,
  object: 'complianceRule',
  prefix: 'CR',
  param: 'businessRuleId',
  unique: [{ name: 'code', of: ({ code }) => code }],
  create(body, at) {
    if (businessRuleRecords(at.host).size >= MOST) refuse('ruleViolation', `A company can have at most ${MOST} business rules.`);
    return checked({ ...NEW, ...body, parameters: parametersOf(body.parameters) }, at);
  },
  change: (before, { parameters, ...body }, at) =>
    checked({ ...before, ...body, parameters: parameters === undefined ? before.parameters : parametersOf(parameters) }, at),
  /** A deleted rule ends with yesterday. It is kept, since past decisions refer to it. */
  retire(before, { host, env }) {
    const yesterday = formatDay(addDays(env.today(zoneOf(host)), -1));
    return {
      ...before,
      status: 'inactive',
      effectiveTo: before.effectiveTo !== null && before.effectiveTo < yesterday ? before.effectiveTo : yesterday,
    };
  },
  view: (_stored, record, host) => businessRuleView(host, record),
};

/** Limited, since every rule is evaluated for every contact. */
const MOST = 100;

const NEW: Omit<StoredBusinessRule, 'code' | 'name' | 'parameters'> = {
  description: '',
  kind: 'business',
  channels: [],
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
};

const parametersOf = (body: ParametersBody): StoredBusinessRule['parameters'] => ({ ...body });

const TERRITORIES: ReadonlySet<string> = new Set(['US', 'NYC', 'AA', 'AE', 'AP', 'FM', 'MH', 'PW', 'UM']);

const isJurisdiction = (code: string): boolean => TERRITORIES.has(code) || (stateNamed(code) === code && zonesOfState(code).length > 0);

function checked(rule: StoredBusinessRule, { host }: Change<CompanyState>): StoredBusinessRule {
  const errors: Fault[] = [];
  const need = (isRight: boolean, path: string, expected: string, message: string): void => {
    if (!isRight) errors.push({ path, expected, message });
  };
  need(!SEED_RULES.some(({ code }) => code === rule.code), 'code', 'a code that no rule of the service has', 'is already in use');
  for (const [index, code] of rule.jurisdictions.entries())
    need(isJurisdiction(code), `jurisdictions[${index}]`, 'a state or territory, US or NYC', 'is not a jurisdiction');
  for (const [index, id] of rule.loanTypes.entries())
    need(host.loanTypes.has(id), `loanTypes[${index}]`, 'a loan type of the company', 'there is no such loan type');
  const { parameters, effectiveFrom, effectiveTo } = rule;
  if (parameters.type === 'hours')
    need(minutesOf(parameters.from) < minutesOf(parameters.to), 'parameters.to', 'a time after from', 'must be after from');
  need(
    effectiveFrom === null || effectiveTo === null || effectiveFrom <= effectiveTo,
    'effectiveTo',
    'effectiveFrom or later',
    'is before effectiveFrom',
  );
  if (errors.length > 0) refuse('validationError', 'The business rule is not valid: see `errors`.', { errors });
  return rule;
}
