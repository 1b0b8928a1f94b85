import fc from '../../fast-check.js';
import { test } from 'tap';
import { chooseTemplate, type TemplateDescriptor, templateNamed, type TemplateWanted } from '../../../actors/index.js';
import { SEED } from '../../seed.js';

const DESCRIPTOR: TemplateDescriptor = {
  subject: 'paymentFailed',
  channel: 'email',
  language: 'en',
  productId: null,
  activeVersionId: 'TV-1',
  wasActivated: true,
  sensitive: false,
  legallyRequired: false,
  enabled: true,
  name: null,
};
const WANTED: TemplateWanted = { subject: 'paymentFailed', channel: 'email', productId: 'LT-1', language: 'es' };

type Host = Parameters<typeof chooseTemplate>[0];

/** Each descriptor has an active version by default. */
function hostWith(descriptors: Readonly<Record<string, Partial<TemplateDescriptor>>>): Host {
  const record = (id: string, parentId: string | null, stored: object) =>
    [id, { id, parentId, createdAt: 0, updatedAt: null, stored }] as const;
  const content = {
    subjectLineTemplate: 'a',
    contentTextTemplate: null,
    contentHtmlTemplate: 'b',
    description: null,
    createdBy: { type: 'system', id: 'x' },
    activatedAt: 0,
  };
  const all = Object.entries(descriptors);
  return {
    id: 'CP-1',
    resources: new Map([
      ['templateDescriptor', new Map(all.map(([id, own]) => record(id, null, { ...DESCRIPTOR, activeVersionId: `V${id}`, ...own })))],
      ['templateVersion', new Map(all.map(([id]) => record(`V${id}`, id, content)))],
    ]),
  };
}

const chosenId = (descriptors: Readonly<Record<string, Partial<TemplateDescriptor>>>, wanted: Partial<TemplateWanted> = {}): string => {
  const chosen = chooseTemplate(hostWith(descriptors), { ...WANTED, ...wanted });
  return typeof chosen === 'string' ? chosen : chosen.descriptor.id;
};

/** The existing descriptors, the wanted message, and the chosen template. */
const ROWS: readonly (readonly [
  descriptors: Readonly<Record<string, Partial<TemplateDescriptor>>>,
  wanted: Partial<TemplateWanted>,
  chosen: string,
])[] = [
  [{}, {}, 'missing'],
  [{ B: {} }, {}, 'B'],
  [{ B: {} }, { subject: 'refundScheduled' }, 'missing'],
  [{ B: {} }, { channel: 'text' }, 'missing'],
  [{ B: { productId: 'LT-2' } }, {}, 'missing'],
  [{ B: { language: 'fr' } }, {}, 'missing'],
  [{ B: { enabled: false } }, {}, 'disabled'],
  [{ B: { activeVersionId: null } }, {}, 'inactive'],
  [{ B: {}, C: { productId: 'LT-1' } }, {}, 'C'],
  [{ B: {}, C: { productId: 'LT-1' } }, { productId: null }, 'B'],
  [{ B: {}, C: { language: 'es' } }, {}, 'C'],
  [{ B: {}, C: { language: 'es' } }, { language: null }, 'B'],
  [{ B: { productId: 'LT-1' }, C: { language: 'es' } }, {}, 'B'],
  [{ C: {}, B: {} }, {}, 'B'],
  [{ B: { enabled: false, productId: 'LT-1' }, C: {} }, {}, 'C'],
  [{ B: { activeVersionId: null, productId: 'LT-1' }, C: {} }, {}, 'C'],
  [{ B: { channel: 'mail' } }, { channel: undefined }, 'B'],
  [{ B: { channel: null } }, { channel: null }, 'B'],
];

test('the template of a message, a row for each rule', async (t) => {
  for (const [descriptors, wanted, chosen] of ROWS) t.equal(chosenId(descriptors, wanted), chosen, JSON.stringify([descriptors, wanted]));
});

test('a named template is a version, or the active version of a descriptor', async (t) => {
  const host = hostWith({ B: {}, C: { activeVersionId: null }, D: { enabled: false } });
  t.match(templateNamed(host, 'B', 'email', 'useTemplate'), { version: { id: 'VB' } });
  t.match(templateNamed(host, 'VC', 'email', 'useTemplate'), { descriptor: { id: 'C' }, version: { id: 'VC' } });
  t.equal(templateNamed(host, 'C', 'email', 'useTemplate'), 'inactive');
  t.throws(() => templateNamed(host, 'B', 'text', 'useTemplate'), { errorType: 'validationError', errors: [{ path: 'useTemplate' }] });
  t.throws(() => templateNamed(host, 'X', 'email', 'useTemplate'), { errorType: 'notFound', errors: [] });
});

test(`the choice does not depend on the order in which templates were created (seed ${SEED})`, async (t) => {
  const descriptor = fc
    .record({
      productId: fc.constantFrom(null, 'LT-1', 'LT-2'),
      language: fc.constantFrom('en', 'es', 'fr'),
      enabled: fc.boolean(),
      activeVersionId: fc.constantFrom(undefined, null),
    })
    .map(({ activeVersionId, ...own }): Partial<TemplateDescriptor> => (activeVersionId === undefined ? own : { ...own, activeVersionId }));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('A', 'B', 'C', 'D', 'E'), descriptor), (descriptors) => {
      const turned = Object.fromEntries(Object.entries(descriptors).reverse());
      return chosenId(descriptors) === chosenId(turned);
    }),
    { seed: SEED },
  );
  t.pass();
});
