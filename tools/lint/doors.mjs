/*
 * oxlint rules: what is dangerous has one door. Each rule knows the ways past its door, and names the few files that may
 * take them, each with its reason.
 */
import { isSpread, nameOf, names, rule } from './doorRule.mjs';
import {
  appFrames,
  clipboard,
  copiedTexts,
  modelTexts,
  processStarts,
  programNames,
  terminalTexts,
  tokenResources,
} from './outwardDoors.mjs';
import { plainForms, proofs } from './plainForms.mjs';

const textOf = (node) =>
  node?.type === 'TemplateLiteral'
    ? node.quasis.map(({ value }) => value.raw).join('')
    : node?.value;

/** True for what is made known by another name or handed on, rather than called, compared with or named as a type. */
const isHandedOn = (node) => {
  const { parent } = node;
  // What has this name itself is something else.
  if (parent.type === 'VariableDeclarator') return parent.init === node;
  if (parent.type === 'Property')
    return parent.value === node || parent.shorthand || parent.parent.type === 'ObjectPattern';
  return /^(?:AssignmentExpression|CallExpression|NewExpression|ArrayExpression|ReturnStatement|ArrowFunctionExpression|ClassDeclaration|ClassExpression)$/.test(
    parent.type,
  );
};

const removers = new Set(['delete', 'rm', 'rmSync', 'rmdir', 'rmdirSync', 'deleteFile']);
const deletesFolders = /^(?:rimraf|del|fs-extra|trash)$/;
const fileSystems = /^fs$|^fsPromises$|^promises$/;

const recursiveDeletion = rule(
  {
    'src/mcp/node/nodeFiles.ts': 'the disk of OwnFolders',
    'src/browser/browserPlatform.ts': 'the disk of OwnFolders in a page',
  },
  'Only a folder that we made is removed with what is in it: OwnFolders.',
  (report) => ({
    CallExpression(node) {
      const [, options] = node.arguments;
      if (!removers.has(nameOf(node.callee)) || !(options || isSpread(node))) return;
      // Options that are not written out here could say anything.
      const isPlain =
        options?.type === 'ObjectExpression' &&
        options.properties.every(
          ({ key, value }) =>
            key !== undefined &&
            (key.name ?? key.value) !== 'recursive' &&
            value.type === 'Literal',
        );
      if (!isPlain) report(node);
    },
    // Handed on, called by `call` or bound, its options would not be seen.
    MemberExpression(node) {
      const name = nameOf(node);
      const isCalled = node.parent.type === 'CallExpression' && node.parent.callee === node;
      const isOfFiles = name !== 'delete' || fileSystems.test(nameOf(node.object) ?? '');
      if (removers.has(name) && isOfFiles && !isCalled) report(node);
    },
    // What is put in the place of a folder removes all that was in it.
    Property({ key, value }) {
      if ((key?.name ?? key?.value) === 'overwrite' && value.value !== false) report(value);
    },
    ImportDeclaration(node) {
      if (deletesFolders.test(node.source.value)) report(node);
    },
    ImportExpression({ source }) {
      if (deletesFolders.test(String(source.value))) report(source);
    },
    // By another name, its calls would not be found.
    ImportSpecifier(node) {
      if (removers.has(node.imported.name) && node.local.name !== node.imported.name) report(node);
    },
  }),
);

const namesServers = (node) => {
  if (node?.type === 'ConditionalExpression')
    return namesServers(node.consequent) || namesServers(node.alternate);
  return node?.type === 'Literal' || node?.type === 'TemplateLiteral'
    ? // What is filled in could be anything.
      /^(?:mcpWorkbench\.)?(?:servers|inputs|)$/.test(textOf(node))
    : node?.object?.name === 'Setting' && /^(?:servers|inputs)$/.test(nameOf(node));
};

/** The keys that hold servers or their inputs in the files of this and other applications. */
const listKey = /^(?:mcpWorkbench\.)?(?:mcp_?servers|servers|context_servers|extensions|inputs)$/i;

