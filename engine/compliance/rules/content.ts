import { type Channel, type InteractionTheme, isCollections } from '../../communication/index.js';
import { isByCollector, type Considered, isCounted } from '../considered.js';
import {
  ATTEMPT_TO_COLLECT,
  DEBT_TERMS,
  FROM_COLLECTOR,
  IMPORTANT_RIGHTS,
  INFORMATION_USED,
  LANGUAGE_REQUEST,
  LANGUAGE_SERVICES,
  LICENSE,
  OPT_OUT,
  POSTAL_ADDRESS,
  REPLY_REQUEST,
  SENDER,
  STOP_NOTICE,
  VALIDATION,
  type Wording,
} from '../content-wording.js';
import { isAttorney, speaksForBorrower } from '../persons.js';
import { reads, seedRule, type TestedRule } from '../rule.js';

const WRITTEN: readonly Channel[] = ['email', 'text', 'mail'];
const VALIDATION_NOTICE: InteractionTheme = 'opsServicingDebtValidation';

interface Wordings {
  readonly needs?: readonly Wording[];
  readonly forbids?: readonly Wording[];
}

type Given = Parameters<typeof seedRule>[0];

/** A rule about the words of a message. Its parameters show what is wanted, so that a template can be written by them. */
const contentRule = (
  { needs = [], forbids = [] }: Wordings,
  isAsked: (considered: Considered) => boolean,
  given: Omit<Given, 'test' | 'kind'>,
): TestedRule =>
  seedRule({
    ...given,
    kind: 'content',
    parameters: {
      ...(needs.length === 0 ? {} : { needs: needs.map(({ what, example }) => ({ what, example })) }),
      ...(forbids.length === 0 ? {} : { forbids: forbids.map(({ what, example }) => ({ what, example })) }),
    },
    test: reads({ needs, forbids, isAsked }),
  });

/** Collection, or the notice with which it begins. */
const isAboutDebt = (considered: Considered): boolean => considered.isCollection || isValidationNotice(considered);

const isValidationNotice = ({ plan }: Considered): boolean => plan.subject?.startsWith('debtValidationNotice') === true;

/** Themes of collection in which somebody is asked about the borrower. */
const ABOUT_BORROWER: ReadonlySet<InteractionTheme> = new Set([
  'opsCollLocateBorrower',
  'opsCollVerifyEmployment',
  'opsCollContactEmployerNotice',
]);

/** The borrower is written to about a debt, and nobody knows in which language they prefer it. */
export const lacksLanguage = (considered: Considered): boolean => {
  const { plan, situation } = considered;
  const { contact, person } = situation;
  const isToBorrower = contact === null || (speaksForBorrower(contact) && !isAttorney(contact));
  return person.language === null && isAboutDebt(considered) && isToBorrower && !ABOUT_BORROWER.has(plan.theme);
};

/** Nothing was written to collect the debt before; a debt that is not named is any. */
const isFirstWritten = ({ situation: { history }, plan, loans }: Considered): boolean => {
  const written = history.filter(
    (past) =>
      past.startedAt <= plan.at &&
      WRITTEN.includes(past.channel) &&
      isCounted(past) &&
      (past.theme === null || isCollections(past.theme) || past.theme === VALIDATION_NOTICE),
  );
  return loans.some(({ id }) => !written.some(({ loanIds }) => loanIds.length === 0 || loanIds.includes(id)));
};

const isFirstText = ({ situation: { history }, plan }: Considered): boolean =>
  !history.some((past) => past.channel === 'text' && past.startedAt <= plan.at && isCounted(past));

/** It goes to somebody who neither is the borrower, nor speaks for the borrower, nor may know. */
const isToThirdParty = ({ situation: { contact } }: Considered): boolean =>
  contact !== null && !contact.authorizedThirdParty && !speaksForBorrower(contact);

