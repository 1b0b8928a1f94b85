import { isDeepStrictEqual } from 'node:util';
import type { tags } from 'typia';
import { type Channel, type InteractionTheme, type Subject, subjectNamed, type SubjectValue, resolveTheme } from '../../../engine/index.js';
import { checkAll, type Fault, Refusal, refuseProperty } from '../../errors.js';
import { type Change, type Declaration, recordsOf, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';
import type { PageQuery } from '../../list-order.js';
import type { DateTimeText, ExternalId } from '../../wire.js';
import { EXPORT_FIELDS, type ExportColumn, isExportField, personalColumnsOf, requirePersonalData } from './export-fields.js';
import { isQueryPersonal, refuseUsed } from './in-use.js';
import {
  changedSftp,
  keptSecret,
  type Sealed,
  sealedSecrets,
  type SftpBody,
  type SftpAddress,
  sftpAddressOf,
  type SftpView,
  sftpView,
} from './sftp.js';

/** Which contacts of a borrower: one of the values of each attribute that is there. */
export interface ContactCriteria {
  readonly label?: readonly string[];
  readonly contactType?: readonly string[];
  readonly affiliation?: readonly string[];
  readonly status?: readonly string[];
}

/** What the guard is asked about each contact. */
interface ComplianceCheck {
  readonly channel: Channel;
  readonly subject: Subject | null;
  readonly theme: InteractionTheme;
  readonly isAutodialed: boolean;
}

/** A worker that writes a file of contacts. */
export interface ContactExporter {
  readonly externalId: string | null;
  readonly contactMatchingCriteria: ContactCriteria;
  readonly columnSettings: readonly ExportColumn[];
  readonly checkCompliance: ComplianceCheck | null;
  readonly sftpSettings: SftpAddress | null;
  readonly fileNamePattern: string;
  readonly secrets: Sealed | null;
}

const CONTACT_EXPORTER_TYPE = 'contactExporter';

export const contactExportersOf = (host: ResourceHost): ReadonlyMap<string, ResourceRecord<ContactExporter>> =>
  recordsOf<ContactExporter>(host, CONTACT_EXPORTER_TYPE);

type Labels = readonly ('personal' | 'work' | 'home' | 'military')[] & tags.MinItems<1> & tags.MaxItems<20>;
type ContactTypes = readonly ('phone' | 'email' | 'address')[] & tags.MinItems<1> & tags.MaxItems<20>;
type Affiliations = readonly (string & tags.MinLength<1> & tags.MaxLength<50>)[] & tags.MinItems<1> & tags.MaxItems<20>;
type Statuses = readonly ('primary' | 'secondary' | 'additional' | 'archived')[] & tags.MinItems<1> & tags.MaxItems<20>;

interface CriteriaBody {
  readonly label?: Labels;
  readonly contactType?: ContactTypes;
  readonly affiliation?: Affiliations;
  readonly status?: Statuses;
}

interface ColumnBody {
  readonly field: string & tags.MinLength<1> & tags.MaxLength<100>;
  readonly outputName?: (string & tags.MinLength<1> & tags.MaxLength<100>) | null;
}

type Columns = readonly ColumnBody[] & tags.MinItems<1> & tags.MaxItems<100>;

interface CheckBody {
  readonly channel: 'voice' | 'text' | 'email' | 'mail';
  readonly subject?: SubjectValue | null;
  readonly theme?: InteractionTheme | null;
  readonly isAutodialed?: boolean;
}

type FileNamePattern = string & tags.MinLength<1> & tags.MaxLength<200>;

interface ContactExporterBody {
  readonly externalId?: ExternalId | null;
  readonly contactMatchingCriteria?: CriteriaBody;
  readonly checkCompliance?: CheckBody | null;
  readonly sftpSettings?: SftpBody | null;
  /** With `{campaignId}`, `{runId}`, `{YYYYMMDD}` and `{HHmm}`, by the company's clock. */
  readonly fileNamePattern?: FileNamePattern;
}

export interface ContactExporterCreateBody extends ContactExporterBody {
  /** Columns with personal data need the permission `person:read`. */
  readonly columnSettings: Columns;
}

export interface ContactExporterUpdateBody extends ContactExporterBody {
  /** Columns with personal data need the permission `person:read`. */
  readonly columnSettings?: Columns;
}

export type ContactExporterListQuery = PageQuery;

export interface ContactExporterView extends Omit<ContactExporter, 'sftpSettings' | 'secrets'> {
  readonly id: string;
  readonly object: 'contactExporter';
  readonly companyId: string;
  readonly sftpSettings: SftpView | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

const DEFAULT_PATTERN = '{campaignId}_{YYYYMMDD}_{HHmm}.csv';

export const CONTACT_EXPORTER: Declaration<ContactExporterCreateBody, ContactExporterUpdateBody, ContactExporter> = {
  type: CONTACT_EXPORTER_TYPE,
  prefix: 'CX',
  param: 'contactExporterId',
  unique: [{ name: 'externalId', of: ({ externalId }) => externalId }],
  create(
    { externalId = null, contactMatchingCriteria = {}, columnSettings, checkCompliance, sftpSettings, fileNamePattern = DEFAULT_PATTERN },
    { id, env, command },
  ) {
    checkAll([() => columnsOf(columnSettings), () => checkOf(checkCompliance), () => patternOf(fileNamePattern)]);
    const columns = columnsOf(columnSettings);
    requirePersonalData(command.permissions, personalColumnsOf(columns, false));
    return {
      externalId,
      contactMatchingCriteria,
      columnSettings: columns,
      checkCompliance: checkOf(checkCompliance),
      sftpSettings: sftpSettings == null ? null : sftpAddressOf(sftpSettings, null),
      fileNamePattern: patternOf(fileNamePattern),
      secrets: sealedSecrets(env, id, { sftpPassword: keptSecret(sftpSettings?.password, null) }),
    };
  },
  change(before, body, at) {
    checkAll([
      () => body.columnSettings && columnsOf(body.columnSettings),
      () => checkOf(body.checkCompliance),
      () => patternOf(body.fileNamePattern ?? before.fileNamePattern),
    ]);
    const columnSettings = body.columnSettings === undefined ? before.columnSettings : columnsOf(body.columnSettings);
    if (body.sftpSettings != null || !isDeepStrictEqual(columnSettings, before.columnSettings))
      requireForFile(at, [...before.columnSettings, ...columnSettings]);
    return {
      externalId: body.externalId === undefined ? before.externalId : body.externalId,
      contactMatchingCriteria: body.contactMatchingCriteria ?? before.contactMatchingCriteria,
      columnSettings,
      checkCompliance: body.checkCompliance === undefined ? before.checkCompliance : checkOf(body.checkCompliance),
      fileNamePattern: patternOf(body.fileNamePattern ?? before.fileNamePattern),
      ...changedSftp(before, body.sftpSettings, at),
    };
  },
  assertRemovable: (_before, { id, host }) => refuseUsed(host, 'contactExporterId', id),
  view: ({ secrets, sftpSettings, ...stored }) => ({ ...stored, sftpSettings: sftpView(sftpSettings, secrets) }),
};

/** What is in the file, and where it goes, is for callers who may read the data in it. */
function requireForFile({ host, id, command }: Change, columns: readonly ExportColumn[]): void {
  requirePersonalData(command.permissions, personalColumnsOf(columns, isQueryPersonal(host, id)));
}

function columnsOf(columns: readonly ColumnBody[]): readonly ExportColumn[] {
  const errors: readonly Fault[] = columns.flatMap(({ field }, index) =>
    isExportField(field) || /^query\.[A-Za-z_][A-Za-z0-9_]*$/.test(field)
      ? []
      : [
          {
            path: `columnSettings[${index}].field`,
            expected: `one of ${EXPORT_FIELDS.join(', ')}, or query.<column>`,
            message: `There is no field ${field}.`,
          },
        ],
  );
  if (errors.length > 0) throw new Refusal('validationError', 'The columns name unknown fields.', { errors });
  return columns.map(({ field, outputName = null }) => ({ field, outputName }));
}

function checkOf(check: CheckBody | null | undefined): ComplianceCheck | null {
  if (check == null) return null;
  const { channel, subject: text = null, theme: wanted = null, isAutodialed = false } = check;
  const named = text === null ? { subject: null } : subjectNamed(text);
  if ('fault' in named) return refuseProperty('checkCompliance.subject', named.fault.expected, named.fault.message);
  const resolved = resolveTheme({ subject: named.subject, theme: wanted, direction: 'outbound' });
  if ('fault' in resolved) return refuseProperty('checkCompliance.theme', resolved.fault.expected, resolved.fault.message);
  const theme =
    resolved.theme ?? refuseProperty('checkCompliance.subject', 'a subject, or a theme', 'Nothing says what the contacts would be about.');
  return { channel, subject: named.subject, theme, isAutodialed };
}

/** A file name cannot lead out of its folder. */
function patternOf(pattern: string): string {
  const rest = pattern.replaceAll(/\{(?:campaignId|runId|YYYYMMDD|HHmm)\}/g, 'x');
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(rest))
    refuseProperty(
      'fileNamePattern',
      'letters, digits, dots, hyphens and underscores, with {campaignId}, {runId}, {YYYYMMDD} and {HHmm}',
      'The pattern makes no file name.',
    );
  return pattern;
}