/** True for the path of something in a list of servers, which is written out. */
const isInList = (node) =>
  node?.type === 'ArrayExpression' &&
  node.elements.some((one) => one?.type === 'Literal' && listKey.test(String(one.value)));

/** True for an object with a list of servers, at any depth, which is written out. */
const hasList = (node) =>
  node?.type === 'ObjectExpression'
    ? node.properties.some(
        ({ key, value }) => listKey.test(String(key?.name ?? key?.value)) || hasList(value),
      )
    : node?.type === 'CallExpression' &&
      nameOf(node.callee) === 'assign' &&
      node.arguments.some(hasList);

const unadmittedServers = rule(
  {
    'src/config/add/writeServers.ts': 'takes AdmittedServers',
    'src/config/add/mcpJsonText.ts': 'takes AdmittedServers',
    'src/config/applications/editors/editors.ts': 'takes AdmittedServers',
    'src/config/applications/agents/agents.ts': 'takes AdmittedServers',
    'src/config/applications/agents/codex.ts': 'takes AdmittedServers',
    'src/config/applications/agents/codexTables.ts': 'reads, and hands over as JSON',
    'src/config/places/writeEntry.ts': 'changes entries that are there',
    'src/agents/connectAgent.ts': 'the entry of an agent, which is ours',
    'src/config/share/shareable.ts': 'a text to copy, which is in no configuration yet',
  },
  'Servers and inputs are written into the settings only once they are admitted: AdmittedServers, writeServers.',
  (report, named = new Set(), uses = []) => ({
    CallExpression(node) {
      const { callee, arguments: given } = node;
      const name = nameOf(callee);
      const isUpdate = /^update(?:Setting)?$/.test(name);
      if (isUpdate && (namesServers(given[0]) || isSpread(node))) report(node);
      // A text that is a configuration, or becomes one; to remove an entry gives nobody anything.
      const isRemoved = nameOf(given.at(-1) ?? {}) === 'undefined';
      const isSet = /^(?:setInJson|setProperty|modify|setIn)$/.test(name);
      if (isSet && !isRemoved && given.some(isInList)) report(node);
      const isText = /^(?:stringify|jsonText)$/.test(name);
      if (isText && hasList(given[0])) report(node);
      if (isText || (isSet && !isRemoved) || /^update(?:Setting)?$/.test(name))
        for (const one of given) if (one.type === 'Identifier') uses.push(one);
    },
    TemplateLiteral(node) {
      const isFilled = node.expressions.length > 0;
      if (isFilled && /"(?:mcp_?servers|servers|context_servers|inputs)"\s*:/i.test(textOf(node)))
        report(node);
    },
    AssignmentExpression({ left }) {
      if (left.type === 'MemberExpression' && listKey.test(nameOf(left) ?? ''))
        named.add(left.object.name);
    },
    // Only now is it known which names stand for a list of servers, or for where one is.
    'Program:exit'() {
      for (const one of uses) if (named.has(one.name)) report(one);
    },
    VariableDeclarator({ id, init }) {
      const isKey = /^(?:mcpWorkbench\.)?(?:servers|inputs)$/.test(textOf(init) ?? '');
      if (isKey || isInList(init) || hasList(init)) named.add(id.name);
      const isTakenOut =
        init?.name === 'Setting' &&
        id.type === 'ObjectPattern' &&
        id.properties.some(({ key }) => /^(?:servers|inputs)$/.test(key?.name));
      if (isTakenOut || (init?.type === 'MemberExpression' && namesServers(init))) report(init);
    },
  }),
);

const writers = new Set([
  'writeFile',
  'writeFileSync',
  'appendFile',
  'appendFileSync',
  'createWriteStream',
  'createDirectory',
  'copyFile',
  'copyFileSync',
  'applyEdit',
  // An edit that is returned is made by the editor.
  'createFile',
  'renameFile',
  'deleteFile',
]);