/** What a message has to say, and must not say. A code that the borrower needs to sign in is never stopped by its words. */
export const CONTENT_RULES: readonly TestedRule[] = [
  contentRule(
    { needs: [ATTEMPT_TO_COLLECT, INFORMATION_USED] },
    (asked) => isByCollector(asked) && isAboutDebt(asked) && isFirstWritten(asked),
    {
      id: 'CR-USMM-FRST',
      code: 'US-DISCLOSURE-FIRST',
      name: 'Debt collector, first message',
      channels: WRITTEN,
      lawCitation: '15 USC 1692e(11); 12 CFR 1006.18(e)(1), (4)',
      description: 'The first written message of a debt collector says that it collects a debt and what it uses information for.',
    },
  ),
  contentRule({ needs: [FROM_COLLECTOR] }, (asked) => isByCollector(asked) && isAboutDebt(asked) && !isFirstWritten(asked), {
    id: 'CR-USMM-LATR',
    code: 'US-DISCLOSURE-LATER',
    name: 'Debt collector, later messages',
    channels: WRITTEN,
    lawCitation: '15 USC 1692e(11); 12 CFR 1006.18(e)(2), (4)',
    description: 'Each later message of a debt collector says that it is from one.',
  }),
  contentRule({ needs: [OPT_OUT] }, isAboutDebt, {
    id: 'CR-USCL-PTUT',
    code: 'US-OPTOUT-NOTICE',
    name: 'Opt-out notice in electronic collection',
    channels: ['email', 'text'],
    lawCitation: '12 CFR 1006.6(e); D.C. Code 28-3814(m)(3)',
    description: 'Each e-mail and text about an overdue debt says how the recipient ends them.',
  }),
  contentRule({ needs: VALIDATION }, isValidationNotice, {
    id: 'CR-USVL-CNTN',
    code: 'US-VALIDATION-CONTENT',
    name: 'Contents of a validation notice',
    channels: WRITTEN,
    themes: [VALIDATION_NOTICE],
    lawCitation: '12 CFR 1006.34(c)',
    description: 'A validation notice has all that the law lists: the debt, its itemization, the end of the period and the rights in it.',
  }),
  contentRule({ needs: [SENDER] }, (asked) => isAboutDebt(asked) || asked.plan.theme === 'marketing', {
    id: 'CR-USSN-DERR',
    code: 'US-SENDER',
    name: "Sender's identity",
    channels: WRITTEN,
    lawCitation: '12 CFR 1006.34(c)(2); 47 CFR 64.1200(d)(4); D.C. Code 28-3814(f)(4)',
    description: 'What collects or sells names its sender.',
  }),
  contentRule({ needs: [OPT_OUT, POSTAL_ADDRESS] }, () => true, {
    id: 'CR-USEM-CNTN',
    code: 'US-EMAIL-MARKETING',
    name: 'Contents of marketing by e-mail',
    channels: ['email'],
    themes: ['marketing'],
    lawCitation: '15 USC 7704(a)(5)(A)(ii), (iii), (B)',
    description: 'An e-mail that sells has an opt-out notice and a postal address. Who agreed to it needs no word that it is one.',
  }),
  contentRule({ needs: [STOP_NOTICE] }, () => true, {
    id: 'CR-USTX-STOP',
    code: 'US-TEXT-STOP',
    name: 'STOP in marketing texts',
    channels: ['text'],
    themes: ['marketing'],
    lawCitation: '47 CFR 64.1200(a)(10), (d)(6)',
    description: 'A text that sells says how texts are stopped.',
  }),
  // No law: carriers ask for it, and a company that has said it at the sign-up may mute it.
  contentRule({ needs: [STOP_NOTICE] }, isFirstText, {
    id: 'CR-BZTX-STOP',
    code: 'BIZ-TEXT-STOP',
    name: 'STOP in a first text',
    channels: ['text'],
    transactional: 'exclude',
    lawCitation: null,
    mutable: true,
    description: 'The first text to a borrower, if it answers nothing, says how texts are stopped.',
  }),
  contentRule({ needs: [LICENSE] }, isAboutDebt, {
    id: 'CR-CALC-NSEN',
    code: 'CA-LICENSE',
    name: 'License number',
    channels: WRITTEN,
    jurisdictions: ['CA'],
    lawCitation: 'Cal. Civ. Code 1788.11(f)',
    description: 'A message about an overdue debt shows the license number of a company that has one.',
  }),
  contentRule({ needs: [ATTEMPT_TO_COLLECT, INFORMATION_USED] }, ({ isCollection }) => isCollection, {
    id: 'CR-DCDS-CLSR',
    code: 'DC-DISCLOSURE',
    name: 'District of Columbia: written disclosure',
    channels: WRITTEN,
    jurisdictions: ['DC'],
    lawCitation: 'D.C. Code 28-3814(f)(2)',
    description: 'Creditors, too, say in writing that they collect a debt and what they use information for.',
  }),
  contentRule({ needs: [IMPORTANT_RIGHTS] }, (asked) => isByCollector(asked) && isAboutDebt(asked) && isFirstWritten(asked), {
    id: 'CR-MARG-HTSN',
    code: 'MA-RIGHTS',
    name: 'Massachusetts: notice of important rights',
    channels: ['email', 'mail'],
    jurisdictions: ['MA'],
    lawCitation: '209 CMR 18.16(1)',
    description: 'The first letter or e-mail of a debt collector says which right the borrower has about calls at work.',
  }),
  // 6 RCNY 5-77, 2-193(b)(5): each message asks until the answer is recorded; nobody has to answer.
  contentRule({ needs: [LANGUAGE_REQUEST] }, lacksLanguage, {
    id: 'CR-NYLA-NGRQ',
    code: 'NYC-LANGUAGE',
    name: 'New York City: language of the borrower',
    channels: WRITTEN,
    jurisdictions: ['NYC'],
    lawCitation: '6 RCNY 5-77; 6 RCNY 2-193(b)(5)',
    description: 'A message about a debt asks which language the borrower prefers, until `commPreferences.language` has the answer.',
  }),
  contentRule({ needs: LANGUAGE_SERVICES }, isValidationNotice, {
    id: 'CR-NYLA-NGSR',
    code: 'NYC-LANGUAGE-SERVICES',
    name: 'New York City: language services',
    channels: WRITTEN,
    themes: [VALIDATION_NOTICE],
    jurisdictions: ['NYC'],
    lawCitation: '6 RCNY 5-77',
    description: 'A validation notice says which language services there are, and where the city explains terms of debt collection.',
  }),
  contentRule({ forbids: [DEBT_TERMS] }, isToThirdParty, {
    id: 'CR-USTH-RDPT',
    code: 'US-THIRD-PARTY-TEXTS',
    name: 'Words to third parties',
    channels: WRITTEN,
    lawCitation: '15 USC 1692b(2), 1692c(b); 12 CFR 1006.6(d)(1)',
    description: 'A person who is not the borrower and may not know of a debt reads nothing of it.',
  }),
  contentRule({ forbids: [DEBT_TERMS] }, () => true, {
    id: 'CR-USLC-WRDS',
    code: 'US-LOCATE-TEXTS',
    name: 'Words of a search for the borrower',
    channels: [...WRITTEN, 'voice'],
    themes: ['opsCollLocateBorrower'],
    lawCitation: '15 USC 1692b(2), (5)',
    description: 'Who asks where the borrower is says nothing of a debt.',
  }),
  contentRule({ needs: [SENDER, REPLY_REQUEST], forbids: [DEBT_TERMS] }, ({ isCollection }) => isCollection, {
    id: 'CR-USLM-TCNT',
    code: 'US-LIMITED-CONTENT',
    name: 'Limited-content message',
    channels: ['voice'],
    lawCitation: '12 CFR 1006.2(j)',
    description: 'A voicemail names the sender, asks to be called and says nothing of a debt.',
  }),
];
