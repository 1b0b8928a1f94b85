import { type Channel, type MessageText, messageTextOf, type RenderedMessage, type SenderDetails, textIn } from '../../../engine/index.js';
import { appDomainsOf, type CompanyState } from '../state.js';
import { companyView } from '../views.js';

/** What `company` shows in a template. Ids of services, keys and what is for the company alone are not among it. */
const COMPANY_FIELDS = [
  'id',
  'object',
  'legalName',
  'slug',
  'domainName',
  'shortDomainName',
  'type',
  'name',
  'brandName',
  'borrowerAuthType',
  'agentAuthType',
  'borrowerAuthValueType',
  'agentAuthValueType',
  'femaPolicy',
  'bankruptcyPolicy',
  'deceasedPolicy',
  'appDomains',
  'timezone',
  'status',
  'config',
  'brandAssets',
  'createdAt',
  'updatedAt',
  'deletedAt',
] as const;

export function shownCompany(company: CompanyState): object {
  const view = companyView(company);
  const { email_from: email, text_from_number: phone } = company.profile?.communication ?? {};
  const { senderAddress: mailingAddress, licenseNumber } = senderDetails(company);
  return {
    ...Object.fromEntries(COMPANY_FIELDS.map((name) => [name, view[name]])),
    phone: phone ?? null,
    email: email ?? null,
    mailingAddress,
    licenseNumber,
  };
}

/** The borrowers' front end; empty where the company has none. */
export function portalUrlOf(company: CompanyState): string {
  const domain = appDomainsOf(company).find(({ type }) => type === 'borrower')?.domain ?? company.profile?.domainName ?? null;
  return domain === null ? '' : `https://${domain}`;
}

/** What rules about words ask of the company. */
export function senderDetails({ profile }: CompanyState): SenderDetails {
  const { address_from: address, license_number: license } = profile?.communication ?? {};
  return {
    senderNames: [profile?.brandName, profile?.name, profile?.legalName].filter((name) => name != null),
    senderAddress: addressInOneLine(address),
    licenseNumber: typeof license === 'string' && license !== '' ? license : null,
  };
}

/** An address, or a text that is one. */
function addressInOneLine(address: unknown): string | null {
  if (typeof address === 'string') return address.trim() === '' ? null : address.trim();
  if (typeof address !== 'object' || address === null) return null;
  const part = (name: string): string => {
    return textIn(address, name)?.trim() ?? '';
  };
  const box = part('POBox');
  const region = [part('state'), part('postalCode')].filter((word) => word !== '').join(' ');
  const lines = [part('addressLine1'), part('addressLine2'), box === '' ? '' : `P.O. Box ${box}`, part('city'), region];
  const found = lines.filter((line) => line !== '');
  return found.length === 0 ? null : found.join(', ');
}

/** What a rendered message says, for the rules about words. */
export const messageText = (company: CompanyState, language: string, channel: Channel, message: RenderedMessage): MessageText =>
  messageTextOf(senderDetails(company), language, channel, message);
