import { type Day, formatDay, metro2 } from '../../../engine/index.js';
import { type CompanyState, type CreditAgencyRecord, creditAgencyOf, currentSettings } from '../../company/index.js';

type Header = Omit<metro2.Header, 'recordLength'>;

/** The identifier of the furnisher that an agency has given, in the field of that agency alone. */
const PROGRAM_IDS = {
  experian: ['experianId', 'metro2ExperianProgramIdentifier', 5],
  equifax: ['equifaxId', 'metro2EquifaxProgramIdentifier', 10],
  transUnion: ['transUnionId', 'metro2TransUnionProgramIdentifier', 10],
  innovis: ['innovisId', 'metro2InnovisProgramIdentifier', 10],
} as const;

/** The loan types that name an agency and allow credit reporting, oldest first. */
export const loanTypesReporting = (company: CompanyState, agencyId: string): readonly string[] =>
  [...company.loanTypes.values()]
    .filter((loanType) => {
      const { isCreditReportingAllowed, creditAgencyIds } = currentSettings(loanType).creditReporting;
      return isCreditReportingAllowed && creditAgencyIds.some((anyId) => creditAgencyOf(company, anyId)?.id === agencyId);
    })
    .map(({ id }) => id);

/** The header of a file, by the keys of the first loan type that names the agency. */
export function headerOf(company: CompanyState, agency: CreditAgencyRecord, activityDay: Day, createdDay: Day): Header {
  const [first] = loanTypesReporting(company, agency.id);
  const loanType = first === undefined ? undefined : company.loanTypes.get(first);
  const keys = loanType === undefined ? {} : currentSettings(loanType).creditReporting.metro2;
  const [field, key, length] = PROGRAM_IDS[agency.stored.agencyName];
  const phone = (keys['metro2ReporterTelephoneNumber'] ?? '').replaceAll(/\D/g, '').replace(/^1(?=\d{10}$)/, '');
  return {
    cycle: null,
    innovisId: null,
    equifaxId: null,
    experianId: null,
    transUnionId: null,
    [field]: metro2.fieldText(keys[key], length),
    activityDate: activityDay,
    createdDate: createdDay,
    programDate: null,
    programRevisionDate: null,
    reporterName: metro2.fieldText(keys['metro2ReporterName'], 40),
    reporterAddress: metro2.fieldText(keys['metro2ReporterAddress'], 96),
    reporterPhone: /^\d{10}$/.test(phone) ? phone : null,
    softwareVendor: metro2.fieldText(keys['metro2SoftwareVendorName'], 40),
    softwareVersion: metro2.fieldText(keys['metro2SoftwareVersionNumber'], 5),
    otherId: null,
  };
}

/** What the settings of the loan types lack for a header, by the keys of a loan type. */
export function missingForHeader(company: CompanyState, agency: CreditAgencyRecord, activityDay: Day): readonly string[] {
  if (loanTypesReporting(company, agency.id).length === 0) return ['creditAgencyIds'];
  const header = headerOf(company, agency, activityDay, activityDay);
  const [field, key] = PROGRAM_IDS[agency.stored.agencyName];
  const needed: readonly (readonly [name: keyof Header, setting: string])[] = [
    ['reporterName', 'metro2ReporterName'],
    ['reporterAddress', 'metro2ReporterAddress'],
    ['reporterPhone', 'metro2ReporterTelephoneNumber'],
    [field, key],
  ];
  return needed.flatMap(([name, setting]) => (header[name] === null ? [setting] : []));
}

const LEGAL_NAME = 20;

/** The name of a file, as the agency wants it. */
export function fileNameOf({ id, profile }: CompanyState, { stored }: CreditAgencyRecord, activityDay: Day): string {
  const day = formatDay(activityDay);
  if (stored.agencyName === 'experian' && stored.nameFilePerAgencyConvention)
    return `${stored.fileNamePrefix ?? ''}.${metro2.dateText(activityDay)}.txt`;
  const legalName = (profile?.legalName ?? profile?.name ?? '').replaceAll(/[^A-Za-z0-9]/g, '').slice(0, LEGAL_NAME);
  return `${legalName}${id}${stored.agencyName.toUpperCase()}${day.replaceAll('-', '')}.txt`;
}

interface PartNames {
  readonly name: string;
  readonly metadataName: string;
}

export const partNames = ({ stored }: CreditAgencyRecord, activityDay: Day, chunkId: number): PartNames => {
  const middle = `${stored.agencyName}.${formatDay(activityDay).replaceAll('-', '')}.${chunkId}`;
  return { name: `part.${middle}.service.txt`, metadataName: `metadata.${middle}.json` };
};
