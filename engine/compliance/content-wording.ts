import type { Channel } from '../communication/index.js';
import { plainTextOf, type RenderedMessage } from '../html/index.js';

/** What a message says, as its recipient reads it, with what rules about its words ask beside. */
export interface MessageText {
  /** Two letters, as the template says. */
  readonly language: string;
  /** Each way in which it is read, without markup: an e-mail has its HTML and its plain text, and must say the same in both. */
  readonly readings: readonly string[];
  /** Names that the company goes by. */
  readonly senderNames: readonly string[];
  /** In one line; null where the company has named none. */
  readonly senderAddress: string | null;
  /** Of the company as a lender or collector; null where it has named none. */
  readonly licenseNumber: string | null;
}

/** What rules about words ask of the company that sends. */
export type SenderDetails = Pick<MessageText, 'senderNames' | 'senderAddress' | 'licenseNumber'>;

/** What a rendered message says, for the rules about words: an e-mail is read as HTML by some, and as plain text by others. */
export function messageTextOf(
  sender: SenderDetails,
  language: string,
  channel: Channel,
  { subjectLine, contentHtml, contentText }: RenderedMessage,
): MessageText {
  const bodies = READ_AS[channel] === 'text' || contentHtml === '' ? [contentText] : [plainTextOf(contentHtml)];
  const readings = channel === 'email' && contentText !== bodies[0] ? [...bodies, contentText] : bodies;
  return { language, readings: readings.map((body) => `${subjectLine}\n${body}`), ...sender };
}

/** Channels that carry no markup. */
const READ_AS: Partial<Readonly<Record<Channel, 'text'>>> = { text: 'text', voice: 'text', chat: 'text' };

/** Languages whose legal words the rules know. A message in another one has to say them in English. */
const SPOKEN = ['en', 'es'] as const;

type Spoken = (typeof SPOKEN)[number];

/** Words that a rule asks for, or forbids, in each language. */
export interface Wording {
  /** What is missing, as a refusal names it. */
  readonly what: string;
  /** Words that satisfy it, for the author of a template. */
  readonly example: Readonly<Record<Spoken, string>>;
  readonly isIn: (reading: string, message: MessageText, language: Spoken) => boolean;
}

const spokenIn = ({ language }: MessageText): Spoken => SPOKEN.find((known) => known === language) ?? 'en';

const phrase = (what: string, patterns: Readonly<Record<Spoken, RegExp>>, example: Wording['example']): Wording => ({
  what,
  example,
  isIn: (reading, _message, language) => patterns[language].test(reading),
});

const both = (example: string): Wording['example'] => ({ en: example, es: example });

const plain = (reading: string): string => reading.normalize('NFKC').replace(/\s+/g, ' ').replace(/[’‘]/g, "'");

/** Letters and digits alone: an address on four lines is the one of one line. */
const bare = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

const contains = (reading: string, words: string): boolean => bare(words) !== '' && bare(reading).includes(bare(words));

/** Of the wanted words those that one of the readings lacks. */
export const lacking = (wanted: readonly Wording[], message: MessageText): readonly Wording[] => {
  const language = spokenIn(message);
  return wanted.filter(({ isIn }) => !message.readings.every((reading) => isIn(plain(reading), message, language)));
};

/** Of the forbidden words those that one of the readings says. */
export const saying = (forbidden: readonly Wording[], message: MessageText): readonly Wording[] => {
  const language = spokenIn(message);
  return forbidden.filter(({ isIn }) => message.readings.some((reading) => isIn(plain(reading), message, language)));
};

/** A wording as a refusal names it, with an example in the message's language. */
export const wordingText = ({ what, example }: Wording, message: Pick<MessageText, 'language'>): string =>
  `${what} ("${example[SPOKEN.find((known) => known === message.language) ?? 'en']}")`;

// 12 CFR 1006.18(e)(1): the words of the statute, and those of the model form of 12 CFR 1006, appendix B.
export const ATTEMPT_TO_COLLECT = phrase(
  'that this is an attempt to collect a debt',
  {
    en: /(attempt(ing)?|try(ing)?) to collect (a|the|this|your) debt/i,
    es: /(intent(o|a|ando)|tratando|trata) (de )?cobrar (una|la|esta|su) deuda/i,
  },
  { en: 'This is an attempt to collect a debt', es: 'Este es un intento de cobrar una deuda' },
);

