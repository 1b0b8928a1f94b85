// Finds the words of house-words.mjs. A line is read as its words in lower case: camelCase and kebab-case names fall apart.
import { HOUSE_WORDS, STORED_NAMES } from './house-words.mjs';

/** Names those words because that is what they are about, or quotes lines of the sources. */
const ABOUT_WORDS = /^packaging\/check\/|^test\/check\/|^test\/mutation\/equivalent[a-z-]*\.ts$/;

const DECLARED = /\b(?:const|let|function\*?|class|interface|type|enum)\s+([A-Za-z_$][\w$]*)/g;

const stored = new RegExp(`\\b(?:${STORED_NAMES.join('|')})\\b`, 'g');

const everywhere = HOUSE_WORDS.filter(({ names }) => names !== true);
const inNames = HOUSE_WORDS.filter(({ names }) => names === true);

/** @param {readonly { path: string, lines: readonly string[] }[]} files */
export function checkWords(files) {
  const find = { everywhere: finderOf(everywhere), inNames: finderOf(inNames) };
  return files
    .filter(({ path }) => !ABOUT_WORDS.test(path))
    .flatMap(({ path, lines }) => {
      const fileName = wordsIn(path);
      return [
        ...faultsIn(fileName, path, [find.everywhere, find.inNames]),
        ...lines.flatMap((line, index) => {
          const at = `${path}:${index + 1}`;
          const names = path.endsWith('.md') ? [] : [...line.matchAll(DECLARED)].map(([, name]) => name);
          return [...faultsIn(wordsIn(line), at, [find.everywhere]), ...faultsIn(wordsIn(names.join('; ')), at, [find.inNames])];
        }),
      ];
    });
}

/** "CoreKeeper.#turnOf" is read as "core keeper turn of". */
const wordsIn = (text) =>
  text
    .replaceAll(stored, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_/.#$-]+/g, ' ')
    .toLowerCase();

/** One expression for all words with a group each: a line is read once. */
function finderOf(words) {
  return { words, expression: new RegExp(words.map((word) => `(\\b(?:${word.words})\\b)`).join('|'), 'g') };
}

function faultsIn(text, at, finders) {
  return finders.flatMap(({ words, expression }) =>
    [...text.matchAll(expression)].map((match) => {
      const { rule, write } = words[match.slice(1).findIndex((found) => found !== undefined)];
      return { rule, at, text: `"${match[0]}": write ${write}.` };
    }),
  );
}
