import type { Address, NameParts, PersonState, Sealed } from '../state.js';

/** Who speaks for a borrower before the law. */
export interface LegalRepresentative {
  readonly id: string;
  readonly status: RepresentativeStatus;
  /** `RepresentativeDetails` as JSON. */
  readonly details: Sealed;
  readonly caseIds: readonly string[];
  readonly metaData: Readonly<Record<string, unknown>> | null;
  readonly createdAt: number;
  readonly updatedAt: number | null;
}

/** While one is `active`, collectors do not write to the borrower; `nonResponsive` lifts that. */
export type RepresentativeStatus = 'active' | 'nonResponsive' | 'inactive' | 'archived';

/** What is personal of one, in clear. */
export interface RepresentativeDetails {
  readonly name: NameParts | null;
  readonly address: Address | null;
  readonly phone: string | null;
  readonly otherPhone: string | null;
  readonly email: string | null;
  readonly otherEmail: string | null;
  readonly firmName: string | null;
}

export const NO_DETAILS: RepresentativeDetails = {
  name: null,
  address: null,
  phone: null,
  otherPhone: null,
  email: null,
  otherEmail: null,
  firmName: null,
};

export const findRepresentative = ({ legalRepresentatives }: PersonState, id: string): LegalRepresentative | undefined =>
  legalRepresentatives.find((known) => known.id === id);