export const INFORMATION_USED = phrase(
  'that information will be used for that purpose',
  {
    en: /information[^.]{0,80}will be used for that purpose|use any information[^.]{0,80}to help collect the debt/i,
    es: /informaci[oó]n[^.]{0,80}\b(utiliz|us)(ar[aá]|ada)[^.]{0,20}(ese|este) (fin|prop[oó]sito)|para ayudar a cobrar la deuda/i,
  },
  {
    en: 'any information obtained will be used for that purpose',
    es: 'toda información obtenida se utilizará para ese fin',
  },
);

// 12 CFR 1006.18(e)(2).
export const FROM_COLLECTOR = phrase(
  'that it is from a debt collector',
  { en: /(from|is) a debt collector/i, es: /(de|es) un cobrador de deudas|agencia de cobro/i },
  { en: 'This communication is from a debt collector', es: 'Esta comunicación es de un cobrador de deudas' },
);

// 12 CFR 1006.6(e), 15 USC 7704(a)(5)(A)(ii).
export const OPT_OUT = phrase(
  'how the recipient ends such messages',
  {
    en: /\bunsubscribe\b|\bopt[ -]?out\b|\b(reply|text|send)\b[^.]{0,40}\bstop\b|\bstop to (end|quit)\b/i,
    es: /\bcancelar (la |su )?suscripci[oó]n\b|\bdarse de baja\b|\bdejar de recibir\b|\b(responda|env[ií]e)\b[^.]{0,40}\bstop\b/i,
  },
  { en: 'Reply STOP to end these messages', es: 'Responda STOP para dejar de recibir estos mensajes' },
);

// 47 CFR 64.1200(a)(10): the word that a text is ended with everywhere, in each language.
export const STOP_NOTICE = phrase(
  'the word STOP',
  { en: /\bstop\b/i, es: /\bstop\b/i },
  {
    en: 'Reply STOP to end texts',
    es: 'Responda STOP para no recibir más mensajes',
  },
);

// 15 USC 7704(a)(5)(A)(iii).
export const POSTAL_ADDRESS: Wording = {
  what: "the sender's postal address",
  example: both('{{ company.mailingAddress }}'),
  isIn: (reading, { senderAddress }) =>
    (senderAddress !== null && contains(reading, senderAddress)) || /\b[A-Z]{2},? \d{5}(-\d{4})?\b/.test(reading),
};

export const SENDER: Wording = {
  what: "the sender's name",
  example: both('{{ company.brandName }}'),
  isIn: (reading, { senderNames }) => senderNames.some((name) => contains(reading, name)),
};

/** Nothing is asked of a company that has no number. */
export const LICENSE: Wording = {
  what: 'the license number',
  example: both('License {{ company.licenseNumber }}'),
  isIn: (reading, { licenseNumber }) => licenseNumber === null || contains(reading, licenseNumber),
};

// 12 CFR 1006.34(c)(2) and (3).
export const VALIDATION: readonly Wording[] = [
  phrase(
    'the creditor',
    { en: /\bcreditor\b|\bow(ed?|es) (it )?to\b/i, es: /\bacreedor\b|\b(debe|adeuda) (a|al)\b/i },
    { en: 'The creditor is …', es: 'El acreedor es …' },
  ),
  phrase(
    'the account that the debt is of',
    { en: /\b(account|loan|reference)\b/i, es: /\b(cuenta|préstamo|prestamo|referencia)\b/i },
    { en: 'Account number: …', es: 'Número de cuenta: …' },
  ),
  phrase(
    'the interest, fees and payments since the itemization date',
    {
      en: /\binterest\b.*\bfees\b.*\b(paid|payments?|credit(s|ed)?)\b/i,
      es: /\binter[eé]s(es)?\b.*\b(cargos|comisiones)\b.*\b(pag\w+|cr[eé]ditos?)\b/i,
    },
    { en: 'Interest: … Fees: … Payments and credits: …', es: 'Intereses: … Cargos: … Pagos y créditos: …' },
  ),
  phrase('the amount owed', { en: /\$ ?\d/, es: /\$ ?\d/ }, { en: 'You owe $1,234.56', es: 'Usted debe $1,234.56' }),
  phrase(
    'the end of the validation period',
    { en: /\b(by|before|until|within)\b[^.]{0,40}\d/i, es: /\b(antes|hasta|dentro)\b[^.]{0,40}\d/i },
    { en: 'by March 31, 2026', es: 'antes del 31 de marzo de 2026' },
  ),
  phrase(
    'the right to dispute the debt',
    { en: /\bdispute\b/i, es: /\bdisput\w+|\bimpugn\w+/i },
    { en: 'how to dispute the debt', es: 'cómo disputar la deuda' },
  ),
  phrase(
    'the right to the name of the original creditor',
    { en: /\boriginal creditor\b/i, es: /\bacreedor original\b/i },
    { en: 'the original creditor', es: 'el acreedor original' },
  ),
  POSTAL_ADDRESS,
];

