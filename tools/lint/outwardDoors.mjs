/*
 * The rules about doors that lead out of this process: to other programs, into the frame of an app, to an authorization
 * server, into the shell of a user and to a model.
 */
import { nameOf, rule } from './doorRule.mjs';

const ofProcesses =
  /^(?:node:)?(?:child_process|cluster)$|^(?:node-pty|execa|cross-spawn|shelljs)$/;

/** What starts a program when it is made, and what makes the editor start one. */
const starters = new Set([
  'StdioTransport',
  'StdioClientTransport',
  'McpStdioServerDefinition',
  'ShellExecution',
  'ProcessExecution',
]);
const starting = new Set(['createTerminal', 'executeTask', 'startDebugging', 'openExternal']);

export const processStarts = rule(
  {
    'src/mcp/node/nodeTransports.ts': 'starts what confinedCommand returned',
    'src/mcp/node/stdioTransport.ts': 'starts what nodeTransports gives it',
    'src/mcp/node/checkCommand.ts': 'starts what confinedCommand returned',
    'src/chat/editor/editorServers.ts': 'hands over what confinedCommand returned',
    'src/mcp/node/sandbox/planConfinement.ts':
      'tries what confines others, from a folder of the system',
    'src/mcp/node/commands/searchPath.ts': 'asks the shell of the user, in their own environment',
    'src/mcp/node/processes/processTable.ts': 'asks the system for its processes',
    'src/mcp/node/processes/processTree.ts': 'ends processes',
    'src/mcp/node/agents/bridge.ts': 'asks the system for the name of what started it',
    'src/development/editorDebugger.ts': 'lets a debugger connect to what runs',
    'src/ui/editorCommands.ts': 'opens pages in a browser, and nothing else',
    'cli/recordings.ts': 'starts what its caller wrote in the terminal',
    'cli/signIn.ts': 'opens the page of a sign-in in a browser, once Enter was pressed',
  },
  'What a server is started as comes from confinedCommand, which keeps it in its sandbox; what it prints passes withoutColors before it is read.',
  (report) => ({
    ImportDeclaration(node) {
      const { source, specifiers, importKind } = node;
      const isCode = specifiers.some((one) => one.importKind !== 'type');
      if (ofProcesses.test(source.value) && importKind !== 'type' && isCode) report(node);
    },
    ImportExpression({ source }) {
      if (ofProcesses.test(String(source.value))) report(source);
    },
    CallExpression(node) {
      const [from] = node.arguments;
      if (nameOf(node.callee) === 'require' && ofProcesses.test(String(from?.value))) report(node);
    },
    NewExpression(node) {
      if (starters.has(nameOf(node.callee))) report(node);
    },
    // Called, handed on or taken by another name.
    MemberExpression(node) {
      if (starting.has(nameOf(node) ?? '')) report(node);
    },
    Property({ parent, key }) {
      if (parent.type === 'ObjectPattern' && starting.has(key.name)) report(key);
    },
  }),
);

/** What starts the program that its first argument names, directly or by `promisify`. */
const programStarters = /^(?:execFile|execFileSync|spawn|spawnSync|fork|run|runProgram)$/;

/** True for a name without a folder, in whichever way it is written out. */
function isBareName(node) {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' && !/[\\/]/.test(node.value);
    case 'TemplateLiteral':
      return !node.quasis.some(({ value }) => /[\\/]/.test(value.raw));
    case 'ConditionalExpression':
      return isBareName(node.consequent) || isBareName(node.alternate);
    case 'LogicalExpression':
      return isBareName(node.left) || isBareName(node.right);
    default:
      return false;
  }
}

/** Returns what may be the first of a list that is written out. */
function firstOf(node) {
  if (node.type === 'ConditionalExpression')
    return [firstOf(node.consequent), firstOf(node.alternate)].flat();
  return node.type === 'ArrayExpression' ? [node.elements[0]] : [];
}

export const programNames = rule(
  {},
  'A program of the system is named with its folder: a bare name is looked up by PATH, which may lead into a folder that nobody trusts.',
  (report, bare = new Set(), uses = []) => ({
    VariableDeclarator({ id, init }) {
      const isList = id.type === 'ArrayPattern';
      const [name, value] = isList ? [id.elements[0], init && firstOf(init)] : [id, init];
      if (name?.type === 'Identifier' && [value].flat().some(isBareName)) bare.add(name.name);
    },
    // Only now is it known which names stand for a program.
    'Program:exit'() {
      for (const one of uses) if (bare.has(one.name)) report(one);
    },
    CallExpression({ callee, arguments: [program, args] }) {
      const isPromised = nameOf(callee.callee ?? {}) === 'promisify';
      const name = nameOf(isPromised ? callee.arguments[0] : callee) ?? '';
      // What else is called "run" has no list of arguments.
      const isStarter = name.startsWith('run') ? args?.type === 'ArrayExpression' : true;
      if (programStarters.test(name) && isStarter) {
        if (isBareName(program)) report(program);
        if (program?.type === 'Identifier') uses.push(program);
      }
      // A shell looks up all that it runs; what has a method of this name is a pattern.
      if (/^exec(?:Sync)?$/.test(name) && (isPromised || callee.type === 'Identifier'))
        report(callee);
    },
  }),
);

