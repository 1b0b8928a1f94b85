// Finds the declarations that a source file reaches: its own, those that they name, and so on through imports. The validators that typia
// compiles from the file's types can change only when one of these texts does. Works on syntax alone, so that it takes milliseconds a
// file; where a name could mean several declarations, all of them count.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const WHOLE = '*';

export class TypeClosures {
  #modules = new Map();

  /**
   * The closure of a file, by path from the project's root.
   * @returns {{ file: string, name: string, hash: string }[]} each declaration that is reached, with a hash of what it says
   */
  of(path) {
    const reached = new Map();
    const queue = [[path, WHOLE]];
    while (queue.length > 0) {
      const [file, name] = queue.pop();
      const key = `${file} ${name}`;
      if (reached.has(key)) continue;
      const { hash, uses } = this.#look(file, name);
      reached.set(key, { file, name, hash });
      queue.push(...uses);
    }
    return [...reached.values()];
  }

  /** A hash of a declaration and of the meaning of its names. It changes when either does. */
  hashOf(file, name) {
    return this.#look(file, name).hash;
  }

  #look(file, name) {
    if (!this.#modules.has(file)) this.#modules.set(file, existsSync(file) ? new Module(file) : null);
    return this.#modules.get(file)?.lookUp(name) ?? GONE;
  }
}

const GONE = { hash: '', uses: [] };

/** A parsed file: what its top-level names say, and what they use. */
class Module {
  #file;
  #text;
  /** Name of a declaration -> its texts and the names in it. */
  #declarations = new Map();
  /** Local name -> [file, exported name]. */
  #imports = new Map();
  /** Exported name -> local name, or [file, exported name]. */
  #exports = new Map();
  #starExports = [];
  #looked = new Map();

  constructor(file) {
    this.#file = file;
    this.#text = readFileSync(file, 'utf8');
    for (const statement of ts.createSourceFile(file, this.#text, ts.ScriptTarget.Latest, true).statements) this.#read(statement);
  }

  /** Of `*`: the whole file. */
  lookUp(name) {
    const known = this.#looked.get(name);
    if (known !== undefined) return known;
    const { texts, uses } = this.#find(name);
    const hash = createHash('sha256')
      .update(JSON.stringify([texts, uses]))
      .digest('base64url')
      .slice(0, 16);
    this.#looked.set(name, { hash, uses });
    return { hash, uses };
  }

  #find(name) {
    if (name === WHOLE) {
      return {
        texts: [this.#text],
        uses: [...this.#imports.values(), ...this.#reexported(), ...this.#starExports.map((file) => [file, WHOLE])],
      };
    }
    const declaration = this.#declarations.get(name);
    if (declaration !== undefined) {
      return { texts: declaration.texts, uses: [...declaration.names].flatMap((used) => (used === name ? [] : this.#meaningOf(used))) };
    }
    const exported = this.#exports.get(name);
    if (typeof exported === 'string') return { texts: [], uses: this.#meaningOf(exported) };
    if (exported !== undefined) return { texts: [], uses: [exported] };
    return { texts: [], uses: this.#starExports.map((file) => [file, name]) };
  }

  #meaningOf(name) {
    if (this.#declarations.has(name)) return [[this.#file, name]];
    const imported = this.#imports.get(name);
    return imported === undefined ? [] : [imported];
  }

  #reexported() {
    return [...this.#exports.values()].filter((exported) => typeof exported !== 'string');
  }

  #read(statement) {
    if (ts.isImportDeclaration(statement)) this.#readImport(statement);
    else if (ts.isExportDeclaration(statement)) this.#readExport(statement);
    else if (ts.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations) this.#declare(namesBoundBy(declaration.name), declaration);
    } else if (statement.name !== undefined) this.#declare([statement.name.text], statement);
  }

  #declare(names, node) {
    const used = new Set();
    const collect = (child) => {
      if (ts.isIdentifier(child)) used.add(child.text);
      ts.forEachChild(child, collect);
    };
    collect(node);
    for (const name of names) {
      const known = this.#declarations.get(name) ?? { texts: [], names: new Set() };
      // With the comment above it: typia makes descriptions of schemas from them.
      known.texts.push(node.getFullText());
      for (const each of used) known.names.add(each);
      this.#declarations.set(name, known);
    }
  }

  #readImport({ moduleSpecifier, importClause }) {
    const file = this.#sourceOf(moduleSpecifier);
    if (file === null || importClause === undefined) return;
    if (importClause.name !== undefined) this.#imports.set(importClause.name.text, [file, 'default']);
    const bindings = importClause.namedBindings;
    if (bindings === undefined) return;
    if (ts.isNamespaceImport(bindings)) this.#imports.set(bindings.name.text, [file, WHOLE]);
    else for (const { name, propertyName } of bindings.elements) this.#imports.set(name.text, [file, (propertyName ?? name).text]);
  }

  #readExport({ moduleSpecifier, exportClause }) {
    const file = moduleSpecifier === undefined ? null : this.#sourceOf(moduleSpecifier);
    if (exportClause === undefined) {
      if (file !== null) this.#starExports.push(file);
      return;
    }
    if (ts.isNamespaceExport(exportClause)) {
      if (file !== null) this.#exports.set(exportClause.name.text, [file, WHOLE]);
      return;
    }
    for (const { name, propertyName } of exportClause.elements) {
      const source = (propertyName ?? name).text;
      if (moduleSpecifier === undefined) this.#exports.set(name.text, source);
      else if (file !== null) this.#exports.set(name.text, [file, source]);
    }
  }

  /** The source behind a relative specifier; null for a package, whose version is pinned by the lockfile. */
  #sourceOf({ text }) {
    return text.startsWith('.') ? join(dirname(this.#file), text).replace(/\.js$/, '.ts') : null;
  }
}

function namesBoundBy(name) {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : namesBoundBy(element.name)));
}
