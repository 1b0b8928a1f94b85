import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';

/** Processes that this one has started and that have not ended. */
const children = new Set<ChildProcess>();

/** The process that was just started does not outlive this one, however this one ends (but for SIGKILL). */
export function endsWithUs<Child extends ChildProcess>(child: Child): Child {
  if (children.size === 0) process.on('exit', killChildren);
  children.add(child);
  child.once('exit', () => {
    children.delete(child);
    if (children.size === 0) process.off('exit', killChildren);
  });
  return child;
}

function killChildren(): void {
  for (const child of children) child.kill('SIGKILL');
}

/** Until the function that is returned is called, a signal ends this process and its children at once, after `leave`. */
export function endOnSignal(leave: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const end = (signal: NodeJS.Signals): never => {
    killChildren();
    leave();
    return process.exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.once(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}
