import { defaultTransactional, implicitTheme, isCollections, type Subject } from '../../../engine/index.js';
import { SPANISH_TEXTS } from './standard-texts-spanish.js';
import { STANDARD_TEXTS, type StandardText } from './standard-texts.js';

/** What stands around the text of a standard template, in its language. */
export interface StandardFrame {
  readonly language: string;
  readonly texts: Partial<Readonly<Record<Subject, StandardText>>>;
  readonly greeting: string;
  /**
   * 15 USC 1692e(11): the District of Columbia requires the first sentence of creditors too (D.C. Code 28-3814(f)(2)); the second is
   * said by a company that collects for another.
   */
  readonly debtCollection: string;
  /** How an e-mail is ended, with a link and without: 15 USC 7704(a)(5), 12 CFR 1006.6(e). */
  readonly optOut: string;
  /** What answers a text that says HELP. */
  readonly help: string;
}

export const COMPANY_NAME = '{{ company.brandName | default: company.name }}';

const NAME = 'person.name.firstName | default: person.businessDetails.businessName';
const BY_COLLECTOR = "{% if loan.servicedBy and loan.servicedBy != 'creditor' %}";

/** 209 CMR 18.16(1)(c): said by a debt collector, and put so that it misleads nobody in another state. */
const RIGHTS_IN_MASSACHUSETTS = {
  en: [
    ' If you live in Massachusetts: NOTICE OF IMPORTANT RIGHTS: You have the right to ask, in writing or orally, that we do not telephone',
    'you about your debt at your place of work. An oral request is valid for ten days only, unless you confirm it in writing within',
    'seven days. You may end this request by writing to us.',
  ].join(' '),
  es: [
    ' Si usted vive en Massachusetts: AVISO DE DERECHOS IMPORTANTES: Usted tiene derecho a pedir, por escrito o de palabra, que no lo',
    'llamemos por su deuda a su lugar de trabajo. Un pedido de palabra vale solo diez días, a menos que lo confirme por escrito dentro',
    'de siete días. Puede terminar este pedido si nos escribe.',
  ].join(' '),
} as const;

/** 6 RCNY 5-77: asked of each debtor in New York City until the answer is recorded. */
const LANGUAGE_IN_NEW_YORK_CITY = {
  en: ' If you live in New York City: please let us know which language you prefer.',
  es: ' Si usted vive en la ciudad de Nueva York: díganos qué idioma prefiere.',
} as const;

const UNLESS_LANGUAGE = '{% unless person.commPreferences.language %}';

const ENGLISH: StandardFrame = {
  language: 'en',
  texts: STANDARD_TEXTS,
  greeting: `Dear {{ ${NAME} }},`,
  debtCollection: [
    'This is an attempt to collect a debt, and any information obtained will be used for that purpose.',
    `${BY_COLLECTOR} This communication is from a debt collector.${RIGHTS_IN_MASSACHUSETTS.en}{% endif %}`,
    '{% if company.licenseNumber %} License number {{ company.licenseNumber }}.{% endif %}',
    `${UNLESS_LANGUAGE}${LANGUAGE_IN_NEW_YORK_CITY.en}{% endunless %}`,
  ].join(''),
  optOut: [
    '{% if unsubscribeUrl != "" %}If you do not want these e-mails, <a href="{{ unsubscribeUrl }}">unsubscribe</a>.',
    '{% else %}If you do not want these e-mails, answer with the word UNSUBSCRIBE.{% endif %}',
  ].join(''),
  help: [
    `${COMPANY_NAME}: `,
    '{% if company.phone %}call us at {{ company.phone }} for help. {% endif %}',
    '{% if portalUrl != "" %}See {{ portalUrl }}. {% endif %}Reply STOP to end texts.',
  ].join(''),
};

const SPANISH: StandardFrame = {
  language: 'es',
  texts: SPANISH_TEXTS,
  greeting: `Hola, {{ ${NAME} }}:`,
  debtCollection: [
    'Este es un intento de cobrar una deuda, y toda información obtenida se utilizará para ese fin.',
    `${BY_COLLECTOR} Esta comunicación es de un cobrador de deudas.${RIGHTS_IN_MASSACHUSETTS.es}{% endif %}`,
    '{% if company.licenseNumber %} Número de licencia {{ company.licenseNumber }}.{% endif %}',
    `${UNLESS_LANGUAGE}${LANGUAGE_IN_NEW_YORK_CITY.es}{% endunless %}`,
  ].join(''),
  optOut: [
    '{% if unsubscribeUrl != "" %}Si no quiere recibir estos correos, puede <a href="{{ unsubscribeUrl }}">cancelar su suscripción</a>.',
    '{% else %}Si quiere dejar de recibir estos correos, responda con la palabra UNSUBSCRIBE.{% endif %}',
  ].join(''),
  help: [
    `${COMPANY_NAME}: `,
    '{% if company.phone %}llámenos al {{ company.phone }} si necesita ayuda. {% endif %}',
    '{% if portalUrl != "" %}Vea {{ portalUrl }}. {% endif %}Responda STOP para no recibir más mensajes.',
  ].join(''),
};

export const STANDARD_FRAMES: readonly StandardFrame[] = [ENGLISH, SPANISH];

/** What is said of a debt: always in a message that collects, and where a loan is overdue in one that reminds. */
export function disclosuresFor(subject: Subject, { debtCollection }: StandardFrame): readonly string[] {
  const theme = implicitTheme(subject);
  if (theme !== null && isCollections(theme)) return [debtCollection];
  return defaultTransactional(subject) || theme === 'opsServicingPrivacy'
    ? []
    : [`{% if loan.overdueDetails.isOverdue %}${debtCollection}{% endif %}`];
}
