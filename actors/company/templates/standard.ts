import {
  type Channel,
  defaultTransactional,
  implicitTheme,
  isCollections,
  isSubject,
  type Subject,
  namesOf,
} from '../../../engine/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { Agent, FactDraft } from '../../kernel/fact.js';
import type { ResourceCreated } from '../../kernel/resources/index.js';
import { TEMPLATE_DESCRIPTOR_TYPE, type TemplateDescriptor } from './descriptor.js';
import { STANDARD_TEXTS, type StandardText } from './standard-texts.js';
import { TEMPLATE_VERSION_TYPE, type TemplateContent, type TemplateVersion } from './version.js';

/** The templates that a new company begins with: for each subject an e-mail and a letter, for some a text. All are active. */
export const standardTemplates = (env: DecideEnv, createdBy: Agent): readonly FactDraft[] => [
  ...namesOf(STANDARD_TEXTS).flatMap((subject) => {
    const standard: StandardText | undefined = STANDARD_TEXTS[subject];
    if (standard === undefined) return [];
    const { legallyRequired = false, ...text } = standard;
    return contentsOf(subject, text).flatMap(([channel, content]) =>
      template(env, { subject, channel, content, legallyRequired, createdBy }),
    );
  }),
  ...template(env, { subject: HELP_TEMPLATE, channel: 'text', content: HELP, legallyRequired: false, createdBy }),
];

/** What answers a text that says HELP. It is no subject of messages, because nobody sends it unasked. */
export const HELP_TEMPLATE = 'textHelp';

interface Made {
  readonly subject: string;
  readonly channel: Channel;
  readonly content: TemplateContent;
  readonly legallyRequired: boolean;
  readonly createdBy: Agent;
}

function template(env: DecideEnv, { subject, channel, content, legallyRequired, createdBy }: Made): readonly FactDraft[] {
  const [descriptorId, versionId] = [env.newId('TD'), env.newId('TV')];
  const descriptor: TemplateDescriptor = {
    subject,
    channel,
    language: 'en',
    productId: null,
    activeVersionId: versionId,
    wasActivated: true,
    sensitive: isSubject(subject) && implicitTheme(subject) === 'opsAccountCredentials',
    legallyRequired,
    enabled: true,
    name: null,
  };
  const version: TemplateVersion = { ...content, description: null, createdBy, activatedAt: env.now };
  return [
    created({ resource: TEMPLATE_DESCRIPTOR_TYPE, id: descriptorId, parentId: null, stored: descriptor }),
    created({ resource: TEMPLATE_VERSION_TYPE, id: versionId, parentId: descriptorId, stored: version }),
  ];
}

const created = (body: ResourceCreated): FactDraft => ({ type: 'ResourceCreated', body });

function contentsOf(subject: Subject, { title, paragraphs, text }: StandardText): readonly (readonly [Channel, TemplateContent])[] {
  if (implicitTheme(subject) === 'agentNotification')
    return [['email', { ...EMPTY, subjectLineTemplate: title, contentHtmlTemplate: paragraphs.map(paragraph).join('\n') }]];
  const body = [GREETING, ...paragraphs, ...disclosuresFor(subject), CLOSING].map(paragraph);
  return [
    ['email', { ...EMPTY, subjectLineTemplate: title, contentHtmlTemplate: [...body, FOOTER].join('\n') }],
    ['mail', { ...EMPTY, contentHtmlTemplate: [LETTERHEAD, `<h1>${title}</h1>`, ...body].join('\n') }],
    ...(text === undefined ? [] : [['text', { ...EMPTY, contentTextTemplate: text }] as const]),
  ];
}

const paragraph = (line: string): string => `<p>${line}</p>`;

/** What is said of a debt: always in a message that collects, and where a loan is overdue in one that reminds. */
function disclosuresFor(subject: Subject): readonly string[] {
  const theme = implicitTheme(subject);
  if (theme !== null && isCollections(theme)) return [DEBT_COLLECTION];
  return defaultTransactional(subject) || theme === 'opsServicingPrivacy'
    ? []
    : [`{% if loan.overdueDetails.isOverdue %}${DEBT_COLLECTION}{% endif %}`];
}

const EMPTY: TemplateContent = { subjectLineTemplate: null, contentTextTemplate: null, contentHtmlTemplate: null };

const COMPANY = '{{ company.brandName | default: company.name }}';

const HELP: TemplateContent = {
  ...EMPTY,
  contentTextTemplate: [
    `${COMPANY}: `,
    '{% if company.phone %}call us at {{ company.phone }} for help. {% endif %}',
    '{% if portalUrl != "" %}See {{ portalUrl }}. {% endif %}Reply STOP to end texts.',
  ].join(''),
};
const GREETING = 'Dear {{ person.name.firstName | default: person.businessDetails.businessName }},';
const CLOSING = COMPANY;

/**
 * 15 USC 1692e(11): the District of Columbia requires the first sentence of creditors too (D.C. Code 28-3814(f)(2)); the second is
 * said by a company that collects for another.
 */
const DEBT_COLLECTION = [
  'This is an attempt to collect a debt, and any information obtained will be used for that purpose.',
  "{% if loan.servicedBy and loan.servicedBy != 'creditor' %} This communication is from a debt collector.{% endif %}",
  '{% if company.licenseNumber %} License number {{ company.licenseNumber }}.{% endif %}',
].join('');

/** Who writes, and how it is ended: 15 USC 7704(a)(5), 12 CFR 1006.6(e). */
const FOOTER = [
  '<p style="font-size:small">',
  `${COMPANY}{% if company.mailingAddress %}, {{ company.mailingAddress }}{% endif %}`,
  '<br>{% if unsubscribeUrl != "" %}If you do not want these e-mails, <a href="{{ unsubscribeUrl }}">unsubscribe</a>.',
  '{% else %}If you do not want these e-mails, answer with the word UNSUBSCRIBE.{% endif %}',
  '</p>',
].join('');

const LETTERHEAD = [
  `<p>${COMPANY}{% if company.mailingAddress %}<br>{{ company.mailingAddress }}{% endif %}</p>`,
  '<p>{{ today | date }}</p>',
].join('\n');