/** Commands of the editor that write files. */
const savingCommand =
  /^workbench\.action\.files\.(?:save|revert)|^saveAll$|^(?:file|explorer|filesExplorer)\.(?:copy|paste|cut|rename|moveFileToTrash|deleteFile|newFile|newFolder)/;

/** Names that other things have, too, so that only those of a file system are meant. */
const onlyOfFiles = new Set(['rename', 'copy', 'delete', 'cp', 'rm', 'unlink', 'symlink', 'link']);
const fromNode = new Set([...writers, ...onlyOfFiles, 'mkdir', 'mkdtemp', 'open', 'truncate']);
const ofFiles = /^(?:node:)?fs(?:\/promises)?$/;

const workspaceWrites = rule(
  {
    'src/ui/files/workspaceWriter.ts': 'the door of the editor',
    'src/mcp/node/files/workspaceFiles.ts': 'the door of a machine',
    'cli/givenFiles.ts': 'the door of the command, and files elsewhere that its caller names',
    'src/mcp/node/nodeFiles.ts': 'storage of our own',
    'src/mcp/node/files/privateFiles.ts': 'storage of our own',
    'src/mcp/node/files/fileLock.ts': 'storage of our own',
    'src/mcp/node/processes/orphans.ts': 'storage of our own',
    'src/mcp/node/files/fileAccess.ts': 'opens to read alone',
    'src/mcp/node/files/administratorFiles.ts':
      'a log where an administrator wants it, never through a link',
    'src/browser/browserPlatform.ts': 'storage of our own, in a page',
    'src/config/trust/trustStore.ts': 'removes what it wrote into storage of our own',
    'src/development/surface/baselines.ts': 'a file of its own in our storage',
    'src/agents/entries.ts': 'removes what it wrote into storage of our own',
    'src/mcp/node/agents/listen.ts': 'storage of our own',
    'src/mcp/node/agents/windowFiles.ts': 'storage of our own',
    'src/apps/consent/appConsents.ts': 'removes what it wrote into storage of our own',
    'src/prompts/palette/companionExtension.ts': 'removes what it wrote into storage of our own',
    'src/prompts/delivery/deliverPrompt.ts': 'changes an open text, and saves nothing',
    'src/tools/run/runToolOnSelection.ts': 'changes an open text, and saves nothing',
    'src/ui/editorChat.ts': 'changes an open text, and saves nothing',
    'src/ui/documents/askedDocument.ts': 'saves documents that are in memory',
  },
  'Write through WorkspaceWriter or workspaceFiles, which links do not lead elsewhere.',
  (report, configurations = new Set(), updates = []) => ({
    MemberExpression(node) {
      const name = nameOf(node);
      const object = node.object.argument ?? node.object;
      const of = nameOf(object.callee ?? object) ?? '';
      if (writers.has(name) || (onlyOfFiles.has(name) && fileSystems.test(of))) report(node);
      // A document that is saved is written through whatever link is in its place.
      const isBare =
        object.type !== 'ThisExpression' &&
        node.parent.type === 'CallExpression' &&
        node.parent.arguments.length === 0;
      if (/^save(?:All|As)?$/.test(name) && (isBare || /document|editor|workspace/i.test(of)))
        report(node);
      if (name === 'fs' && /workspace/i.test(of) && isHandedOn(node)) report(node);
      // The editor writes the settings of a repository; those of the user are the user's own.
      const target = node.parent.arguments?.[2];
      if (name !== 'update' || (target && nameOf(target) === 'Global')) return;
      if (of === 'getConfiguration' || /configuration|settings/i.test(of)) report(node);
      else updates.push([node, of]);
    },
    Identifier({ name, typeAnnotation }) {
      const type = typeAnnotation?.typeAnnotation?.typeName;
      if (/^WorkspaceConfiguration$/.test(type?.name ?? type?.right?.name ?? ''))
        configurations.add(name);
    },
    CallExpression({ callee, arguments: [command] }) {
      if (nameOf(callee) === 'executeCommand' && savingCommand.test(textOf(command) ?? ''))
        report(command);
      if (/^(?:require|getBuiltinModule)$/.test(nameOf(callee)) && ofFiles.test(textOf(command)))
        report(command);
    },
    // Only now is it known which names stand for settings.
    'Program:exit'() {
      for (const [node, of] of updates) if (configurations.has(of)) report(node);
    },
    Property(node) {
      const { parent, key } = node;
      if (parent.type !== 'ObjectPattern') return;
      const init = parent.parent?.init;
      const isOfFiles = fileSystems.test(nameOf(init ?? parent) ?? '');
      if (key.name === 'update' && nameOf(init?.callee ?? {}) === 'getConfiguration') report(node);
      if (writers.has(key.name) || (isOfFiles && onlyOfFiles.has(key.name))) report(node);
    },
    VariableDeclarator({ id, init }) {
      if (nameOf(init?.callee ?? {}) === 'getConfiguration') configurations.add(id.name);
      // By another name, what it does would not be found.
      if (id.type === 'Identifier' && init && nameOf(init) === 'fs' && !fileSystems.test(id.name))
        report(init);
    },
    ImportExpression({ source }) {
      if (ofFiles.test(String(source.value))) report(source);
    },
    ImportDeclaration({ source, specifiers }) {
      if (ofFiles.test(source.value))
        for (const one of specifiers) if (one.type !== 'ImportSpecifier') report(one);
    },
    ImportSpecifier(node) {
      const from = node.parent.source.value;
      const name = node.imported.name.replace(/Sync$/, '');
      if (ofFiles.test(from) && (fromNode.has(name) || name === 'promises')) report(node);
    },
    ExportAllDeclaration({ source }) {
      if (ofFiles.test(source.value)) report(source);
    },
  }),
);

