import { assert, must } from '../../engine/index.js';
import { type NamedSchemas, referredIn, type Schema } from '../routing/schema.js';
import { phraseOf } from './descriptions.js';

/** `required`: what must be there and nothing else; `all`: each property once. */
export type Extent = 'required' | 'all';

/** Depth at which lists are empty and optional properties absent. */
const MOST_DEPTH = 8;

/** Values by the end of a property's name, first row first: what a lender would expect to find there. All of it is invented. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/firstName$/i, 'Ada'],
  [/lastName$/i, 'Verde'],
  [/middleName$/i, 'Lee'],
  [/userName$/i, 'ida'],
  [/(company|business|merchant|creditor|lender)\w*Name$/i, 'First Lender'],
  [/email/i, 'ada@example.com'],
  [/phone|number_/i, '+15125550143'],
  [/addressLine1$/i, '1 Main Street'],
  [/city$/i, 'Austin'],
  [/state$/i, 'TX'],
  [/country$/i, 'US'],
  [/postalCode|zip/i, '78701'],
  [/timezone|zone$/i, 'America/Chicago'],
  [/url$/i, 'https://loans.example.com/hooks'],
  [/domain/i, 'example.com'],
  [/routingNumber$/i, '021000021'],
  [/lastFour$|last4/i, '6789'],
  [/accountNumber$/i, '123456789'],
  [/currency$/i, 'USD'],
  [/token$/i, 'eyJhbGciOiJFZERTQSJ9'],
  [/password$/i, 'correct horse battery'],
  [/unrounded/i, '15.3863013699'],
  [/operationId$/, '4f0c2a9be7d14c63a1b25d8e90f7c316'],
  [/externalId$/i, 'ext-1001'],
];

/** Texts for patterns that none of the rows above fits. */
const CANDIDATES: readonly string[] = [
  'LN-4T7A-9QXM',
  '2024-02-15',
  '12:30:00',
  '12:30',
  '15.3863013699',
  '1200.00',
  '+15125550143',
  '021000021',
  '6789',
  '411111',
  '123456789',
  '78701',
  'TX',
  'US',
  'US48453',
  '07',
  '1',
  '10.0.0.0/8',
  'example.com',
  'https://example.com/hooks',
  'ada@example.com',
  'personal',
  'Personal',
  'personalLoan',
  '4f0c2a9be7d14c63a1b25d8e90f7c316',
  '4f0c2a9be7d14c63a1b25d8e90f7c3164f0c2a9be7d14c63a1b25d8e90f7c316',
  'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
];

const NUMBERS: readonly (readonly [RegExp, number])[] = [
  [/rate|apr|percent/i, 0.18],
  [/amount|balance|cents|total|principal|interest|fee/i, 109.76],
  [/limit/i, 5000],
  [/duration|count|days|months|number|sequence|version/i, 12],
];

const IDS: Readonly<Record<string, string>> = {
  person: 'BO',
  mainBorrower: 'BO',
  borrower: 'BO',
  company: 'CP',
  case: 'CS',
  loanType: 'LT',
  loan: 'LN',
  draw: 'DW',
  transaction: 'TX',
  user: 'UR',
  role: 'RL',
  event: 'EV',
  paymentInstrument: 'PT',
  document: 'DO',
  period: 'PE',
  obligation: 'OB',
  statement: 'SM',
  interaction: 'IN',
  employee: 'EM',
  team: 'TM',
};

/** Makes an example of each schema of a document: valid, and realistic for loan servicing. */
export class Examples {
  constructor(private readonly schemas: NamedSchemas) {}

  of(schema: Schema, extent: Extent, name = ''): unknown {
    return this.#of(schema, name, extent, []);
  }

