// Comments that cite a chapter of a text by its number: who reads the comment cannot open that text. Statutes and regulations have public
// names, and the headings of docs/contract are in this repository.

const CHAPTERED = 'money|parties|communications|loans|loan-terms|cases|people|platform|conventions|books';

/** "(money 7)", "servicing-behaviour 1.3", "(base, Identifiers)", "file-formats.md 4.11" */
const CITATION = new RegExp(`\\((?:${CHAPTERED}),? \\d|servicing[ -]behaviou?r,? \\d|\\(base, |file-formats\\.md`);

const COMMENT = /^\s*(?:\/\/|\/?\*)|\s\/\/ /;

/** Has such citations because that is what it is about. */
const ABOUT_CITATIONS = /^packaging\/check\//;

/** @param {readonly { path: string, lines: readonly string[] }[]} files */
export function checkCitations(files) {
  return files
    .filter(({ path }) => /\.(ts|mjs|js)$/.test(path) && !ABOUT_CITATIONS.test(path))
    .flatMap(({ path, lines }) =>
      lines.flatMap((line, index) => {
        const found = COMMENT.test(line) ? CITATION.exec(line.slice(line.search(COMMENT))) : null;
        return found === null
          ? []
          : [
              {
                rule: 'citation',
                at: `${path}:${index + 1}`,
                text: `"${found[0]}" cites a chapter that is not in this repository: say what it says, or name a heading of docs/contract.`,
              },
            ];
      }),
    );
}
