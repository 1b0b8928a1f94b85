import { SaxesParser } from 'saxes';
import { MAX_STATEMENT_CHARACTERS, type StatementFaults } from './statement.js';

/** An element by its local name, whatever its namespace and prefix. */
export interface XmlElement {
  readonly name: string;
  readonly line: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

interface Growing extends XmlElement {
  readonly children: Growing[];
  text: string;
}

/** Elements within each other: those of the format need half of it. */
const MAX_DEPTH = 40;
/** Characters that the parser gets at once, and those of one text. */
const PIECE = 65_536;
const MAX_ELEMENT_TEXT = 4_096;

/** Ends the reading of a file that is not to be read any further. */
class Unreadable extends Error {}

/**
 * Calls `take` with each element at its end and the names of the elements around it; what it takes is not kept in the parent. False: the
 * text is no XML that is accepted. A document type is refused, so that there are no entities but the five of XML.
 */
export function readElements(
  text: string,
  faults: StatementFaults,
  take: (element: XmlElement, path: readonly string[]) => boolean,
): boolean {
  if (text.length > MAX_STATEMENT_CHARACTERS) {
    faults.add('too-many-characters');
    return false;
  }
  const open: Growing[] = [];
  const path: string[] = [];
  const parser = new SaxesParser({ xmlns: false });
  const refuse = (code: 'doctype' | 'too-deep' | 'xml-not-well-formed'): never => {
    faults.add(code, parser.line);
    throw new Unreadable();
  };
  parser.on('error', () => refuse('xml-not-well-formed'));
  parser.on('doctype', () => refuse('doctype'));
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length >= MAX_DEPTH) refuse('too-deep');
    const own = localName(name);
    open.push({ name: own, line: parser.line, attributes, children: [], text: '' });
    path.push(own);
  });
  const addText = (more: string): void => {
    const element = open.at(-1);
    if (element !== undefined && element.text.length < MAX_ELEMENT_TEXT) element.text += more.slice(0, MAX_ELEMENT_TEXT);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const element = open.pop();
    path.pop();
    if (element === undefined) return;
    if (!take(element, path)) open.at(-1)?.children.push(element);
  });
  try {
    for (let at = 0; at < text.length; at += PIECE) parser.write(text.slice(at, at + PIECE));
    parser.close();
    return true;
  } catch (cause) {
    if (cause instanceof Unreadable) return false;
    throw cause;
  }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The texts of all elements at the path. */
export function valuesAt(element: XmlElement, ...path: readonly string[]): readonly string[] {
  let found: readonly XmlElement[] = [element];
  for (const name of path) found = found.flatMap(({ children }) => children.filter((each) => each.name === name));
  return found.map(({ text }) => text.trim()).filter((text) => text !== '');
}

/** The first text at the path; null where there is none. */
export const textAt = (element: XmlElement, ...path: readonly string[]): string | null => valuesAt(element, ...path)[0] ?? null;