  /** `names`: the references on the way, so that a type which contains itself ends. */
  #of(schema: Schema, name: string, extent: Extent, names: readonly string[]): unknown {
    if (schema.$ref !== undefined) {
      const found = must(referredIn(this.schemas, schema.$ref), `the schema ${schema.$ref}`);
      return this.#of(found, name, extent, [...names, schema.$ref]);
    }
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return schema.enum[0];
    const options = schema.oneOf ?? schema.anyOf;
    if (options !== undefined) return this.#of(this.#best(options, names), name, extent, names);
    const type = typeof schema.type === 'string' ? schema.type : schema.type?.find((each) => each !== 'null');
    switch (type) {
      case 'number':
      case 'integer':
        return numberOf(schema, name);
      case 'boolean':
        return true;
      case 'null':
        return null;
      case 'array':
        return this.#list(schema, name, extent, names);
      case 'object':
        return this.#object(schema, extent, names);
      case 'string':
        return textOf(schema, name);
      case undefined:
      default:
        return schema.properties === undefined ? {} : this.#object(schema, extent, names);
    }
  }

  /** The first alternative that is not null and does not contain its own schema. */
  #best(options: readonly Schema[], names: readonly string[]): Schema {
    const rest = options.filter((option) => option.type !== 'null' && (option.$ref === undefined || !names.includes(option.$ref)));
    return rest[0] ?? options.find((option) => option.type === 'null') ?? must(options[0], 'a list of alternatives has one');
  }

  #list({ items = {}, prefixItems, minItems = 0 }: Schema, name: string, extent: Extent, names: readonly string[]): unknown[] {
    if (prefixItems !== undefined) return prefixItems.map((item) => this.#of(item, name, extent, names));
    const isDeep = names.length > MOST_DEPTH || (items.$ref !== undefined && names.includes(items.$ref));
    const length = isDeep ? minItems : Math.max(minItems, 1);
    return Array.from({ length }, () => this.#of(items, name.replace(/s$/, ''), extent, names));
  }

  #object({ properties = {}, required = [], additionalProperties }: Schema, extent: Extent, names: readonly string[]): object {
    const whole: Record<string, unknown> = {};
    for (const [name, property] of Object.entries(properties)) {
      const isRequired = required.includes(name);
      const isEndless = property.$ref !== undefined && names.includes(property.$ref);
      if (!isRequired && (extent === 'required' || isEndless || names.length > MOST_DEPTH)) continue;
      whole[name] = this.#of(property, name === 'id' ? idName(properties) : name, extent, names);
    }
    if (Object.keys(properties).length === 0 && typeof additionalProperties === 'object') {
      whole['branch'] = this.#of(additionalProperties, 'branch', extent, names);
    }
    return whole;
  }
}

/** Objects say what they are, which is what their id is of. */
const idName = ({ object }: Readonly<Record<string, Schema>>): string =>
  typeof object?.const === 'string' ? `${object.const}Id` : 'loanId';

function numberOf(schema: Schema, name: string): number {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity, type } = schema;
  const isWhole = type === 'integer' || (Array.isArray(type) && type.includes('integer'));
  const isGood = (value: number): boolean =>
    value >= minimum && value <= maximum && value > exclusiveMinimum && value < exclusiveMaximum && (!isWhole || Number.isInteger(value));
  const wanted = NUMBERS.find(([pattern]) => pattern.test(name))?.[1];
  const fitting = [...(wanted === undefined ? [] : [wanted]), 12, 15, 1, 0, 0.5, 2024, minimum, maximum].find(isGood);
  assert(fitting !== undefined, `no example fits the number ${name}`);
  return fitting;
}

function textOf({ format, pattern, minLength = 0, maxLength = Infinity }: Schema, name: string): string {
  if (format === 'date') return '2024-02-15';
  if (format === 'date-time') return '2024-02-15T17:00:00.000Z';
  if (format === 'uri' || format === 'url') return 'https://loans.example.com/hooks';
  if (format === 'email') return 'ada@example.com';
  if (format === 'binary') return '';
  const isGood = (text: string): boolean =>
    (pattern === undefined || new RegExp(pattern, 'u').test(text)) && text.length >= minLength && text.length <= maxLength;
  const phrase = phraseOf(name);
  const said = phrase === '' ? 'Text' : phrase.charAt(0).toUpperCase() + phrase.slice(1);
  const ids = /^(.*?)(?:Id|Ids)$/.exec(name)?.[1];
  const candidates = [
    ...TEXTS.filter(([end]) => end.test(name)).map(([, text]) => text),
    ...(ids === undefined ? [] : [`${IDS[ids] ?? 'LN'}-4T7A-9QXM`]),
    ...(pattern === undefined ? [said, said.slice(0, Number.isFinite(maxLength) ? maxLength : undefined)] : []),
    ...CANDIDATES,
    said.padEnd(minLength, '.'),
    'a'.repeat(Math.min(minLength, 1_000)),
  ];
  const fitting = candidates.find(isGood);
  assert(fitting !== undefined, `no example fits the text ${name} with the pattern ${pattern ?? ''}`);
  return fitting;
}
