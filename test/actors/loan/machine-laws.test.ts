import { test } from 'tap';
import { createActor, transition } from 'xstate';
import { loanMachine } from '../../../actors/loan/machine.js';
import { persistedAt } from '../../../actors/statechart.js';
import {
  advanceLine,
  advanceTo,
  applyFact,
  applyLineFact,
  canApply,
  canApplyLine,
  computeLedger,
  computeLine,
  LEDGER_MOVES,
  type LedgerMove,
  type LedgerStatus,
  ledgerStatusAfter,
  mayMoveLedger,
  startLedger,
  startLine,
} from '../../../engine/index.js';
import { allLines, type LineHistory } from '../../engine/ledger/line/histories.js';
import { allHistories, type History, PARAMETERS } from '../../engine/ledger/installment/histories.js';
import fc from '../../fast-check.js';
import { SEED } from '../../seed.js';

const STATUSES = Object.keys(LEDGER_MOVES) as LedgerStatus[];
const MOVES = [...new Set(Object.values(LEDGER_MOVES).flatMap((row) => Object.keys(row)))] as LedgerMove[];
const CONTEXTS = [false, true].flatMap((isFrozen) => [false, true].map((isAccelerated) => ({ isFrozen, isAccelerated })));

test('the ledger moves as the machine does, under whatever its guards ask', (t) => {
  for (const status of STATUSES) {
    for (const move of MOVES) {
      for (const context of CONTEXTS) {
        const before = persistedAt(loanMachine, status, context);
        t.equal(mayMoveLedger(status, move), before.can({ type: move }), `${status} ${move}`);
        if (!mayMoveLedger(status, move)) continue;
        t.equal(ledgerStatusAfter(status, move, context), transition(loanMachine, before, { type: move })[0].value, `${status} ${move}`);
      }
    }
  }
  t.end();
});

/** The move that brings a status from another; where money is owed again, the machine chooses among its guards. */
const moveBetween = (from: LedgerStatus, to: LedgerStatus): LedgerMove | undefined =>
  from === 'paidOff' && to !== 'canceled'
    ? 'owe'
    : MOVES.find((move) => mayMoveLedger(from, move) && ledgerStatusAfter(from, move, { isFrozen: false, isAccelerated: false }) === to);

interface LedgerEvent {
  readonly type: string;
}

/** A machine that runs beside a ledger: each status that the ledger reports must be the one to which the machine comes. */
class Beside {
  readonly #actor = createActor(loanMachine, { snapshot: persistedAt(loanMachine, 'active') }).start();
  moves = 0;

  happened(event: LedgerEvent): void {
    if (event.type !== 'statusChanged') return;
    const { oldStatus, newStatus } = event as LedgerEvent & { readonly oldStatus: LedgerStatus; readonly newStatus: LedgerStatus };
    this.#expect(oldStatus);
    const move = moveBetween(oldStatus, newStatus);
    if (move === undefined || !this.#actor.getSnapshot().can({ type: move })) throw new Error(`no move from ${oldStatus} to ${newStatus}`);
    if (move === 'owe') this.#remember(newStatus);
    this.#actor.send({ type: move });
    this.moves += 1;
    this.#expect(newStatus);
  }

  /** Orders that a replay meets while the loan is paid off change no status: the ledger shows them once something is owed. */
  #remember(newStatus: LedgerStatus): void {
    const { isFrozen } = this.#actor.getSnapshot().context;
    if (newStatus === 'frozen' && !isFrozen) this.#actor.send({ type: 'rememberFreeze' });
    if (newStatus === 'active' && isFrozen) this.#actor.send({ type: 'rememberUnfreeze' });
  }

  #expect(status: LedgerStatus): void {
    const { value } = this.#actor.getSnapshot();
    if (value !== status) throw new Error(`the ledger is ${status}, the machine ${value}`);
  }
}

test('a random life of a loan, each of its replays included, walks the machine', async (t) => {
  t.comment(`seed ${SEED}`);
  let moves = 0;
  const walks = ({ terms, facts, through }: History): void => {
    let beside = new Beside();
    let state = startLedger(terms, { watcher: beside });
    for (const [position, fact] of facts.entries()) {
      advanceTo(state, fact.recordedDay);
      if (canApply(state, fact)) applyFact(state, fact);
      else {
        moves += beside.moves;
        beside = new Beside();
        state = computeLedger(terms, facts.slice(0, position + 1), fact.recordedDay, beside);
        state.watcher = beside;
      }
    }
    advanceTo(state, through);
    moves += beside.moves;
  };
  fc.assert(fc.property(allHistories, walks), PARAMETERS);
  t.ok(moves > 0, `${moves} moves`);
});

test('a random life of a line of credit, each of its replays included, walks the machine', async (t) => {
  t.comment(`seed ${SEED}`);
  let moves = 0;
  const walks = ({ terms, facts, through }: LineHistory): void => {
    let beside = new Beside();
    let state = startLine(terms, { watcher: beside });
    for (const [position, fact] of facts.entries()) {
      advanceLine(state, fact.recordedDay);
      if (canApplyLine(state, fact)) applyLineFact(state, fact);
      else {
        moves += beside.moves;
        beside = new Beside();
        state = computeLine(terms, facts.slice(0, position + 1), fact.recordedDay, beside);
        state.watcher = beside;
      }
    }
    advanceLine(state, through);
    moves += beside.moves;
  };
  fc.assert(fc.property(allLines, walks), PARAMETERS);
  t.ok(moves > 0, `${moves} moves`);
});