// 15 USC 1692b(2), 1692c(b); 12 CFR 1006.2(j).
export const DEBT_TERMS: Wording = {
  what: 'words about a debt',
  example: { en: 'debt, owe, overdue, collect, loan, balance, payment', es: 'deuda, debe, vencido, cobro, préstamo, saldo, pago' },
  isIn: (reading, _message, language) => DEBT[language].test(reading),
};

const DEBT: Readonly<Record<Spoken, RegExp>> = {
  en: /\b(debts?|ow(e|es|ed|ing)|past[ -]due|overdue|delinquen\w+|collect\w*|loans?|balance|payments?|default(ed)?)\b/i,
  es: /\b(deudas?|deudor|debe|adeud\w+|vencid[oa]s?|moros\w+|cobr\w+|pr[eé]stamos?|saldo|pagos?|incumpl\w+)(?![\p{L}\p{N}])/iu,
};

// 209 CMR 18.16(1)(c): what a debt collector says of calls at work.
export const IMPORTANT_RIGHTS = phrase(
  'the notice of important rights',
  { en: /\bnotice of important rights\b/i, es: /\baviso de derechos importantes\b/i },
  { en: 'NOTICE OF IMPORTANT RIGHTS: …', es: 'AVISO DE DERECHOS IMPORTANTES: …' },
);

// 6 RCNY 5-77: a collector asks which language a consumer prefers.
export const LANGUAGE_REQUEST = phrase(
  'a request to say which language the recipient prefers',
  {
    en: /\b(which|what) language\b|\blanguage (that )?you prefer\b|\byour (preferred language|language preference)\b/i,
    es: /\b(qu[eé]|cu[aá]l) (es su )?idioma\b|\bidioma (que )?(usted )?prefiere\b|\bidioma (de su preferencia|preferido)\b/i,
  },
  { en: 'Please let us know which language you prefer', es: 'Díganos qué idioma prefiere' },
);

// 6 RCNY 5-77: what a validation notice says of languages.
export const LANGUAGE_SERVICES: readonly Wording[] = [
  phrase(
    'which language services there are, and whether a translation can be had',
    {
      en: /\blanguage (access )?services\b|\binterpreters?\b|\btranslations? of (this|our|any|each) (letter|notice|message|communication)/i,
      es: /\bservicios (ling[uü][ií]sticos|de idiomas?)\b|\bint[eé]rpretes?\b|\btraducci[oó]n de (esta|cualquier) (carta|comunicaci)/i,
    },
    {
      en: 'Language services: we can send you a translation of our letters',
      es: 'Servicios de idiomas: podemos traducirle nuestras cartas',
    },
  ),
  phrase(
    'where the city explains terms of debt collection in several languages',
    { en: /\bnyc\.gov\/(dca|dcwp)\b/i, es: /\bnyc\.gov\/(dca|dcwp)\b/i },
    {
      en: 'A translation and description of commonly-used debt collection terms is available in multiple languages at www.nyc.gov/dca',
      es: 'En www.nyc.gov/dca hay una traducción y descripción de los términos habituales del cobro de deudas en varios idiomas',
    },
  ),
];

// 12 CFR 1006.2(j)(1).
export const REPLY_REQUEST = phrase(
  'a request to reply, and a telephone number',
  { en: /\b(call|reply|contact|phone)\b[^.]*\d{3}/i, es: /\b(llam\w+|comun[ií]qu\w+|respond\w+)[^.]*\d{3}/i },
  { en: 'Please call us at 614-555-0143', es: 'Por favor llámenos al 614-555-0143' },
);
