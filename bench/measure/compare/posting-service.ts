import Fastify from 'fastify';
import pg from 'pg';

/*
 * A straightforward posting of a payment with Fastify and PostgreSQL: one transaction that locks the loan, splits
 * the money over interest and principal, writes payment, ledger entries and event, and updates the balances. No interest
 * accrues, nothing is replayed: it does less than the ledger that it is compared with.
 */

const SCHEMA = `
create table loans (id bigint primary key, interest_due_cents bigint not null, principal_cents bigint not null, version bigint not null);
create table payments (id bigint generated always as identity primary key, loan_id bigint not null references loans,
  amount_cents bigint not null, created_at timestamptz not null default now());
create table ledger_entries (id bigint generated always as identity primary key, loan_id bigint not null, payment_id bigint not null,
  bucket text not null, amount_cents bigint not null);
create table events (id bigint generated always as identity primary key, loan_id bigint not null, type text not null, data jsonb not null,
  created_at timestamptz not null default now());
create index on payments (loan_id); create index on ledger_entries (loan_id); create index on events (loan_id);`;

const CONNECTIONS = 16;

interface Loan {
  readonly interest_due_cents: string;
  readonly principal_cents: string;
}

/** Serves on a free port and sends its number to the parent process. */
async function servePostings(postgresPort: number, loans: number): Promise<void> {
  const pool = new pg.Pool({ host: '127.0.0.1', port: postgresPort, user: 'bench', database: 'postgres', max: CONNECTIONS });
  await pool.query(SCHEMA);
  await pool.query('insert into loans select id, 5000, 1000000, 0 from generate_series(1, $1) id', [loans]);
  const app = Fastify();
  app.post<{ Params: { id: string }; Body: { amountCents: number } }>(
    '/loans/:id/payments',
    {
      schema: { body: { type: 'object', required: ['amountCents'], properties: { amountCents: { type: 'integer', minimum: 1 } } } },
    },
    async (request, reply) => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        const result = await post(client, Number(request.params.id), request.body.amountCents);
        await client.query('commit');
        return await reply.code(201).send(result);
      } catch (cause) {
        await client.query('rollback');
        throw cause;
      } finally {
        client.release();
      }
    },
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  process.send?.(typeof address === 'object' && address !== null ? address.port : 0);
}

async function post(client: pg.PoolClient, loanId: number, amountCents: number): Promise<object> {
  const {
    rows: [loan],
  } = await client.query<Loan>({
    name: 'lock',
    text: 'select interest_due_cents, principal_cents from loans where id = $1 for update',
    values: [loanId],
  });
  const interest = Math.min(amountCents, Number(loan?.interest_due_cents ?? 0));
  const principal = amountCents - interest;
  const {
    rows: [payment],
  } = await client.query<{ id: string }>({
    name: 'pay',
    text: 'insert into payments (loan_id, amount_cents) values ($1, $2) returning id',
    values: [loanId, amountCents],
  });
  await client.query({
    name: 'entries',
    text: `insert into ledger_entries (loan_id, payment_id, bucket, amount_cents)
      values ($1, $2, 'interest', $3), ($1, $2, 'principal', $4)`,
    values: [loanId, payment?.id, interest, principal],
  });
  await client.query({
    name: 'balance',
    text: `update loans set interest_due_cents = interest_due_cents - $2, principal_cents = principal_cents - $3,
      version = version + 1 where id = $1`,
    values: [loanId, interest, principal],
  });
  await client.query({
    name: 'event',
    text: `insert into events (loan_id, type, data) values ($1, 'payment.succeeded', $2)`,
    values: [loanId, { payment: payment?.id, amountCents }],
  });
  return { id: payment?.id, interestCents: interest, principalCents: principal };
}

const [, , postgresPort, loans] = process.argv;
await servePostings(Number(postgresPort), Number(loans));
