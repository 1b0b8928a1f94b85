import { addYears, type Day, metro2 } from '../../../engine/index.js';
import { type Consumer, consumerOf, type PersonState } from '../../borrower/index.js';
import { ask } from '../../kernel/policy.js';
import { recordOf } from '../context.js';
import { type CreditCases, type CreditEnv, loanAsks } from '../questions.js';
import type { LoanRelationType } from '../requests.js';
import type { LoanState } from '../state.js';
import type { CreditRecord } from './types.js';

/** All consumers that a record of a loan names. */
export interface Consumers {
  readonly main: Consumer;
  readonly mainCases: CreditCases;
  readonly others: readonly OtherConsumer[];
}

interface OtherConsumer {
  readonly personId: string;
  /** The first day on the loan. */
  readonly startDay: Day;
  readonly consumer: Consumer;
  readonly cases: CreditCases;
  readonly relation: LoanRelationType;
}

const ADULT_YEARS = 18;

export const isMinor = ({ birthDate }: Consumer, asOf: Day): boolean => birthDate !== null && addYears(birthDate, ADULT_YEARS) > asOf;

/** Businesses and minors are not reported: a record leaves them out. Null: the borrower is not on this shard any more, or was erased. */
export function consumersOf(env: CreditEnv, state: LoanState, asOf: Day): Consumers | null {
  const { personId, additionalPeople } = recordOf(state);
  const person = env.read<PersonState>('person', personId);
  if (person === undefined) return null;
  const others = additionalPeople.flatMap(({ personId: otherId, loanRelationType, startDay, endDay }): readonly OtherConsumer[] => {
    const other = env.read<PersonState>('person', otherId);
    const isOn = startDay <= asOf && (endDay === null || endDay >= asOf);
    if (other === undefined || !isOn || loanRelationType === 'applicant') return [];
    const consumer = consumerOf(env, other);
    if (consumer.isBusiness || isMinor(consumer, asOf)) return [];
    return [
      { personId: otherId, startDay, consumer, cases: ask(env, loanAsks.creditCases, state, otherId, asOf), relation: loanRelationType },
    ];
  });
  return { main: consumerOf(env, person), mainCases: ask(env, loanAsks.creditCases, state, personId, asOf), others };
}

const ECOA: Readonly<Record<LoanRelationType, string>> = {
  coBorrower: '2',
  coSigner: '5',
  guarantor: '5',
  authorizedUser: '3',
  applicant: '1',
};

/** The ECOA code of the borrower: alone, with another borrower, or with somebody who vouches. */
export function mainEcoa({ mainCases, others }: Consumers): string {
  if (mainCases.isDeceased) return 'X';
  if (others.some(({ relation }) => relation === 'coBorrower')) return '2';
  return others.some(({ relation }) => relation === 'guarantor' || relation === 'coSigner') ? '7' : '1';
}

type Named = Omit<metro2.CoBorrower, 'ecoaCode' | 'consumerInformationIndicator'>;

export const namedOf = (consumer: Consumer): Named => ({
  surname: metro2.fieldText(consumer.surname, 25),
  firstName: metro2.fieldText(consumer.firstName, 20),
  middleName: metro2.fieldText(consumer.middleName, 20),
  generation: metro2.generationOf(consumer.suffix),
  ssn: consumer.ssn,
  birthDate: consumer.birthDate,
  phone: consumer.phone,
});

type Addressed = Pick<metro2.Base, 'country' | 'address1' | 'address2' | 'city' | 'state' | 'zip' | 'addressIndicator' | 'residence'>;

export const addressedOf = (consumer: Consumer): Addressed => ({
  country: 'US',
  address1: metro2.fieldText(consumer.address1, 32),
  address2: metro2.fieldText(consumer.address2, 32),
  city: metro2.fieldText(consumer.city, 20),
  state: metro2.fieldText(consumer.state, 2),
  zip: consumer.zip,
  addressIndicator: null,
  residence: null,
});

/** Co-borrowers: J1 at the borrower's address, J2 at another. Records of earlier releases have kept no indicators of them. */
export function coBorrowersOf({ main, others }: Consumers, kept: CreditRecord['otherIndicators']): Pick<metro2.AccountRecord, 'J1' | 'J2'> {
  const J1: metro2.CoBorrower[] = [];
  const J2: metro2.DistantCoBorrower[] = [];
  const home = JSON.stringify(addressedOf(main));
  for (const { personId, consumer, cases, relation } of others) {
    const own = {
      ...namedOf(consumer),
      ecoaCode: cases.isDeceased ? 'X' : ECOA[relation],
      consumerInformationIndicator: kept === undefined ? cases.indicator : (kept[personId] ?? null),
    };
    const address = addressedOf(consumer);
    if (consumer.address1 === null || JSON.stringify(address) === home) J1.push(own);
    else J2.push({ ...own, ...address });
  }
  return { J1, J2 };
}