const userActions = rule(
  {
    'src/ui/questions/question.ts': 'makes it',
    'src/ui/commands.ts': 'a command that runs',
    'src/ui/messages.ts': 'a button of a message that was pressed',
    'src/ui/documents/documentInput.ts': 'a choice above a document, which is a command',
    'src/ui/steps/stepFrame.ts': 'a button of a question that was pressed',
    'src/ui/steps/textStep.ts': 'a row that was taken',
    'src/ui/steps/formReview.ts': 'values that the user has just typed',
    'src/ui/questions/queue.ts': 'a question that the user has just answered or called up',
    'src/ui/questions/questions.ts': 'what a start that the user wanted asks',
    'src/gate/ask/callQuestions.ts': 'what Enter does by a setting of the user',
    'src/tools/run/runToolCommand.ts': 'a tool that was picked, and a form that was filled in',
    'src/resources/tree/dragAndDrop.ts': 'a drop',
    'src/apps/panel/appTab.ts': 'a key that was pressed in a page',
    'src/chat/index.ts': 'messages of the user',
  },
  'Only where the user has just acted may something claim so: hand over the UserAction of the one who called.',
  (report) => ({
    // Called, handed on or given another name.
    Identifier(node) {
      if (node.name === 'byUser' && isHandedOn(node)) report(node);
    },
    Property({ key, value }) {
      const isForged =
        value.type === 'TSAsExpression' && value.typeAnnotation.type === 'TSNeverKeyword';
      if (isForged && /^(?:asked|action)$/.test(key.name)) report(value);
    },
    TSAsExpression({ typeAnnotation }) {
      if (
        names(
          typeAnnotation,
          /^(?:UserAction|QuestionInfo|ToolCall|CallOrigin|asked|action|wanted)$/,
        )
      )
        report(typeAnnotation);
    },
    TSTypePredicate({ typeAnnotation }) {
      if (names(typeAnnotation, /^UserAction$/)) report(typeAnnotation);
    },
  }),
);

const agreedCalls = rule(
  { 'src/testing/sessions.ts': 'calls what the user agreed to, as it was then' },
  'A call about which nobody is asked is made by callThroughGate, which compares it with what the user agreed to.',
  (report) => {
    // Compared with, or named as a type, it makes no call.
    const check = (node) => {
      const isMade = !/^(?:BinaryExpression|SwitchCase|TSLiteralType)$/.test(node.parent.type);
      if (textOf(node) === 'savedCalls' && isMade) report(node);
    };
    return { Literal: check, TemplateLiteral: check };
  },
);

