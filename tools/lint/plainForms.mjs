/*
 * The rule about forms: the rules about doors find what is dangerous by its name and by where it is imported. So nothing
 * is loaded, renamed or claimed in a form in which that would stand nowhere, whatever it is about.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { nameOf, names, rule } from './doorRule.mjs';

/** An interface or another type, and what it is made of: the rest of its line, and those that are indented. */
const declaration = /^(?:export )?(?:interface|type) (\w+)(.*(?:\n(?:[ \t].*)?)*)/gm;

/** Returns the names of the types of members and of what is extended; what functions take is no part of an object. */
const typesIn = (text) =>
  Array.from(
    text.matchAll(/(?:^ +(?:readonly )?\w+\??: |extends |[&|] )([^;({=]*)/gm),
    ([, types]) => types.match(/\b[A-Z]\w*/g),
  ).flatMap((found) => found ?? []);

/** What loads a module, or makes code, past imports. */
const loaders =
  /^(?:getBuiltinModule|createRequire|mainModule|dlopen|execve|_linkedBinding|eval|Function)$/;

/** Objects with members that are dangerous, so that each that is used is written out. */
const named =
  /^(?:vscode|window|workspace|commands|tasks|debug|clipboard|fs|fsPromises|promises|document|process|globalThis|Reflect)$/;

/** True for such an object, and for a part of the editor or of a file system, whatever holds it. */
const hasDangers = (node) => {
  const of = node?.type === 'ChainExpression' ? node.expression : node;
  const name = nameOf(of ?? {}) ?? '';
  if (of?.type === 'MemberExpression')
    return nameOf(of.object) === 'vscode' || /^(?:fs|clipboard)$/.test(name);
  return named.test(name);
};

/** What hands over a member by a name that is a text, or sets one. */
const byText = /^(?:get|set|construct|defineProperty|getOwnPropertyDescriptor)$/;

/** What shows documents of others. */
const framed = /frame|webview|panel|element|^own$|document|window/i;

/** What only a door makes, or names that a rule counts the uses of. */
const made =
  /^(?:UserAction|QuietMoment|KeyboardPermit|Permit|AdmittedServers?|AdmittedLaunch|SignInPlace|TokenResource|AuthorizationFetch|AppHtml|AppDocument|PickRow|SpanContent|CallInView|WebAddress)$/;
const counted =
  /^(?:Proof|byUser|readApp|executeCommand|posixQuoted|copyText|copyDocument|confinedCommand)$/;

/** True for a type that is one of {@link made}, or one of several that are. */
function isMade(type) {
  switch (type?.type) {
    case 'TSTypeReference': {
      const { typeName, typeArguments } = type;
      const name = typeName.name ?? typeName.right?.name ?? '';
      const isOpened = /^(?:Readonly|NonNullable|Exclude|Extract|Partial|Required|Omit|Pick)$/;
      return made.test(name) || (isOpened.test(name) && typeArguments.params.some(isMade));
    }
    case 'TSUnionType':
    case 'TSIntersectionType':
      return type.types.some(isMade);
    case 'TSIndexedAccessType':
      return isMade(type.objectType);
    default:
      return false;
  }
}

/**
 * Types with one of {@link made} in them, however deep: whoever claims that something is of one claims that of the part,
 * too. They are found in the code by their names, so that none is forgotten here.
 */
const holders = findHolders();

function findHolders() {
  const declared = new Map();
  const root = join(import.meta.dirname, '..', '..');
  for (const folder of ['src', 'cli'])
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('.ts')) {
        const text = readFileSync(join(root, folder, name), 'utf8');
        for (const [, type, members] of text.matchAll(declaration)) {
          const known = declared.get(type) ?? [];
          declared.set(type, [...known, ...typesIn(members)]);
        }
      }
  const found = new Set();
  const isHolder = ([type, parts]) =>
    !found.has(type) && !made.test(type) && parts.some((one) => made.test(one) || found.has(one));
  for (let more = true; more;) {
    const next = [...declared].filter(isHolder);
    for (const [type] of next) found.add(type);
    more = next.length > 0;
  }
  return found;
}

const isPackage = (source) => source && !source.value.startsWith('.');

export const plainForms = rule(
  {
    'src/browser/loadChunk.ts': 'a chunk of our own, which a page cannot load otherwise',
    'src/mcp/node/files/compiledFiles.ts': 'files of our own, which are compiled already',
    'src/mcp/sdk.ts': 'the functions of the library that it names, as a chunk',
    'src/mcp/serving/agentServer.ts': 'hands over what it made to a library with wider types',
    'src/apps/view/page.ts': 'hands over what it read to a library with wider types',
    'src/ui/keyboard.ts': 'names what its functions take',
    'src/ui/questions/question.ts': 'makes them, and names what the door takes',
  },
  'What is dangerous is imported, called and claimed in the form that the rules about doors look for.',
  (report) => ({
    // Whoever imports it from here names neither the module nor, if it is renamed, what it is.
    ExportAllDeclaration({ source }) {
      if (isPackage(source)) report(source);
    },
    ExportNamedDeclaration({ source }) {
      if (isPackage(source)) report(source);
    },
    ExportSpecifier(node) {
      const { local, exported } = node;
      if (local.name !== exported.name) report(node);
    },
    TSImportEqualsDeclaration: report,
    TSExportAssignment: report,
    ImportExpression({ source }) {
      if (source.type !== 'Literal') report(source);
    },
    ImportSpecifier(node) {
      const { imported, local } = node;
      const isRenamed = imported.name !== local.name;
      const isNamed = made.test(imported.name) || counted.test(imported.name);
      if (loaders.test(imported.name) || (isRenamed && isNamed)) report(node);
    },
    Identifier(node) {
      const { name, parent } = node;
      const isMember = parent.type === 'MemberExpression' && parent.property === node;
      if ((name === 'eval' || name === 'Function') && !isMember && !parent.type.startsWith('TS'))
        report(node);
      // `require` alone is a name of our own in places; as a value it loads whatever is named later.
      const isValue = /^(?:VariableDeclarator|Property|ArrayExpression|AssignmentExpression)$/;
      if (name === 'require' && isValue.test(parent.type)) report(node);
    },
    MemberExpression(node) {
      const { object, property, computed } = node;
      if (loaders.test(nameOf(node) ?? '')) report(node);
      if (nameOf(object) === 'Reflect' && byText.test(nameOf(node) ?? '')) report(node);
      if (computed && property.type !== 'Literal' && hasDangers(object)) report(node);
    },
    CallExpression({ callee, arguments: [first] }) {
      const name = nameOf(callee);
      if (name === 'require' && callee.type === 'Identifier' && first?.type !== 'Literal')
        report(callee);
      // What is set by `assign` is set nowhere; an object that is written out has only what stands in it.
      const isAssign = name === 'assign' && nameOf(callee.object ?? {}) === 'Object';
      if (isAssign && framed.test(nameOf(first ?? {}) ?? '')) report(first);
    },
    Property(node) {
      const { key, value, parent, computed } = node;
      if (parent.type !== 'ObjectPattern') return;
      if (loaders.test(key.name ?? key.value ?? '')) report(node);
      const target = value.type === 'AssignmentPattern' ? value.left : value;
      if (counted.test(key.name ?? key.value ?? '') && target.name !== key.name) report(node);
      if (computed && key.type !== 'Literal' && hasDangers(parent.parent?.init)) report(node);
    },
    // Only `as` is looked at where something claims to be of a type, and `never` is of all of them.
    TSTypeAssertion: report,
    TSAsExpression(node) {
      if (node.typeAnnotation.type === 'TSNeverKeyword') report(node);
    },
    TSTypeAliasDeclaration({ typeAnnotation }) {
      if (isMade(typeAnnotation)) report(typeAnnotation);
    },
    TSInterfaceHeritage(node) {
      if (made.test(node.expression.name ?? '')) report(node);
    },
  }),
);

/** What returns whatever type its caller says, as the editor's own functions do. */
const obliging = /^(?:get|inspect|executeCommand)$/;

/** True for a call of such a function, waited for or not. */
const isObliging = (node) => {
  const call = node?.type === 'AwaitExpression' ? node.argument : node;
  return call?.type === 'CallExpression' && obliging.test(nameOf(call.callee) ?? '');
};

/** Types that say of a value that a door has let it through; those of the keyboard have rules of their own. */
const proving =
  /^(?:AdmittedServers?|AdmittedLaunch|SignInPlace|TokenResource|AuthorizationFetch|AppHtml|AppDocument|PickRow|SpanContent|CallInView|WebAddress)$/;

/** True for the parameter of a generic function, which has one letter, and for one of several types or a list of it. */
function isParameter(type) {
  switch (type?.type) {
    case 'TSTypeReference': {
      const { typeName, typeArguments } = type;
      const name = typeName.name ?? '';
      const isOpened = /^(?:Readonly|NonNullable|Exclude|Extract|Partial|Required|ReadonlyArray)$/;
      return (
        /^[A-Z]$/.test(name) || (isOpened.test(name) && typeArguments?.params.some(isParameter))
      );
    }
    case 'TSUnionType':
    case 'TSIntersectionType':
      return type.types.some(isParameter);
    case 'TSArrayType':
      return isParameter(type.elementType);
    case 'TSTypeOperator':
      return isParameter(type.typeAnnotation);
    case 'TSTupleType':
      return type.elementTypes.some(isParameter);
    default:
      return false;
  }
}

/** True for a type that is named as one of {@link holders}. */
const isHeld = (type) => names(type, { test: (name) => holders.has(name) });

export const proofs = rule(
  {
    'src/config/launch/workspaceParts.ts': 'has looked at the launch',
    'src/config/switches/traces.ts': 'has masked and shortened it',
    'src/mcp/auth/client/discovery.ts': 'has found the resource of the place',
    'src/mcp/auth/authorizationFetch.ts': 'looks at each address',
    'src/mcp/http/webAddress.ts': 'has read the address',
    'src/mcp/auth/tokens/credentials.ts': 'reads the grants that it has kept',
    'src/apps/view/appDocument.ts': 'has put its policy in front',
    'src/apps/view/shell.ts': 'gets it from the other side of its own page',
    'src/ui/rows/picks.ts': 'has escaped its texts',
    'src/contracts/questionOutcome.ts': 'says what proves an action',
    'src/ui/questions/question.ts': 'says what proves a quiet moment',
    'src/ui/settings/readSetting.ts': 'returns what it has kept, as it was',
    'src/mcp/protocol/entries.ts': 'reads entries of the protocol, by their fields',
    'src/mcp/session/openSession.ts': 'has nothing checked that a library would',
    'src/contracts/toolCalls.ts': 'says what proves that the user had all of a call in view',
    'src/tools/run/toolPage.ts': 'shows all of a call, which the user runs from there',
  },
  'That a door has let something through is claimed by the door alone: call it, and take what it returns.',
  (report) => ({
    TSAsExpression({ typeAnnotation }) {
      // Whatever is given may be a proof, and what is claimed to be the same is none: it is `Copied`.
      if (isParameter(typeAnnotation) || names(typeAnnotation, proving) || isHeld(typeAnnotation))
        report(typeAnnotation);
    },
    // Only what declares a proof says what it is made of.
    TSTypeReference(node) {
      if (node.typeName.name === 'Proof') report(node);
    },
    TSInterfaceHeritage(node) {
      if (node.expression.name === 'Proof') report(node);
    },
    CallExpression(node) {
      if (isObliging(node) && names(node.typeArguments, made)) report(node);
    },
    VariableDeclarator({ id, init }) {
      if (isObliging(init) && names(id.typeAnnotation, made)) report(init);
    },
    TSTypePredicate({ typeAnnotation }) {
      if (names(typeAnnotation, proving)) report(typeAnnotation);
    },
  }),
);
