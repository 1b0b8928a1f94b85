import ts from 'typescript';

/** A type to check: its file, relative to the folder of the program, and its name. */
export type StoredType = readonly [file: string, name: string];

/** Constants of these types declare a resource; the third argument is what its records store. */
const DECLARATIONS: ReadonlySet<string> = new Set(['Declaration', 'VersionedDeclaration']);

/** Members of a declaration that take, check or show a record, and do nothing with it. */
const TAKING_OR_SHOWING: ReadonlySet<string> = new Set(['create', 'change', 'view', 'unique', 'order']);

/** Deeper than any stored body. */
const MOST_DEPTH = 8;

/**
 * The fields of stored types that no file reads, but for those that `isLeftOut`: `Type.field.field`, `[]` for the items of lists and maps.
 * A field is read where its value is taken: by its name, by a key whose type is a union of names, or by destructuring. Copies of whole
 * objects read nothing, and neither do the parts of a declared resource that take or show its records. What declared resources store is
 * found in the program, so `types` has the others.
 */
export function unreadFields(
  program: ts.Program,
  types: readonly StoredType[],
  isLeftOut: (file: ts.SourceFile) => boolean,
): readonly string[] {
  const checker = program.getTypeChecker();
  const declarations = declarationsIn(program);
  const fields = [
    ...types.flatMap(([file, name]) => fieldsOf(checker, typeNamed(program, checker, file, name), name)),
    ...declarations.flatMap(({ stored }) => fieldsOf(checker, checker.getTypeAtLocation(stored), stored.getText())),
  ];
  const names = new Set(fields.map(({ declaration }) => nameOf(declaration)));
  const read = new Set<ts.Declaration>();
  const note = (type: ts.Type, name: string): void => {
    for (const each of type.isUnion() ? type.types : [type]) {
      for (const declaration of checker.getPropertyOfType(checker.getApparentType(each), name)?.declarations ?? []) read.add(declaration);
    }
  };
  const passedOver = new Set(declarations.flatMap(({ literal }) => takingOrShowing(checker, literal)));
  const visit = (node: ts.Node): void => {
    if (passedOver.has(node)) return;
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
  const declaring = new Set(declarations.map(({ literal }) => literal.getSourceFile()));
  for (const file of program.getSourceFiles()) if (!isForeign(file) && (declaring.has(file) || !isLeftOut(file))) visit(file);
  return [...new Set(fields.filter(({ declaration }) => !read.has(declaration)).map(({ path }) => path))].sort();
}

interface Field {
  readonly path: string;
  readonly declaration: ts.PropertySignature;
}

/** A declared resource: `const X: Declaration<Create, Update, Stored> = { … }`. */
interface Declared {
  readonly stored: ts.TypeNode;
  readonly literal: ts.ObjectLiteralExpression;
}

function declarationsIn(program: ts.Program): readonly Declared[] {
  program.getTypeChecker(); // sets the parents of all nodes
  const found: Declared[] = [];
  for (const source of program.getSourceFiles().filter((file) => !isForeign(file))) {
    for (const statement of source.statements.filter((each) => ts.isVariableStatement(each))) {
      for (const { type, initializer } of statement.declarationList.declarations) {
        if (!type || !ts.isTypeReferenceNode(type) || !DECLARATIONS.has(type.typeName.getText())) continue;
        const stored = type.typeArguments?.[2];
        if (stored && initializer && ts.isObjectLiteralExpression(initializer)) found.push({ stored, literal: initializer });
      }
    }
  }
  return found;
}

/** Members of a declaration that take or show records, with the functions of its file that they alone use. */
function takingOrShowing(checker: ts.TypeChecker, literal: ts.ObjectLiteralExpression): readonly ts.Node[] {
  const source = literal.getSourceFile();
  const found = new Set<ts.Node>(literal.properties.filter(({ name }) => name && TAKING_OR_SHOWING.has(name.getText())));
  const isInside = (node: ts.Node): boolean => found.has(node) || (node.parent !== undefined && isInside(node.parent));
  const helpers = source.statements.flatMap((statement) => helperNamesOf(statement).map((name) => ({ statement, name })));
  const uses = usesIn(source, checker, new Set(helpers.map(({ name }) => name.text)));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { statement, name } of helpers) {
      const others = (uses.get(checker.getSymbolAtLocation(name)) ?? []).filter((use) => !isBelow(use, statement));
      if (others.length > 0 && others.every(isInside)) found.add(statement);
    }
  }
  return [...found];
}

/** The name of a function that its file keeps for itself. */
function helperNamesOf(statement: ts.Statement): readonly ts.Identifier[] {
  if (ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  if (ts.isFunctionDeclaration(statement)) return statement.name ? [statement.name] : [];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
    ts.isIdentifier(name) && initializer && ts.isArrowFunction(initializer) ? [name] : [],
  );
}

function usesIn(source: ts.SourceFile, checker: ts.TypeChecker, names: ReadonlySet<string>): ReadonlyMap<ts.Symbol | undefined, ts.Node[]> {
  const uses = new Map<ts.Symbol | undefined, ts.Node[]>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && names.has(node.text)) {
      const symbol = ts.isShorthandPropertyAssignment(node.parent)
        ? checker.getShorthandAssignmentValueSymbol(node.parent)
        : checker.getSymbolAtLocation(node);
      uses.set(symbol, [...(uses.get(symbol) ?? []), node]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return uses;
}

const isBelow = (node: ts.Node, above: ts.Node): boolean => node === above || (node.parent !== undefined && isBelow(node.parent, above));

function typeNamed(program: ts.Program, checker: ts.TypeChecker, file: string, name: string): ts.Type {
  const source = program.getSourceFiles().find(({ fileName }) => fileName.endsWith(`/${file}`));
  const declared = source?.statements.find(
    (statement): statement is ts.InterfaceDeclaration | ts.TypeAliasDeclaration =>
      (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) && statement.name.text === name,
  );
  if (declared === undefined) throw new Error(`${file} has no type ${name}`);
  return checker.getTypeAtLocation(declared);
}

function fieldsOf(checker: ts.TypeChecker, stored: ts.Type, name: string): readonly Field[] {
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
  walk(stored, name, 0);
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
