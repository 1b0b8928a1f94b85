import { relative, resolve } from 'node:path';
import { test } from 'tap';
import ts from 'typescript';
import { EXCEPTIONS } from './settings-exceptions.js';
import { type StoredType, unreadFields } from './unread-fields.js';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Types of what clients configure and agree, beside those of declared resources, which are found. A field of them that no code reads has no
 * effect.
 */
const STORED: readonly StoredType[] = [
  ['actors/company/state.ts', 'CompanyState'],
  ['actors/company/loan-type-wire.ts', 'FeeType'],
  ['actors/company/compliance/rule-view.ts', 'Mute'],
  ['actors/borrower/state.ts', 'BankLink'],
  ['actors/loan/state.ts', 'LoanRecord'],
  ['actors/loan/draws/draw.ts', 'Draw'],
  ['actors/loan/autopay/plan.ts', 'AutopayPlan'],
  ['actors/loan/cards/types.ts', 'LoanCard'],
  ['actors/loan/collection/placements.ts', 'Placement'],
  ['actors/loan/credit-reporting/types.ts', 'CreditReportingStatus'],
  ['actors/loan/owners/facts.ts', 'LoanOwner'],
  ['actors/loan/promises/types.ts', 'PromisePlan'],
];

/** Types of what clients send of borrowers, their money and the work with them, and of what the service keeps with it. */
const BODIES: readonly StoredType[] = [
  ['actors/borrower/state.ts', 'PersonState'],
  ['actors/borrower/portal-user.ts', 'PortalUserState'],
  ['actors/casework/cases/state.ts', 'CaseState'],
  ['actors/casework/notes/state.ts', 'NoteState'],
  ['actors/casework/supercases/members.ts', 'MemberState'],
  ['actors/casework/supercases/note.ts', 'SupercaseNoteState'],
  ['actors/casework/supercases/state.ts', 'SupercaseState'],
  ['actors/casework/tasks/state.ts', 'TaskState'],
  ['actors/casework/workflows/state.ts', 'WorkflowState'],
  ['actors/contact/interactions/state.ts', 'InteractionState'],
  ['actors/loan/advances/advance.ts', 'LoanAdvance'],
  ['actors/loan/fees/recurring.ts', 'RecurringFees'],
  ['actors/loan/modifications/state.ts', 'Modifications'],
  ['actors/loan/promo-programs/program.ts', 'PromoProgram'],
  ['actors/loan/purchases/posting.ts', 'PurchaseDispute'],
  ['actors/loan/purchases/posting.ts', 'PurchaseRecord'],
  ['actors/loan/rates/rows.ts', 'RateRow'],
  ['actors/loan/refunds/refund.ts', 'LoanRefund'],
  ['actors/loan/transactions/chargebacks/record.ts', 'Chargeback'],
  ['actors/loan/transactions/record.ts', 'TransactionRecord'],
];

/** Files that only accept, check, store or show values: a field that only they read has no effect. */
const TAKE_OR_SHOW = new RegExp(
  [
    /(^|\/)(views?|requests|wire|events|rows?|packing)(\/|\.ts$)/,
    /-(views?|types|wire|rules|sections|defaults|requests)\.ts$/,
    /company\/decide\/(loan-types|company)\.ts$/,
    /origination\/read\.ts$/,
    /draws\/read-terms\.ts$/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

const isWithin = (path: string, field: string): boolean => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);

test('every stored field that clients send is read by the code that applies it', (t) => {
  const config = ts.parseJsonConfigFileContent(ts.readConfigFile(`${ROOT}/tsconfig.json`, ts.sys.readFile).config, ts.sys, ROOT);
  const files = config.fileNames.filter((file) => /^(engine|actors|gateway)\//.test(relative(ROOT, file)));
  const program = ts.createProgram(files, config.options);
  const unread = unreadFields(program, [...STORED, ...BODIES], ({ fileName }) => TAKE_OR_SHOW.test(relative(ROOT, fileName)));
  const excepted = (path: string): boolean => EXCEPTIONS.some(({ fields }) => fields.some((field) => isWithin(path, field)));
  t.same(
    unread.filter((path) => !excepted(path)),
    [],
    'put it in force, refuse it, or say in settings-exceptions.ts why nobody reads it',
  );
  t.same(
    EXCEPTIONS.flatMap(({ fields }) => fields).filter((field) => !unread.some((path) => isWithin(path, field))),
    [],
    'what is read now is no exception any more',
  );
  t.end();
});

test('a field counts as read only where its value is used', (t) => {
  const source = `
    interface Inner { readonly used: number; readonly unused: number; readonly byKey: number }
    interface Item { readonly a: 1; readonly b: 2 }
    interface Stored {
      taken: number; readonly copied: number; written: number;
      readonly inner: Inner | null; readonly list: readonly Item[]
    }
    const keys = ['byKey'] as const;
    declare const other: { readonly copied: number };
    export function use(stored: Stored): unknown {
      const { inner, ...rest } = stored;
      stored.written = other.copied;
      return [{ ...rest, copied: 1 }, stored.taken, inner?.used, keys.map((key) => inner?.[key]), stored.list.map(({ a }) => a)];
    }
    interface Declared { readonly shown: number; readonly checked: number; readonly applied: number; readonly both: number }
    interface Declaration<Create, Update, Kept> {
      create(body: Create): Kept;
      change(before: Kept, body: Update): Kept;
      view(kept: Kept): object;
    }
    export const THING: Declaration<object, object, Declared> = {
      create: () => ({ shown: 1, checked: 2, applied: 3, both: 4 }),
      change: (before) => checked(before),
      view: ({ shown, ...rest }) => ({ shown, sum: both(rest as Declared) }),
    };
    function checked(kept: Declared): Declared {
      return kept.checked > 1 ? kept : checked(kept);
    }
    const both = (kept: Declared): number => kept.both;
    export const apply = (kept: Declared): number => kept.applied + both(kept);`;
  const host = ts.createCompilerHost({});
  const { getSourceFile } = host;
  host.getSourceFile = (name, options) =>
    name === '/here/stored.ts' ? ts.createSourceFile(name, source, options, true) : getSourceFile.call(host, name, options);
  const program = ts.createProgram(['/here/stored.ts'], { strict: true, target: ts.ScriptTarget.ES2022 }, host);
  t.same(
    unreadFields(program, [['stored.ts', 'Stored']], () => false),
    ['Declared.checked', 'Declared.shown', 'Stored.copied', 'Stored.inner.unused', 'Stored.list[].b', 'Stored.written'],
    'what a declared resource stores is found, and its own members and their helpers read nothing',
  );
  t.end();
});
