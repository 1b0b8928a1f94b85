import { refuse } from '../../errors.js';
import { isPermitted } from '../../permission.js';

/** The columns of an exported file. Those that are marked hold personal data, as in the views of `docs/views.md`. */
const FIELDS = {
  'person.id': {},
  'person.externalId': {},
  'person.firstName': { isPersonal: true },
  'person.lastName': { isPersonal: true },
  'person.dateOfBirth': { isPersonal: true },
  'person.timezone': { isPersonal: true },
  'contact.id': {},
  'contact.externalId': {},
  'contact.value': { isPersonal: true },
  'contact.label': {},
  'contact.status': {},
  'contact.contactType': {},
  'address.line1': { isPersonal: true },
  'address.line2': { isPersonal: true },
  'address.city': { isPersonal: true },
  'address.state': { isPersonal: true },
  'address.postalCode': { isPersonal: true },
  'loan.id': {},
  'loan.externalId': {},
  'loan.status': {},
  'loan.daysOverdue': {},
  'loan.overdueAmount': {},
  'loan.nextDueDate': {},
  'loan.nextDueAmount': {},
  'loan.outstandingBalance': {},
} as const satisfies Readonly<Record<string, { readonly isPersonal?: true }>>;

export type ExportField = keyof typeof FIELDS;

export const isExportField = (field: string): field is ExportField => Object.hasOwn(FIELDS, field);

export const EXPORT_FIELDS: readonly string[] = Object.keys(FIELDS);

/** `query.<column>` is any column that the query has returned. */
export const QUERY_FIELD = 'query.';

export interface ExportColumn {
  readonly field: string;
  readonly outputName: string | null;
}

/** The columns that hold personal data. A column of the query may hold them if its author could read them in the views. */
export const personalColumnsOf = (columns: readonly ExportColumn[], querySeesPersonalData: boolean): readonly string[] =>
  columns.map(({ field }) => field).filter((field) => (isExportField(field) ? 'isPersonal' in FIELDS[field] : querySeesPersonalData));

/** The permission to read a borrower, and so to get files with personal data. */
export const READ_PERSON = 'person:read';

/** 403 for personal columns, unless the caller may read borrowers. */
export function requirePersonalData(permissions: ReadonlySet<string>, columns: readonly string[]): void {
  if (columns.length === 0 || isPermitted(permissions, READ_PERSON)) return;
  const names = [...new Set(columns)].join(', ');
  refuse('permissionDenied', `To export the personal data in ${names} you need the permission ${READ_PERSON}.`, {
    extra: { permission: READ_PERSON },
  });
}