/** What is made or set to put a document into a frame, or code into a page. */
const framing =
  /^(?:src|srcdoc|data|href|xlink:href|action|formaction|iframe|frame|object|embed|portal|fencedframe|script|base|meta|link)$/;
const filled = /^(?:src|srcdoc|innerHTML|outerHTML)$/;
const ofPages = /^(?:window|document|globalThis|self|top|parent|contentWindow)$/;
const filling =
  /^(?:insertAdjacentHTML|setHTML|setHTMLUnsafe|createContextualFragment|parseFromString|parseHTMLUnsafe|writeln)$/;

/** True for a text that is not written out. */
const isOpen = (node) => node !== undefined && node.type !== 'Literal';

export const appFrames = rule(
  {
    'src/apps/view/shell.ts': 'the frame of an app, which shows what appDocument made',
    'src/apps/view/appDocument.ts': 'frames that an app writes get the same script',
    'src/apps/panel/appTab.ts': 'the page around an app, and our own words in its place',
    'src/apps/index.ts': 'our own words in place of an app',
  },
  'What a server wrote is shown in the frame of an app alone, as appDocument makes it, and told through its port.',
  (report) => ({
    CallExpression(node) {
      const name = nameOf(node.callee);
      const [first, second] = node.arguments;
      if (/^(?:setAttribute|setAttributeNS|createElement|createElementNS)$/.test(name ?? '')) {
        const named = name.endsWith('NS') ? second : first;
        if (isOpen(named) || framing.test(String(named?.value))) report(node);
      }
      const isWritten = name === 'write' && nameOf(node.callee.object ?? {}) === 'document';
      if (isWritten || filling.test(name ?? '')) report(node);
      // A message to any page is one to whichever took the place of the app.
      const target = name === 'postMessage' ? second : undefined;
      const isAny =
        target?.value === '*' ||
        (target?.type === 'ObjectExpression' &&
          target.properties.some(({ key }) => key?.name === 'targetOrigin'));
      if (isAny) report(node);
    },
    AssignmentExpression({ left }) {
      if (left.type !== 'MemberExpression') return;
      const isOwn = left.object.type === 'ThisExpression';
      const name = nameOf(left) ?? '';
      if (filled.test(name) || (name === 'html' && !isOwn)) report(left);
      const of = nameOf(left.object) ?? '';
      if ((name === 'location' && ofPages.test(of)) || (name === 'href' && of === 'location'))
        report(left);
    },
    // Whatever it is assigned to.
    Property({ key, parent }) {
      const isMade = parent.type === 'ObjectExpression';
      if (isMade && /^(?:srcdoc|innerHTML|outerHTML)$/.test(key.name ?? key.value)) report(key);
    },
    MemberExpression(node) {
      // Compared with the source of a message, but never spoken to: the page behind it changes.
      const isCompared = node.parent.type === 'BinaryExpression';
      if (nameOf(node) === 'contentWindow' && !isCompared) report(node);
    },
  }),
);

/** What returns the resource of a place. */
const ofPlaces = /^resource(?:For|ToRequest)$/;

/** True for what a place or a grant says, and for what finds it there; an object is no resource. */
const isOfPlace = (value) => {
  switch (value.type) {
    case 'CallExpression':
      return ofPlaces.test(nameOf(value.callee) ?? '');
    case 'AssignmentPattern':
      return isOfPlace(value.right);
    case 'LogicalExpression':
      return isOfPlace(value.left) && isOfPlace(value.right);
    case 'MemberExpression':
      // Of a place or a grant itself: what else has a part of this name is no place.
      return nameOf(value) === 'resource' && /^(?:Identifier|ThisE)/.test(value.object.type);
    default:
      return value.type === 'ObjectExpression' || value.name === 'resource';
  }
};

