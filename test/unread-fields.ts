import ts from 'typescript';

/** A type to check: its file, relative to the folder of the program, and its name. */
export type StoredType = readonly [file: string, name: string];

/** Deeper than any stored body. */
const MOST_DEPTH = 8;

/**
 * The fields of stored types that no file reads, but for those that `isLeftOut`: `Type.field.field`, `[]` for the items of lists and maps.
 * A field is read where its value is taken: by its name, by a key whose type is a union of names, or by destructuring. Copies of whole
 * objects read nothing.
 */
export function unreadFields(
  program: ts.Program,
  types: readonly StoredType[],
  isLeftOut: (file: ts.SourceFile) => boolean,
): readonly string[] {
  const checker = program.getTypeChecker();
  const fields = types.flatMap(([file, name]) => fieldsOf(program, checker, file, name));
  const names = new Set(fields.map(({ declaration }) => nameOf(declaration)));
  const read = new Set<ts.Declaration>();
  const note = (type: ts.Type, name: string): void => {
    for (const each of type.isUnion() ? type.types : [type]) {
      for (const declaration of checker.getPropertyOfType(checker.getApparentType(each), name)?.declarations ?? []) read.add(declaration);
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) {
      if (names.has(node.name.text) && !isWritten(node)) note(checker.getTypeAtLocation(node.expression), node.name.text);
    } else if (ts.isElementAccessExpression(node)) {
      if (!isWritten(node))
        for (const name of literalsOf(checker, node.argumentExpression)) note(checker.getTypeAtLocation(node.expression), name);
    } else if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent) && !node.dotDotDotToken) {
      const key = node.propertyName ?? node.name;
      if ((ts.isIdentifier(key) || ts.isStringLiteral(key)) && names.has(key.text)) note(checker.getTypeAtLocation(node.parent), key.text);
    }
    ts.forEachChild(node, visit);
  };
  for (const file of program.getSourceFiles()) if (!isForeign(file) && !isLeftOut(file)) visit(file);
  return [...new Set(fields.filter(({ declaration }) => !read.has(declaration)).map(({ path }) => path))].sort();
}

interface Field {
  readonly path: string;
  readonly declaration: ts.PropertySignature;
}

function fieldsOf(program: ts.Program, checker: ts.TypeChecker, file: string, name: string): readonly Field[] {
  const source = program.getSourceFiles().find(({ fileName }) => fileName.endsWith(`/${file}`));
  const declared = source?.statements.find(
    (statement): statement is ts.InterfaceDeclaration | ts.TypeAliasDeclaration =>
      (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) && statement.name.text === name,
  );
  if (declared === undefined) throw new Error(`${file} has no type ${name}`);
  const found: Field[] = [];
  const seen = new Set<ts.Type>();
  const walk = (type: ts.Type, path: string, depth: number): void => {
    if (seen.has(type) || depth > MOST_DEPTH) return;
    seen.add(type);
    if (type.isUnionOrIntersection()) return type.types.forEach((each) => walk(each, path, depth));
    if ((type.flags & ts.TypeFlags.Object) === 0) return;
    const items =
      checker.isArrayType(type) || checker.isTupleType(type) || isCollection(type)
        ? checker.getTypeArguments(type as ts.TypeReference)
        : [];
    for (const item of items) walk(item, `${path}[]`, depth + 1);
    if (items.length > 0) return;
    for (const property of checker.getPropertiesOfType(type)) {
      const declaration = property.declarations?.find(ts.isPropertySignature);
      if (declaration === undefined || !isNamed(declaration) || isForeign(declaration.getSourceFile())) continue;
      found.push({ path: `${path}.${property.name}`, declaration });
      walk(checker.getTypeOfSymbol(property), `${path}.${property.name}`, depth + 1);
    }
  };
  walk(checker.getTypeAtLocation(declared), name, 0);
  return found;
}

/** Whether a file belongs to TypeScript itself or to a package. */
const isForeign = ({ fileName, isDeclarationFile }: ts.SourceFile): boolean => isDeclarationFile || fileName.includes('/node_modules/');

const isCollection = ({ symbol }: ts.Type): boolean => /^(Readonly)?(Map|Set)$/.test(symbol?.name ?? '');

const isNamed = ({ name }: ts.PropertySignature): boolean => ts.isIdentifier(name) || ts.isStringLiteral(name);

const nameOf = ({ name }: ts.PropertySignature): string => (ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : '');

function literalsOf(checker: ts.TypeChecker, key: ts.Expression): readonly string[] {
  const type = checker.getTypeAtLocation(key);
  return (type.isUnion() ? type.types : [type]).filter((each) => each.isStringLiteral()).map(({ value }) => value);
}

const isWritten = (node: ts.Expression): boolean =>
  ts.isBinaryExpression(node.parent) && node.parent.left === node && node.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