const ownCommands = rule(
  {
    'src/servers/signIn/browserVisits.ts':
      'a link, for which the command takes nobody’s action for the user’s',
    'src/ui/rows/nextSteps.ts': 'the command of a row that was taken',
  },
  'A command of ours takes whoever runs it for the user: runCommand, with the UserAction of the one who called.',
  (report) => ({
    CallExpression({ callee, arguments: [command] }) {
      if (nameOf(callee) !== 'executeCommand') return;
      const isOwn = nameOf(command?.object ?? {}) === 'Command';
      const isOpen = command?.type === 'SpreadElement';
      if (isOwn || isOpen || String(textOf(command)).startsWith('mcpWorkbench.')) report(command);
    },
  }),
);

const compilers = new Set(['match', 'matchAll', 'search']);

/** True for what is written out as a pattern: a literal, or a text without anything filled in. */
const isConstant = (node) =>
  node?.type === 'Literal' || (node?.type === 'TemplateLiteral' && node.expressions.length === 0);

const isRegExp = (node) => nameOf(node) === 'RegExp';

/** What makes a pattern of a glob, an address or a schema that it gets first. */
const globbing = /^(?:createFileSystemWatcher|findFiles|findFiles2|glob|globSync|fromJSONSchema)$/;
const compiling = /^(?:URLPattern|\w*JsonSchemaValidator)$/;

/** True for a glob of ours, by its name, and for one that is written out. */
const isOwnGlob = (node) => isConstant(node) || node?.name === 'callsGlob';

/** True for a filter of documents, or a list with one, that has a glob which may be of somebody else. */
const hasGlob = (node) =>
  node?.type === 'ArrayExpression'
    ? node.elements.some(hasGlob)
    : node?.type === 'ObjectExpression' &&
      node.properties.some(({ key, value }) => key?.name === 'pattern' && !isOwnGlob(value));

