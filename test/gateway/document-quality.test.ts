import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { test } from 'tap';
import { openApiDocument, RESOURCE_ROUTES } from '../../gateway/index.js';
import { Random } from '../random.js';
import { SEED } from '../seed.js';

/** The document as stock tools read it, without code of ours. */

type Json = Readonly<Record<string, unknown>>;

const document = openApiDocument(RESOURCE_ROUTES);
const { paths, components, webhooks, tags } = document as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Json; readonly parameters: Readonly<Record<string, Json>> };
  readonly webhooks: Json;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
};

interface Media {
  readonly schema: object;
  readonly example?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly $ref?: string; readonly name?: string; readonly description?: string }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

const operations: readonly Operation[] = Object.values(paths).flatMap((path) => Object.values(path));

/** The id under which a validator knows the document. */
const DOCUMENT = 'https://loans.example.com/api/openapi.json';

function stockValidator(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // A stock validator takes these two formats for annotations: their meaning is defined here.
  for (const format of ['decimal-cents', 'decimal-rate']) ajv.addFormat(format, { type: 'number', validate: () => true });
  ajv.addSchema({ $id: DOCUMENT, components });
  return ajv;
}

const absolute = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', `"${DOCUMENT}#/components/`)) as object;

test('each body and reply has an example that a stock validator accepts', async (t) => {
  const ajv = stockValidator();
  const wrong: string[] = [];
  let examples = 0;
  for (const { operationId, requestBody, responses } of operations) {
    const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
    for (const media of contents.flatMap((content) => content?.['application/json'] ?? [])) {
      examples += 1;
      const isValid = ajv.compile(absolute(media.schema));
      if (media.example === undefined) wrong.push(`${operationId} has no example`);
      else if (!isValid(media.example)) wrong.push(`${operationId}: ${ajv.errorsText(isValid.errors)}`);
    }
  }
  t.strictSame(wrong.slice(0, 10), []);
  t.ok(examples > 500, `${examples} examples`);
});

/** The schemas of amounts that are zero or more. */
function amountsIn(schema: unknown): readonly object[] {
  if (schema === null || typeof schema !== 'object') return [];
  const { format, minimum } = schema as Json;
  return format === 'decimal-cents' && minimum === 0 ? [schema] : Object.values(schema).flatMap(amountsIn);
}

test('any amount of cents is valid by the schema of amounts', async (t) => {
  const amount = Object.values(components.schemas).flatMap(amountsIn)[0];
  if (amount === undefined) return t.fail('no schema has an amount');
  const isValid = stockValidator().compile(amount);
  t.comment(`seed ${SEED}`);
  const random = new Random(SEED);
  const refused: number[] = [];
  for (let run = 0; run < 1_000_000; run += 1) {
    const drawn = random.below(1_000_000_000) / 100;
    if (!isValid(drawn)) refused.push(drawn);
  }
  t.strictSame(refused.slice(0, 5), [], `seed ${SEED}`);
  t.notOk(isValid(-0.01), 'the bounds hold');
  return undefined;
});

test('a body with required fields is required, and each status of a refusal has its errors', async (t) => {
  const create = operations.find(({ operationId }) => operationId === 'createLoan');
  t.equal(create?.requestBody?.required, true);
  for (const status of ['400', '401', '403', '404', '409', '413', '415', '422', '429', '500', '503']) {
    t.ok(
      operations.some(({ responses }) => responses[status] !== undefined),
      status,
    );
  }
  t.notOk(
    operations.some(({ responses }) => responses['201'] !== undefined && responses['404'] === undefined && responses['400'] === undefined),
  );
});

/** Terms of the source and pages of the contract, which the interface document must not mention. */
const CONTRACT_PAGES = 'loan-terms|money|people|cases|communications|platform|servicing-behaviour';
const INTERNAL = new RegExp(`typia|settled point|the contract|\\((?:seed|ours)\\)|\\b(?:${CONTRACT_PAGES})(?:\\.md)? \\d`, 'i');

test('tags, parameters and events have descriptions that name nothing internal', async (t) => {
  t.strictSame(
    tags.filter(({ name, description }) => description === `${name}.`).map(({ name }) => name),
    [],
    'each tag has a row in TAG_DESCRIPTIONS',
  );
  const parameters = operations.flatMap(({ parameters: own }) => own).filter(({ $ref }) => $ref === undefined);
  t.strictSame([...new Set(parameters.filter(({ description }) => !description).map(({ name }) => name))], []);
  t.ok(Object.keys(webhooks).includes('payment.succeeded'));
  const text = JSON.stringify(document);
  for (const [, description = ''] of text.matchAll(/"(?:description|summary)":"((?:[^"\\]|\\.)*)"/g)) {
    if (INTERNAL.test(description)) t.fail(description);
  }
  t.notMatch(text, /multipleOf/);
});

test('a stock linter finds nothing', async (t) => {
  const config = await createConfig({
    extends: ['spec', 'recommended'],
    rules: {
      // The document is served by each installation under its own address.
      'no-server-example.com': 'off',
      'info-contact': 'off',
      // Two list operations differ only by the segment after a common prefix; the router distinguishes them.
      'no-ambiguous-paths': 'off',
      // Receivers decide the responses of `webhooks`; operations refer to shared responses for refusals.
      'operation-4xx-response': 'error',
    },
  });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  t.strictSame(
    problems.slice(0, 10).map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer ?? ''}`),
    [],
    `${problems.length} problems`,
  );
});
