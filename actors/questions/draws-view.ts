import { dayAt, formatRate } from '../../engine/index.js';
import { type DrawFigures, drawFigures, type LoanState, recordOf } from '../loan/index.js';
import { orNull } from '../wire.js';
import type { LoanItem } from './subjects.js';
import { type Cell, view } from './view.js';

interface DrawItem {
  readonly state: LoanState;
  readonly draw: LoanState['draws'][number];
  readonly figures: DrawFigures;
}

const outstanding = (bucket: 'total' | 'principal' | 'interest' | 'fees', meaning: string) =>
  ({
    name: `outstanding_${bucket}`,
    type: 'MONEY',
    meaning,
    of: ({ figures }: DrawItem): Cell => figures.outstanding?.[`${bucket}Cents`] ?? 0,
  }) as const;

export const draws = view<LoanItem, DrawItem>({
  name: 'v_draws',
  meaning: 'Draws of lines of credit as of today, one row each; each balance is rounded to the cent.',
  kind: 'loan',
  items: ({ today, env }) => today.draws.map((draw) => ({ state: today, draw, figures: drawFigures(today, env, draw) })),
  columns: [
    { name: 'draw_id', type: 'VARCHAR', meaning: 'Id of the draw', of: ({ draw }) => draw.id },
    { name: 'external_id', type: 'VARCHAR', meaning: 'The external id', of: ({ draw }) => draw.externalId },
    { name: 'loan_id', type: 'VARCHAR', meaning: 'Its line of credit', of: ({ state }) => state.id },
    { name: 'person_id', type: 'VARCHAR', meaning: 'The borrower of the line', of: ({ state }) => recordOf(state).personId },
    {
      name: 'draw_type',
      type: 'VARCHAR',
      meaning: '`regularPurchase`, `cashAdvance`, `balanceTransfer` or `static`',
      of: ({ draw }) => draw.drawType,
    },
    { name: 'status', type: 'VARCHAR', meaning: 'Its status, which follows that of the line', of: ({ figures }) => figures.status },
    { name: 'is_closed', type: 'BOOLEAN', meaning: 'Whether it takes no purchases any more', of: ({ draw }) => draw.isClosed },
    { name: 'is_amortized', type: 'BOOLEAN', meaning: 'Whether it has a schedule of its own', of: ({ figures }) => figures.isAmortized },
    outstanding('total', 'All that is outstanding of it'),
    outstanding('principal', 'Of it principal'),
    outstanding('interest', 'Of it interest'),
    outstanding('fees', 'Of it fees'),
    {
      name: 'credit_limit_amount',
      type: 'MONEY',
      meaning: 'Its own limit; null where that of the line applies alone',
      of: ({ figures }) => figures.limitCents,
    },
    {
      name: 'interest_rate',
      type: 'VARCHAR',
      meaning: 'The rate of today, as text; null before activation',
      of: ({ figures }) => orNull(formatRate, figures.interestRate),
    },
    {
      name: 'promo_rate',
      type: 'VARCHAR',
      meaning: 'What promotions take off the rate of today, as text; null without one',
      of: ({ figures }) => orNull(formatRate, figures.promoRate),
    },
    {
      name: 'activated_date',
      type: 'DATE',
      meaning: 'The day of its activation',
      of: ({ state, draw }) => orNull((at) => dayAt(recordOf(state).zone, at), draw.timestamps.activatedAt),
    },
    { name: 'end_date', type: 'DATE', meaning: 'The last due date of an amortized draw', of: ({ figures }) => figures.endDay },
    { name: 'created_at', type: 'TIMESTAMP', meaning: 'When it was made', of: ({ draw }) => draw.timestamps.createdAt },
    { name: 'activated_at', type: 'TIMESTAMP', meaning: 'When it was activated', of: ({ draw }) => draw.timestamps.activatedAt },
    { name: 'updated_at', type: 'TIMESTAMP', meaning: 'When it was last changed', of: ({ draw }) => draw.updatedAt },
    {
      name: 'nickname',
      type: 'VARCHAR',
      meaning: 'The name that it was given',
      isPersonal: true,
      of: ({ draw }) => draw.nickname,
    },
  ],
});