const nativePatterns = rule(
  {
    'src/mcp/schema/evaluate.ts': 'runs in the thread with a budget',
    'src/mcp/schema/readProblems.ts': 'runs in the thread with a budget',
    'src/config/add/text/placeholders.ts': 'made of constants',
    'src/config/add/text/commandStart.ts': 'made of constants',
    'src/config/add/snippet.ts': 'made of constants',
    'src/config/applications/agents/codexTables.ts': 'made of constants',
    'src/config/launch/decisiveVariables.ts': 'made of constants',
    'src/base/text/text.ts': 'made of constants',
    'src/base/secretOptions.ts': 'made of constants',
    'src/config/launch/resolveLaunch.ts': 'made of a random id',
    'src/config/launch/namedPaths.ts': 'a list of constants',
    'cli/terminal.ts': 'one of two constants',
    'src/config/places/mcpJsonSource.ts': 'globs that are paths of our own',
    'src/development/developedServer.ts': 'globs that isGlob has bounded',
    'src/calls/writeStep.ts': 'made of constants',
    'src/mcp/protocol/uriTemplate.ts': 'made of constants',
  },
  'What others wrote becomes no pattern on the thread of the window: schemas.check and schemas.find have a budget.',
  (report) => {
    const constants = new Set();
    const uses = [];
    return {
      VariableDeclarator({ id, init }) {
        const made = init?.type === 'NewExpression' ? init.callee : undefined;
        // Both are looked at where they are made.
        if (init?.regex || (made && (isRegExp(made) || nameOf(made) === 'RelativePattern')))
          constants.add(id.name);
      },
      NewExpression(node) {
        if (compiling.test(nameOf(node.callee) ?? '')) report(node);
        if (isRegExp(node.callee) && !isConstant(node.arguments[0])) report(node);
        // The editor makes a regular expression of a glob.
        if (nameOf(node.callee) === 'RelativePattern' && !isConstant(node.arguments[1]))
          report(node);
      },
      Identifier(node) {
        if (node.name === 'RegExp' && isHandedOn(node) && node.parent.callee !== node) report(node);
      },
      CallExpression(node) {
        const [pattern] = node.arguments;
        if (isRegExp(node.callee) && !isConstant(pattern)) report(node);
        const name = nameOf(node.callee) ?? '';
        const isOurs = name === 'findFiles' && node.callee.type === 'Identifier';
        if (globbing.test(name) && !isOurs && !isOwnGlob(pattern)) uses.push([node, pattern ?? {}]);
        if (name === 'matchesGlob') report(node);
        if (nameOf(node.callee.object ?? {}) === 'languages' && hasGlob(pattern)) report(node);
        // A pattern that is there already becomes another one.
        const { object, property } = node.callee;
        const isOwn = object?.type === 'ThisExpression' || property?.type === 'PrivateIdentifier';
        if (nameOf(node.callee) === 'compile' && pattern && !isOwn && !isConstant(pattern))
          report(node);
        const isOfText =
          object && object.type !== 'ThisExpression' && nameOf(object) !== 'languages';
        if (isOfText && compilers.has(nameOf(node.callee)) && pattern && !isConstant(pattern))
          uses.push([node, pattern]);
      },
      // What is of this type makes patterns, wherever it came from.
      TSTypeReference({ typeName }) {
        if (typeName.name === 'RegExpConstructor') report(typeName);
      },
      ImportDeclaration(node) {
        if (/^(?:jsonpath|@hyperjump\/|ajv|minimatch|micromatch|picomatch)/.test(node.source.value))
          report(node);
      },
      ImportExpression(node) {
        if (/^(?:jsonpath|@hyperjump\/|ajv)/.test(String(node.source.value))) report(node);
      },
      // Only now is it known which names stand for constants of this file.
      'Program:exit'() {
        for (const [node, { name }] of uses) if (!constants.has(name)) report(node);
      },
    };
  },
);

/** Commands of the editor that bring nothing to the front. */
const harmless = /^(?:setContext|mcpWorkbench\.\w+)$/;

/** True for a command that is known here to be ours, or to bring nothing to the front. */
const isHarmless = (node) =>
  nameOf(node?.object ?? {}) === 'Command' || harmless.test(textOf(node) ?? '');

/** Calls of the editor that show something with the keyboard. */
const moving =
  /^(?:showTextDocument|showNotebookDocument|createWebviewPanel|createInputBox|showInputBox|createQuickPick|showQuickPick|showOpenDialog|showSaveDialog|showWorkspaceFolderPick|getSession|requestWorkspaceTrust|startDebugging)$/;

