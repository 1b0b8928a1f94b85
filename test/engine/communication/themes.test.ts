import { test } from 'tap';
import {
  type Direction,
  type InteractionTheme,
  isSettableTheme,
  resolveTheme,
  type Subject,
  SUBJECTS,
  themeFault,
  type ThemeKind,
  THEMES,
} from '../../../engine/index.js';

/** The rows of the interface. */
const ROWS: Readonly<Record<InteractionTheme, readonly [ThemeKind, isSettable: boolean]>> = {
  opsCollDebt: ['collections', true],
  opsCollLocateBorrower: ['collections', true],
  opsCollVerifyEmployment: ['collections', true],
  opsCollContactEmployerNotice: ['collections', true],
  opsServicing: ['servicing', true],
  opsServicingDebtValidation: ['servicing', true],
  opsServicingTimeBarredNotice: ['servicing', true],
  opsServicingNegativeCreditReportNotice: ['deprecated', false],
  opsAccountCredentials: ['servicing', true],
  agentNotification: ['internal', true],
  opsServicingStatement: ['servicing', true],
  opsServicingPrivacy: ['servicing', true],
  opsOrigination: ['servicing', true],
  marketing: ['marketing', true],
  inbGeneral: ['inbound', true],
  inbPayment: ['inbound', true],
  inbDispute: ['inbound', true],
  inbHardship: ['inbound', true],
  inbComplaint: ['inbound', true],
  inbOptOut: ['inbound', true],
  inbTechnical: ['inbound', true],
  inbWrongParty: ['inbound', true],
  inbBug: ['inbound', false],
  inbHumanLove: ['inbound', false],
};

const themes = Object.keys(THEMES) as InteractionTheme[];

for (const [theme, [kind, isSettable]] of Object.entries(ROWS) as [InteractionTheme, readonly [ThemeKind, boolean]][]) {
  test(`${theme} is of the kind ${kind} and ${isSettable ? 'can' : 'cannot'} be set`, async (t) => {
    t.equal(THEMES[theme].kind, kind);
    t.equal(isSettableTheme(theme), isSettable);
    const outbound = resolveTheme({ subject: 'freeForm', theme, direction: 'outbound' });
    t.equal('fault' in outbound, !isSettable || kind === 'inbound', 'outbound');
    t.equal('fault' in resolveTheme({ subject: 'freeForm', theme, direction: 'inbound' }), !isSettable, 'inbound');
    t.equal(themeFault('borrowerSelectedTheme', theme, 'outbound') !== null, !isSettable, 'a borrower selects any settable one');
  });
}

test('there is no other theme', async (t) => t.strictSame(themes.sort(), Object.keys(ROWS).sort()));

test('a subject decides its theme, which the request may repeat or omit; another theme is refused', async (t) => {
  for (const [subject, { theme: implicit }] of Object.entries(SUBJECTS) as [Subject, { readonly theme: InteractionTheme | null }][]) {
    if (implicit === null) continue;
    t.strictSame(resolveTheme({ subject, theme: null, direction: 'outbound' }), { theme: implicit }, subject);
    t.strictSame(resolveTheme({ subject, theme: implicit, direction: 'outbound' }), { theme: implicit }, subject);
    const others = themes.filter((theme) => theme !== implicit);
    for (const theme of others)
      t.match(resolveTheme({ subject, theme, direction: 'inbound' }), { fault: { path: 'theme' } }, `${subject} as ${theme}`);
  }
});

test('a subject without a theme of its own needs one', async (t) => {
  const wanting = (Object.keys(SUBJECTS) as Subject[]).filter((subject) => SUBJECTS[subject].theme === null);
  t.strictSame(wanting.sort(), ['freeForm', 'freeFormBranded', ...Array.from({ length: 20 }, (_, index) => `custom${index + 1}`)].sort());
  const directions: readonly Direction[] = ['outbound', 'inbound'];
  for (const subject of wanting) {
    for (const direction of directions)
      t.match(resolveTheme({ subject, theme: null, direction }), { fault: { path: 'theme', expected: 'a theme' } }, subject);
    t.strictSame(resolveTheme({ subject, theme: 'opsCollDebt', direction: 'outbound' }), { theme: 'opsCollDebt' }, subject);
  }
});

test('without a subject the theme is that of the request, or unknown', async (t) => {
  t.strictSame(resolveTheme({ subject: null, theme: 'marketing', direction: 'outbound' }), { theme: 'marketing' });
  t.strictSame(resolveTheme({ subject: null, theme: null, direction: 'outbound' }), { theme: null });
});