export const tokenResources = rule(
  {
    'src/mcp/auth/client/discovery.ts': 'finds what a server is, and says if it is more than that',
    'src/mcp/auth/authorizationFetch.ts': 'reads the fields of answers',
  },
  'What tokens are for is the resource of a SignInPlace, about which the user is told if it is more than the server.',
  (report) => ({
    Property({ key, value }) {
      const name = key.name ?? key.value;
      if ((name === 'resource' && !isOfPlace(value)) || name === 'audience') {
        const isIssuer = name === 'audience' && nameOf(value) === 'issuer';
        if (!isIssuer) report(value);
      }
    },
    VariableDeclarator({ id, init }) {
      if (id.name === 'resource' && (!init || !isOfPlace(init))) report(id);
    },
    CallExpression(node) {
      const [name, value] = node.arguments;
      const isSet = /^(?:set|append)$/.test(nameOf(node.callee) ?? '');
      if (isSet && /^(?:resource|audience)$/.test(String(name?.value)) && !isOfPlace(value ?? {}))
        report(node);
    },
  }),
);

export const clipboard = rule(
  {
    'src/ui/clipboard.ts': 'the door',
    'src/ui/editorCommands.ts': 'nothing, and what was there before',
  },
  'Copy by ui/clipboard, which hides nothing and leaves nothing to a terminal to act on.',
  (report) => ({
    MemberExpression(node) {
      if (nameOf(node) === 'clipboard' && nameOf(node.parent ?? {}) !== 'readText') report(node);
    },
    Property({ parent, key }) {
      if (parent.type === 'ObjectPattern' && key.name === 'clipboard') report(key);
    },
  }),
);

export const copiedTexts = rule(
  {
    'src/traffic/index.ts': 'a command, which curlCommand quotes for the shell that was chosen',
    'src/traffic/curlCommand.ts': 'quotes for the shell that was chosen',
    'src/mcp/node/agents/listen.ts': 'a script for the shell that its first line names',
    'src/ui/editorChat.ts': 'a text for the chat',
    'src/prompts/delivery/deliverPrompt.ts': 'the text of a prompt',
    'src/roots/index.ts': 'the path of a folder',
    'src/resources/commands/copyResources.ts': 'the contents of resources',
    'src/apps/consent/askDraft.ts': 'a text for the chat',
    'src/servers/createDoctor.ts': 'a report',
  },
  'A command for a shell is quoted for the one that was chosen, as curlCommand does; what else is copied is JSON or addresses, or is named in this rule.',
  (report) => ({
    ImportSpecifier(node) {
      // What it quotes is right for one kind of shell.
      if (/^(?:posixQuoted|copyText|copyDocument)$/.test(node.imported.name)) report(node);
    },
  }),
);

export const terminalTexts = rule(
  { 'cli/terminal.ts': 'the door' },
  'Say it in the terminal by tell, which leaves nothing to the terminal to act on.',
  (report) => ({
    MemberExpression(node) {
      if (nameOf(node) === 'stderr' && nameOf(node.object) === 'process') report(node);
    },
    Property({ parent, key }) {
      const isOfProcess = nameOf(parent.parent?.init ?? {}) === 'process';
      if (parent.type === 'ObjectPattern' && isOfProcess && key.name === 'stderr') report(key);
    },
  }),
);

/** The classes of the editor that hold what a model is given. */
const ofModels =
  /^LanguageModel(?:Text|Data|ToolResult|PromptTsx)Part2?$|^LanguageModelChatMessage2?$/;

export const modelTexts = rule(
  {
    'src/ui/toModelMessages.ts': 'makes what is hidden visible',
    'src/chat/participant/participant.ts': 'what the user has typed',
    'src/chat/participant/conversation.ts': 'what the user has typed before',
    'src/chat/participant/toolLoop.ts': 'what the model itself has said',
  },
  'A model is given texts by toModelContent and toModelMessages, which hide nothing in them.',
  (report) => ({
    NewExpression(node) {
      if (ofModels.test(nameOf(node.callee) ?? '')) report(node);
    },
    CallExpression(node) {
      const { callee } = node;
      const isMaker = /^(?:User|Assistant)$/.test(nameOf(callee) ?? '');
      if (isMaker && ofModels.test(nameOf(callee.object ?? {}) ?? '')) report(node);
    },
    // By another name, it would not be found.
    VariableDeclarator({ init }) {
      if (init && ofModels.test(nameOf(init) ?? '')) report(init);
    },
    Property({ parent, key }) {
      const name = key.name ?? key.value;
      if (parent.type === 'ObjectPattern' && ofModels.test(name)) report(key);
      if (parent.type === 'ObjectExpression' && name === 'asTyped') report(key);
    },
  }),
);