const keyboard = rule(
  {
    'src/ui/keyboard.ts':
      'the door, each of whose functions takes the permit but the one that closes tabs',
    'src/ui/rows/picks.ts': 'lists, by the action of a user or on the context of the queue',
    'src/ui/steps/askLine.ts': 'a box on the context of the queue',
    'src/ui/questions/questions.ts': 'finds the QuietMoment, and answers what has the keyboard',
    'src/ui/commands.ts': 'commands of ours, by an action of the user',
    'src/ui/editorCommands.ts': 'commands that show nothing; those that do go through the door',
    'src/servers/signIn/createSignIn.ts': 'an account of the editor, in the turn of a question',
    'src/ui/rows/nextSteps.ts': 'the command of a row that was taken',
    'src/ui/rows/rowClicks.ts': 'the command of a row that was clicked',
    'src/development/editorDebugger.ts': 'a debugger that the user wants for a server',
  },
  'The keyboard moves only by a permit: ui/keyboard, and confirm in place of a modal message.',
  (report) => ({
    CallExpression(node) {
      const { callee, arguments: given } = node;
      const name = nameOf(callee);
      const object = nameOf(callee.object ?? {}) ?? '';
      if (name === 'executeCommand') {
        if (!isHarmless(given[0])) report(node);
      } else if (name === 'reveal') {
        // Nothing but a page is revealed without saying what of it.
        const isPage = given.length === 0 || /panel|page|webview/i.test(object);
        if (isPage && given[1]?.value !== true) report(node);
      } else if (name === 'show') {
        const isOutput = /channel|terminal|output$|webview|page/i.test(
          nameOf(callee.object?.callee ?? {}) ?? object,
        );
        if (isOutput && given[0]?.value !== true) report(node);
      } else if (name === 'close' && /groups?$/i.test(object) && given[1]?.value !== true)
        report(node);
    },
    // Called, handed on or taken by another name.
    MemberExpression(node) {
      const name = nameOf(node) ?? '';
      const isCalled = node.parent.type === 'CallExpression' && node.parent.callee === node;
      if (moving.test(name) || (name === 'executeCommand' && !isCalled)) report(node);
    },
    Identifier(node) {
      const isOther = node.parent.callee !== node && node.parent.parent?.type !== 'ObjectPattern';
      if (node.name === 'executeCommand' && isOther && isHandedOn(node)) report(node);
    },
    Property(node) {
      const { key, value, parent } = node;
      if (parent.type === 'ObjectPattern' && moving.test(key.name ?? '')) report(node);
      // Whatever is shown with it, and wherever these options are written.
      const isMade = parent.type === 'ObjectExpression';
      const moves = /^(?:modal|focus)$/.test(key.name ?? key.value);
      if (isMade && moves && value.value !== false) report(node);
    },
    TSAsExpression({ typeAnnotation }) {
      if (names(typeAnnotation, /^(?:KeyboardPermit|QuietMoment|Permit|permit)$/))
        report(typeAnnotation);
    },
    TSTypePredicate({ typeAnnotation }) {
      if (names(typeAnnotation, /^(?:KeyboardPermit|QuietMoment|Permit)$/)) report(typeAnnotation);
    },
  }),
);

const appSources = rule(
  {
    'src/apps/page/app.ts': 'reads the app that is asked about, and that then runs',
    'src/apps/panel/appHandlers.ts': 'reads what an app asks for',
  },
  'An app is read once, and asked about: what is shown of it is what runs or would, AppTab.source or App.html.',
  (report, reads = []) => ({
    CallExpression(node) {
      const name = nameOf(node.callee);
      if (name === 'readResource' && /server$/i.test(nameOf(node.callee.object ?? {}) ?? ''))
        report(node);
      if (name === 'readApp' && reads.push(node) > 1) report(node);
    },
    // Handed on, it would not be counted.
    Identifier(node) {
      if (node.name === 'readApp' && node.parent.callee !== node && isHandedOn(node)) report(node);
    },
  }),
);

/** What makes a text or an error of what it is given, and the properties of rows that are shown. */
const sayers = /^(?:t|plainLabel|plainMessage|wordsLabel|tooltipText|promptLine|\w*Error)$/;
const shownParts = /^(?:label|description|detail|tooltip|title|prompt|placeholder)$/;

const shownPaths = rule({}, 'A path is shown as people write it: shownPath.', (report) => ({
  MemberExpression(node) {
    if (nameOf(node) !== 'fsPath') return;
    const { parent } = node;
    const isGiven =
      /^(?:CallExpression|NewExpression)$/.test(parent.type) && parent.callee !== node;
    if (isGiven && sayers.test(nameOf(parent.callee) ?? '')) report(node);
    if (parent.type === 'Property' && shownParts.test(parent.key.name)) report(node);
    if (parent.type === 'TemplateLiteral') report(node);
  },
}));

/** What holds what somebody says. */
const saying = /^(?:message|statusMessage|error_description)$/;

