import { type ContentRow, agency, FIRST, LAWFUL, LAWFUL_ES, mail, NOTICE, notice, own, said, spanish } from './messages.js';
import { homeIn, letterbox, loan, phone } from './situations.js';

/** In New York City, with a recorded language or without. */
const inCity = (language: string | null = null): { readonly person: object } => ({ person: { home: homeIn('NY', '10001'), language } });
const cityBox = { ...inCity('en'), contact: letterbox() };

const NOTICE_ES = [
  'Quimby Lending, 1 Main Street, Columbus, OH 43215. El acreedor es Quimby. Cuenta: 1234.',
  'Usted debe $1,234.56. Intereses: $1.00. Cargos: $2.00. Pagos y créditos: $3.00.',
  'Escríbanos antes del 31 de marzo de 2026 para disputar la deuda, o para pedir el acreedor original.',
].join(' ');

/** What New York City asks of messages about languages. */
export const ROWS_OF_NEW_YORK_CITY: readonly ContentRow[] = [
  ['NYC-LANGUAGE', 'a creditor writes to the city, and does not ask', mail, own(inCity()), said(LAWFUL), true],
  ['NYC-LANGUAGE', 'and asks', mail, own(inCity()), said(`${LAWFUL} Please let us know which language you prefer.`), false],
  ['NYC-LANGUAGE', 'in the HTML alone', mail, own(inCity()), said('', { readings: [`${LAWFUL} Which language?`, LAWFUL] }), true],
  ['NYC-LANGUAGE', 'in Spanish', mail, own(inCity()), spanish(`${LAWFUL_ES} Díganos qué idioma prefiere.`), false],
  ['NYC-LANGUAGE', 'in English below a Spanish message', mail, own(inCity()), spanish(`${LAWFUL_ES} Which language do you prefer?`), true],
  ['NYC-LANGUAGE', 'an agency', mail, agency(inCity()), said(`${LAWFUL} ${FIRST}`), true],
  ['NYC-LANGUAGE', 'a text', { channel: 'text' }, own({ ...inCity(), contact: phone() }), said(LAWFUL), true],
  ['NYC-LANGUAGE', 'the answer is recorded', mail, own(inCity('en')), said(LAWFUL), false],
  ['NYC-LANGUAGE', 'nobody knows where the borrower lives', mail, own({ person: { home: null } }), said(`${LAWFUL} ${FIRST}`), true],
  ['NYC-LANGUAGE', 'Albany', mail, own({ person: { home: homeIn('NY', '12207', 'Albany') } }), said(LAWFUL), false],
  [
    'NYC-LANGUAGE',
    'a reminder of a current loan',
    { ...mail, theme: 'opsServicing', subject: 'paymentDueDateReminder' },
    own({ ...inCity(), loans: [loan()] }),
    said('Pay soon.'),
    false,
  ],
  [
    'NYC-LANGUAGE',
    'a letter to the attorney',
    { channel: 'mail' },
    own({ ...inCity(), contact: letterbox({ affiliation: 'attorney' }) }),
    said(LAWFUL),
    false,
  ],
  [
    'NYC-LANGUAGE',
    'a letter that looks for the borrower',
    { channel: 'mail', theme: 'opsCollLocateBorrower' },
    own({ ...inCity(), contact: letterbox() }),
    said('Quimby Lending. Do you know where Ada lives?'),
    false,
  ],
  ['NYC-LANGUAGE-SERVICES', 'a validation notice without them', notice, own(cityBox), said(NOTICE), true],
  ['NYC-LANGUAGE-SERVICES', 'with the address alone', notice, own(cityBox), said(`${NOTICE} See www.nyc.gov/dca.`), true],
  ['NYC-LANGUAGE-SERVICES', 'with the services alone', notice, own(cityBox), said(`${NOTICE} Language services: none.`), true],
  ['NYC-LANGUAGE-SERVICES', 'with both', notice, own(cityBox), said(`${NOTICE} Language services: none. See www.nyc.gov/dca.`), false],
  [
    'NYC-LANGUAGE-SERVICES',
    'in Spanish',
    notice,
    own(cityBox),
    spanish(`${NOTICE_ES} Servicios de idiomas: ninguno. Vea www.nyc.gov/dca.`),
    false,
  ],
  ['NYC-LANGUAGE-SERVICES', 'Ohio', notice, own({ contact: letterbox() }), said(NOTICE), false],
];
