import { ACCOUNT, ANN, EMAIL, HOME, PHONE } from '../../actors/borrower/lender.js';
import { loanBody } from '../../actors/loan/setting.js';
import { oddity, type Taste } from './values.js';

const TEMPLATE = {
  subjectLineTemplate: 'a {{ b }}',
  contentHtmlTemplate: '<p>{{ amount | money }}</p>{% include "letterHeader" %}',
  contentTextTemplate: '{{ company.name | upper }}',
};

/** Bodies that are right, by operation: one odd value in one of them gets further than many at once. */
export function templatesFor(loanTypeId: () => string): Readonly<Record<string, () => readonly object[]>> {
  const external = { type: 'oneTime', amount: 299.06, isExternal: true, status: 'succeeded' };
  return {
    createPerson: () => [{ ...ANN, externalId: null }, { borrowerType: 'business', businessDetails: { businessName: 'Northwind' } }, {}],
    createContact: () => [HOME, EMAIL, PHONE],
    createPaymentInstrument: () => [ACCOUNT],
    createLoan: () => [loanBody(loanTypeId()), loanBody(loanTypeId(), { atOrigination: { duration: 12, amountFinanced: 2_500 } })],
    activateLoan: () => [{}],
    createTransaction: () => [
      external,
      { ...external, effectiveDate: '2026-02-20' },
      { ...external, status: 'scheduled', scheduledDate: '2026-03-20' },
    ],
    previewTransaction: () => [external],
    backdateTransaction: () => [{ effectiveDate: '2026-03-02' }, { effectiveDate: '2026-02-27' }],
    rescheduleTransaction: () => [{ scheduledDate: '2026-04-01' }],
    freezeLoan: () => [{}],
    unfreezeLoan: () => [{}],
    createPurchase: () => [
      { amount: 12.5 },
      { amount: 30, status: 'authorized' },
      { amount: 5, type: 'cashBack' },
      { amount: 9, purchaseDate: '2026-03-02' },
    ],
    updatePurchase: () => [{ status: 'settled' }, { status: 'canceled' }, { amount: 11 }],
    createPurchaseDispute: () => [{ disputedAmount: 3 }, { amount: 4, status: 'submitted' }],
    updatePurchaseDispute: () => [{ status: 'submitted' }, { status: 'won' }, { status: 'lost' }, { status: 'expired' }],
    createTemplateDescriptor: () => [
      { subject: 'paymentFailed', channel: 'email' },
      { subject: 'letterHeader', channel: null },
      { subject: 'custom1', channel: 'text', language: 'es' },
    ],
    createTemplateVersion: () => [TEMPLATE, { contentTextTemplate: '{{ a }}' }],
    updateTemplateVersion: () => [TEMPLATE, { contentHtmlTemplate: '{% for x in y %}{{ x | date }}{% endfor %}' }],
    previewMessage: () => [{ channel: 'email', subject: 'paymentFailed', context: { amount: 12.5 } }],
    previewFreeFormEmail: () => [{ subjectLine: 'a', contentHtml: '<p>b</p>' }, { contentPlain: 'c' }],
    renderTemplate: () => [
      { subject: 'paymentFailed', channel: 'email' },
      { subject: 'custom1', channel: 'text', language: 'es', context: { a: [1] } },
    ],
    updateLoan: () => [{ nickname: 'home' }, { metaData: { code: 'x' } }],
  };
}

/** The template, or the template with one odd value somewhere in it. */
export function spoiled(template: unknown, taste: Taste): unknown {
  const copy: unknown = structuredClone(template);
  if (taste.random.chance(0.5)) return copy;
  const fields: (readonly [object, string])[] = [];
  collect(copy, fields);
  if (fields.length === 0) return copy;
  const [holder, key] = taste.random.pick(fields);
  (holder as Record<string, unknown>)[key] = oddity(taste);
  return copy;
}

function collect(value: unknown, fields: (readonly [object, string])[]): void {
  if (value === null || typeof value !== 'object') return;
  for (const [key, part] of Object.entries(value)) {
    fields.push([value, key]);
    collect(part, fields);
  }
}