const saidWords = rule(
  {},
  'What others say has no colors where it is shown: wordsLabel; names, arguments and what is asked about go through plainLabel.',
  (report) => ({
    CallExpression({ callee, arguments: [given] }) {
      if (nameOf(callee) !== 'plainLabel' || !given) return;
      const text = given.type === 'LogicalExpression' ? given.left : given;
      const isError = nameOf(text.callee ?? {}) === 'errorMessage';
      if (isError || saying.test(nameOf(text) ?? '')) report(given);
    },
  }),
);

const readParts = rule(
  {
    'src/mcp/protocol/content.ts': 'makes them',
    'src/chat/participant/participant.ts': 'what a model gets',
    'src/chat/content/modelContent.ts': 'what a model gets',
    'src/prompts/preview/promptParts.ts': 'what is asked about, and sent',
    'src/requests/sampling/review/samplingDraft.ts': 'what is asked about, and sent',
    'src/tools/run/runToolOnSelection.ts': 'data, which goes into a document of the user',
  },
  'What people read of a result is made by partsToRead, which leaves out colors; toParts keeps them, for models and for data.',
  (report) => ({
    // Imported, called or handed on.
    Identifier(node) {
      if (node.name === 'toParts') report(node);
    },
  }),
);

/** What reads all of a file, or gives a window all of it, whatever it is and however large. */
const readers = new Set([
  'readFile',
  'readFileSync',
  'createReadStream',
  'openAsBlob',
  'readLines',
]);

const fileReads = rule(
  {
    'src/ui/documents/readTextFile.ts': 'the door of the editor',
    'src/browser/browserPlatform.ts': 'storage of our own, in a page',
    'src/browser/loadChunk.ts': 'a chunk of our own',
    'src/mcp/node/nodeFiles.ts': 'storage of our own',
    'src/mcp/node/files/fileLock.ts': 'storage of our own',
    'src/mcp/node/files/compiledFiles.ts': 'files of our own',
    'src/mcp/node/files/administratorFiles.ts': 'looks at the file that it has opened',
    'src/mcp/node/processes/orphans.ts': 'storage of our own',
    'src/mcp/node/processes/processTable.ts': 'what the kernel tells',
    'src/mcp/node/sandbox/confinedCommand.ts': 'what the kernel tells',
    'src/mcp/node/nodeTransports.ts': 'what the kernel tells',
    'src/mcp/node/agents/bridge.ts': 'what the kernel tells',
    'cli/givenFiles.ts': 'stops at a bound, of what the caller of the command names',
  },
  'A file is looked at before it is read, and only as much of it as is expected: readFileBytes, openTextFile, readSmallFile.',
  (report) => ({
    MemberExpression(node) {
      const name = nameOf(node);
      if (readers.has(name)) report(node);
      if (name !== 'openTextDocument') return;
      // A text that is handed over is in no file.
      const { parent } = node;
      const isText =
        parent.type === 'CallExpression' && parent.arguments[0]?.type === 'ObjectExpression';
      if (!isText) report(node);
    },
    Property({ key, parent }) {
      if (parent.type !== 'ObjectPattern') return;
      const name = key.name ?? key.value;
      if (readers.has(name) || name === 'openTextDocument') report(key);
    },
    ImportSpecifier(node) {
      if (ofFiles.test(node.parent.source.value) && readers.has(node.imported.name)) report(node);
    },
  }),
);

export default {
  meta: { name: 'doors' },
  rules: {
    'plain-forms': plainForms,
    proofs,
    'recursive-deletion': recursiveDeletion,
    'unadmitted-servers': unadmittedServers,
    'workspace-writes': workspaceWrites,
    'user-actions': userActions,
    'agreed-calls': agreedCalls,
    'own-commands': ownCommands,
    'native-patterns': nativePatterns,
    keyboard,
    'app-sources': appSources,
    'process-starts': processStarts,
    'program-names': programNames,
    'app-frames': appFrames,
    'token-resources': tokenResources,
    clipboard,
    'copied-texts': copiedTexts,
    'model-texts': modelTexts,
    'terminal-texts': terminalTexts,
    'shown-paths': shownPaths,
    'said-words': saidWords,
    'read-parts': readParts,
    'file-reads': fileReads,
  },
};
