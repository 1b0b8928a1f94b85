import { type Channel, implicitTheme, isSubject, namesOf, type Subject } from '../../../engine/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { Agent, FactDraft } from '../../kernel/fact.js';
import type { ResourceCreated } from '../../kernel/resources/index.js';
import { TEMPLATE_DESCRIPTOR_TYPE, type TemplateDescriptor } from './descriptor.js';
import { COMPANY_NAME, disclosuresFor, STANDARD_FRAMES, type StandardFrame } from './standard-frames.js';
import type { StandardText } from './standard-texts.js';
import { TEMPLATE_VERSION_TYPE, type TemplateContent, type TemplateVersion } from './version.js';

/**
 * The templates that a new company begins with, in English and in Spanish: for each subject an e-mail and a letter, for some a text. All
 * are active.
 */
export const standardTemplates = (env: DecideEnv, createdBy: Agent): readonly FactDraft[] =>
  STANDARD_FRAMES.flatMap((frame) => [
    ...namesOf(frame.texts).flatMap((subject) => {
      const standard: StandardText | undefined = frame.texts[subject];
      if (standard === undefined) return [];
      const { legallyRequired = false, ...text } = standard;
      return contentsOf(subject, text, frame).flatMap(([channel, content]) =>
        template(env, { subject, channel, language: frame.language, content, legallyRequired, createdBy }),
      );
    }),
    ...template(env, {
      subject: HELP_TEMPLATE,
      channel: 'text',
      language: frame.language,
      content: { ...EMPTY, contentTextTemplate: frame.help },
      legallyRequired: false,
      createdBy,
    }),
  ]);

/** What answers a text that says HELP. It is no subject of messages, because nobody sends it unasked. */
export const HELP_TEMPLATE = 'textHelp';

interface Made {
  readonly subject: string;
  readonly channel: Channel;
  readonly language: string;
  readonly content: TemplateContent;
  readonly legallyRequired: boolean;
  readonly createdBy: Agent;
}

function template(env: DecideEnv, { subject, channel, language, content, legallyRequired, createdBy }: Made): readonly FactDraft[] {
  const [descriptorId, versionId] = [env.newId('TD'), env.newId('TV')];
  const descriptor: TemplateDescriptor = {
    subject,
    channel,
    language,
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

function contentsOf(
  subject: Subject,
  { title, paragraphs, text }: StandardText,
  frame: StandardFrame,
): readonly (readonly [Channel, TemplateContent])[] {
  if (implicitTheme(subject) === 'agentNotification')
    return [['email', { ...EMPTY, subjectLineTemplate: title, contentHtmlTemplate: paragraphs.map(paragraph).join('\n') }]];
  const body = [frame.greeting, ...paragraphs, ...disclosuresFor(subject, frame), COMPANY_NAME].map(paragraph);
  return [
    ['email', { ...EMPTY, subjectLineTemplate: title, contentHtmlTemplate: [...body, footer(frame.optOut)].join('\n') }],
    ['mail', { ...EMPTY, contentHtmlTemplate: [LETTERHEAD, `<h1>${title}</h1>`, ...body].join('\n') }],
    ...(text === undefined ? [] : [['text', { ...EMPTY, contentTextTemplate: text }] as const]),
  ];
}

const paragraph = (line: string): string => `<p>${line}</p>`;

const EMPTY: TemplateContent = { subjectLineTemplate: null, contentTextTemplate: null, contentHtmlTemplate: null };

const footer = (optOut: string): string =>
  `<p style="font-size:small">${COMPANY_NAME}{% if company.mailingAddress %}, {{ company.mailingAddress }}{% endif %}<br>${optOut}</p>`;

const LETTERHEAD = [
  `<p>${COMPANY_NAME}{% if company.mailingAddress %}<br>{{ company.mailingAddress }}{% endif %}</p>`,
  '<p>{{ today | date }}</p>',
].join('\n');
