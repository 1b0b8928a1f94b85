import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { addCommands } from '../../bench/index.js';
import { must } from '../../engine/index.js';
import { METRICS, ProcessMetrics } from '../../gateway/index.js';
import { NO_COMMANDS } from '../bench/no-commands.js';

export const project = resolve(import.meta.dirname, '../../..');

/** All files below a folder of the project, with their text. */
export function textsBelow(folder: string, ending: string): readonly { readonly name: string; readonly text: string }[] {
  const entries = readdirSync(join(project, folder), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name.endsWith(ending),
  );
  return entries
    .map(({ name, parentPath }) => join(parentPath, name))
    .sort()
    .map((path) => ({ name: relative(project, path), text: readFileSync(path, 'utf8') }));
}

/** A command as a text names it, after `tenor`. */
export interface NamedCommand {
  readonly line: string;
  /** True for a command in a shell block, which is run unchanged. Other commands may omit their arguments. */
  readonly isWhole: boolean;
}

/** What is wrong with a command; null if `tenor` would accept it. `<…>` stands for any value. */
export function faultOf({ line, isWhole }: NamedCommand): string | null {
  const program = new Command('tenor').exitOverride();
  addCommands(program, NO_COMMANDS);
  const parts = [...line.trim().matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  let command = program;
  for (let next = childOf(command, parts[0]); next; next = childOf(command, parts[0])) {
    command = next;
    parts.shift();
  }
  if (command === program) return `there is no command ${parts[0] ?? ''}`;
  const standard =
    command.commands.length > 0
      ? command.commands.find(
          (child) => child.name() === ((command as unknown as { readonly _defaultCommandName: string | null })._defaultCommandName ?? ''),
        )
      : command;
  if (!standard && !isWhole) return null;
  if (!standard) return `${command.name()} asks for one of ${command.commands.map((child) => child.name()).join(', ')}`;
  const { operands, unknown } = standard.parseOptions(parts);
  if (unknown.length > 0) return `${standard.name()} has no ${unknown.join(' ')}`;
  const wanted = standard.registeredArguments;
  const least = isWhole ? wanted.filter(({ required }) => required).length : 0;
  const most = wanted.some(({ variadic }) => variadic) ? Infinity : wanted.length;
  return operands.length < least || operands.length > most
    ? `${standard.name()} takes ${least} to ${most} arguments, not ${operands.length}`
    : null;
}

const childOf = (command: Command, name: string | undefined): Command | undefined =>
  command.commands.find((child) => child.name() === name);

/** Names in a text that look like metrics of the service or of Node but are not. */
export function unknownMetrics(text: string): readonly string[] {
  const known = new Set([
    ...Object.keys(METRICS),
    ...ProcessMetrics.withNode()
      .registry.getMetricsAsArray()
      .map(({ name }) => name),
  ]);
  const named = [...text.matchAll(/\b(?:tenor|nodejs|process)_[a-z0-9_]+\b/g)].map(([name]) =>
    name.replace(/_(bucket|sum|count)$/, (ending) => (known.has(name) ? ending : '')),
  );
  return [...new Set(named)].filter((name) => !known.has(name));
}

/** The `tenor …` commands in the shell blocks of a page and in its `code`. */
export function commandLines(text: string): readonly NamedCommand[] {
  const blocks = [...text.matchAll(/^ *```sh\n([^]*?)^ *```/gm)].flatMap(([, block = '']) => block.split('\n'));
  const inline = [...text.replace(/^ *```[^]*?^ *```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => must(code, 'code'));
  const named = (lines: readonly string[], isWhole: boolean): NamedCommand[] =>
    lines
      .map((line) => line.replace(/ +#.*$/, '').trim())
      .flatMap((line) => /^(?:tenor|node dist\/tenor\.js) (.+)$/.exec(line)?.[1] ?? [])
      .map((line) => ({ line, isWhole }));
  return [...named(blocks, true), ...named(inline, false)];
}
