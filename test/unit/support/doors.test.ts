import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { changeTexts } from '../../../src/base/json';
import { escapeVariables } from '../../../src/calls/format/variables';
import type { CallOrigin } from '../../../src/contracts/toolCalls';
import { mapTexts } from '../../../src/config/launch/launchTexts';
import type { AdmittedLaunch } from '../../../src/config/launch/workspaceParts';
import type { TokenResource } from '../../../src/mcp/auth/client/discovery';
import type { QuietMoment, UserAction } from '../../../src/ui/questions/question';
import type { PickRow } from '../../../src/ui/rows/picks';
import { repositoryRoot } from '../../support/paths';
import { complainsOf, typedComplaintsOf } from './tryRule';

interface Door {
  /** The file of the rule, if it is not `doors.mjs`, and the name that its plugin has. */
  readonly plugin?: readonly [file: string, name: string];
  readonly rule: string;
  readonly past: readonly string[];
  readonly through: readonly string[];
}

/** Types that hold a proof: the rule finds these itself, and more. */
const holding = [
  'RunToolOptions',
  'AuthorizeOptions',
  'FormStart',
  'Answer',
  'CallQuestion',
  'Allowed',
  'GoneBack',
  'AllowedApp',
  'QuestionContext',
];

const doors: readonly Door[] = [
  {
    rule: 'file-reads',
    past: [
      `const bytes = await vscode.workspace.fs.readFile(uri);`,
      `const { readFile } = vscode.workspace.fs;`,
      `export const read = fs['readFile'];`,
      `import { readFile } from 'node:fs/promises';`,
      `import { readFile as get } from 'fs/promises';`,
      `import { createReadStream, existsSync } from 'node:fs';`,
      `import { openAsBlob } from 'node:fs';`,
      `const document = await vscode.workspace.openTextDocument(uri);`,
      `const all = await Promise.all(uris.map(vscode.workspace.openTextDocument));`,
      `const { openTextDocument } = vscode.workspace;`,
    ],
    through: [
      `const bytes = await readFileBytes(uri, maxConfigBytes);`,
      `const document = await openTextFile(uri);`,
      `const document = await vscode.workspace.openTextDocument({ content, language });`,
      `const text = await readSmallFile(path, 100);`,
      `import { open, stat } from 'node:fs/promises';`,
      `async function readFile(path: string) { return path; }`,
      `export class Files { readFile(uri: vscode.Uri) { return this.bytesOf(uri); } }`,
    ],
  },
  {
    rule: 'shown-paths',
    past: [
      `throw new UserError(t('{0} could not be written.', uri.fsPath));`,
      `export const row = { description: folder.uri.fsPath };`,
      `export const shown = plainLabel(uri.fsPath, 100);`,
      `export const said = wordsLabel(uri.fsPath);`,
      `export const said = promptLine(uri.fsPath);`,
      'export const told = `In ${uri.fsPath}`;',
      `throw new UnchangedFileError(uri.toString(), uri.fsPath, cause);`,
    ],
    through: [
      `throw new UserError(t('{0} could not be written.', shownPath(uri)));`,
      `export const row = { description: shownPath(folder.uri) };`,
      `export const place = { folder: folder.fsPath };`,
      `export const bridge = join(folder.fsPath, 'bridge.cjs');`,
    ],
  },
  {
    rule: 'said-words',
    past: [
      `export const why = plainLabel(errorMessage(error, t), 200);`,
      `export const said = plainLabel(progress.message, 80);`,
      `export const said = plainLabel(message ?? '');`,
      `export const said = plainLabel(task.statusMessage);`,
    ],
    through: [
      `export const why = wordsLabel(errorMessage(error, t), 200);`,
      `export const name = plainLabel(tool.name);`,
      `export const why = plainLabel(part.message(t));`,
    ],
  },
  {
    rule: 'read-parts',
    past: [
      `import { toParts } from '../../mcp/protocol/content';`,
      `import { toParts as read } from '../../mcp/protocol/content';`,
      `export const parts = toParts(result.content);`,
      `export const all = contents.map(toParts);`,
    ],
    through: [`export const parts = partsToRead(result.content);`],
  },
  {
    rule: 'plain-forms',
    past: [
      `export { spawn } from 'node:child_process';`,
      `export * from 'node:child_process';`,
      `export * as processes from 'child_process';`,
      `export { rimraf } from 'rimraf';`,
      `import { byUser } from './question'; export { byUser as now };`,
      `export { byUser as now } from './question';`,
      `import { byUser as now } from './stage';`,
      `import { readApp as again } from '../page/app';`,
      `import type { UserAction as Anybody } from './question';`,
      `export const { spawn } = process.getBuiltinModule('node:child_process');`,
      `export const load = process['getBuiltinModule'];`,
      `export const { getBuiltinModule } = process;`,
      `import processes = require('node:child_process');`,
      `export = processes;`,
      `export const load = async (name: string) => import(name);`,
      'export const load = async (name: string) => import(`node:${name}`);',
      `import { createRequire } from 'node:module';`,
      `import { createRequire as from } from 'node:module';`,
      `import module from 'node:module'; export const load = module.createRequire(file);`,
      `const load = require; load('child_process');`,
      `export const one = require(['child', 'process'].join('_'));`,
      `export const one = eval(text);`,
      `export const one = new Function('a', text);`,
      `export const one = Function(text)();`,
      `export const forged = <UserAction>{};`,
      `export const forged = <unknown>place as string;`,
      `export const forged: UserAction = {} as never;`,
      `type Anybody = UserAction; export const forged = {} as Anybody;`,
      `type Anybody = NonNullable<UserAction | undefined>;`,
      `type Anybody = Permit & object;`,
      `interface Anybody extends UserAction { readonly more: string }`,
      `await vscode.workspace.fs[name](uri, { recursive: true });`,
      `void vscode.window[name](uri);`,
      `void window[name](uri);`,
      `export const { [name]: show } = vscode.window;`,
      `export const show = Reflect.get(vscode.window, 'showTextDocument');`,
      `const { executeCommand: run } = vscode.commands; void run('vscode.open');`,
      `Object.assign(frame, { srcdoc: html });`,
      `Object.assign(panel.webview, { html });`,
      `Object.assign(this.frame, made);`,
    ],
    through: [
      `export * from './frameMessages';`,
      `export * as frame from './frameMessages';`,
      `export { byUser } from './question';`,
      `export type { Session } from './session';`,
      `import { request as sendRequest } from 'node:http';`,
      `const sdk = await import('../sdk');`,
      `this.require(challenge);`,
      `export const one = require('vscode');`,
      `export type Run = (action: UserAction) => void;`,
      `export interface Info { readonly asked?: UserAction }`,
      `export const one = value as unknown as Info;`,
      `export const value = env[name];`,
      `export const value = platform.env[name];`,
      `export const level = single.workspace[index];`,
      `export const home = process.env['HOME'];`,
      `const { executeCommand } = vscode.commands;`,
      `export const item = Object.assign(action, fix);`,
      `await Reflect.apply(data, value, []);`,
      `export const isFunction = (one: unknown): one is Function => typeof one === 'function';`,
    ],
  },
  {
    rule: 'proofs',
    past: [
      `await launch(config as AdmittedLaunch);`,
      `export const launched = { ...config } as unknown as AdmittedLaunch;`,
      `export const place = { resource: url.href as TokenResource };`,
      `export const place = { resource: url.href as SignInPlace['resource'] };`,
      `export const found = { issuer, resource } as SignInPlace;`,
      `frame.show({ html: text as AppHtml });`,
      `span.end({ attributes: { 'mcp.resource.uri': uri as SpanContent } });`,
      `await gate.run(call, { signal, inView: { server, identity, ...call } as CallInView });`,
      `export const look = fetch as AuthorizationFetch;`,
      `export const rows = found as readonly PickRow[];`,
      `export const all = { servers } as unknown as AdmittedServers;`,
      `export const isSafe = (row: object): row is PickRow => 'label' in row;`,
      `function take(one: unknown): asserts one is AdmittedLaunch {}`,
      `type Mine = ServerConfig & Proof<'admitted'>;`,
      `interface Mine extends Proof<'by the user'> { readonly at: number }`,
      `export const forged = {} as Proof<'quiet'>;`,
      `export const stored = state.get<AdmittedLaunch>('launch');`,
      `export const stored = await executeCommand<UserAction>('a.b');`,
      `const stored: AdmittedLaunch | undefined = state.get('launch');`,
      `const stored: UserAction = await vscode.commands.executeCommand('a.b');`,
      `export const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;`,
      `export const copy = <C extends object>(value: C) => ({ ...value }) as unknown as C;`,
      `export const copy = <T>(value: T) => JSON.parse(JSON.stringify(value)) as T | undefined;`,
      `export const copy = <T>(value: T) => ({ ...value }) as unknown as T & object;`,
      `export const copy = <T>(value: T) => ({ ...value }) as NonNullable<T>;`,
      `export const copy = <T>(value: T) => [{ ...value }] as readonly T[];`,
      `export const copy = <T>(value: T) => [{ ...value }] as unknown as [T];`,
      ...holding.map((name) => `export const forged = value as unknown as ${name};`),
      `export const forged = { inView: found } as Pick<RunToolOptions, 'inView'>;`,
      `export const forged = { by: found } as Extract<Answer, { kind: 'allow' }> | undefined;`,
    ],
    through: [
      `export const copy = <T>(value: T) => JSON.parse(JSON.stringify(value)) as Copied<T>;`,
      `export const kept = value as Table<T>;`,
      `export const launch = await admitLaunch(config, local, surroundings);`,
      `export const start = (launch: AdmittedLaunch) => open(launch);`,
      `export const place = found as Place;`,
      `export const launches = new Map<string, AdmittedLaunch>();`,
      `const stored = state.get<unknown>('launch');`,
    ],
  },
  {
    rule: 'recursive-deletion',
    past: [
      `vscode.workspace.fs.delete(uri, { recursive: true });`,
      `fs['delete'](uri, { recursive: isDeep, useTrash: false });`,
      `await rm(path, { recursive: true, force: true });`,
      `rmSync(path, options);`,
      `await rm(path, { ...options });`,
      `await rmdir(path, { 'recursive': true });`,
      `edit.deleteFile(uri, { recursive: true });`,
      `import rimraf from 'rimraf';`,
      `import { rm as remove } from 'node:fs/promises';`,
      `export const erase = fsPromises.rm;`,
      `await fs.delete.call(fs, uri, options);`,
      `export const { deleteFile } = { deleteFile: edit.deleteFile };`,
      `await vscode.workspace.fs.rename(one, folder, { overwrite: true });`,
      `edit.createFile(folder, { overwrite });`,
      `const { rimraf } = await import('rimraf');`,
      `await rm(...given);`,
      `await vscode.workspace.fs.delete(...given);`,
      `await fs.delete(uri, ...given);`,
    ],
    through: [
      `await rm(path, { force: true });`,
      `await vscode.workspace.fs.delete(uri);`,
      `await vscode.workspace.fs.delete(uri, { useTrash: true });`,
      `known.delete(name);`,
      `export const forget = known.delete.bind(known);`,
      `edit.createFile(uri, { overwrite: false });`,
      `await mkdir(path, { recursive: true });`,
    ],
  },
  {
    rule: 'unadmitted-servers',
    past: [
      `void settings.update(Setting.servers, {}, scope);`,
      `void settings.update(Setting['inputs'], []);`,
      `await writer.updateSetting(...given);`,
      `void settings.update(...[Setting.servers, {}]);`,
      `void vscode.workspace.getConfiguration('mcpWorkbench').update('servers', found);`,
      `void settings.update('mcpWorkbench.inputs', []);`,
      `const key = Setting.servers;`,
      `const { inputs } = Setting;`,
      `await writer.updateSetting(Setting.inputs, [], target);`,
      `await writer.replaceText(uri, (text) => setInJson(text, ['servers', name], found));`,
      `export const text = setInJson('', ['customizations', 'vscode', 'mcp', 'servers', name], found);`,
      `export const edits = modify(text, ['inputs', -1], input, {});`,
      `document.setIn(['context_servers', name], found);`,
      `await writer.write(uri, JSON.stringify({ mcpServers: found }));`,
      `await writer.write(uri, stringify({ 'mcp_servers': { [name]: found } }));`,
      `const file = { servers: found }; await writer.write(uri, JSON.stringify(file));`,
      `const path = ['servers', name]; export const text = setInJson(before, path, found);`,
      `const key = 'mcpWorkbench.servers'; await writer.updateSetting(key, found, target);`,
      'await writer.updateSetting(`mcpWorkbench.${which}`, found, target);',
      'await writer.write(uri, `{ "mcpServers": ${text} }`);',
      `const key = 'servers'; await settings.update(key, found, target);`,
      `await settings.update(isOld ? 'servers' : 'inputs', found, target);`,
      `file.servers = found; await writer.write(uri, JSON.stringify(file));`,
      `await writer.write(uri, JSON.stringify(Object.assign(file, { mcpServers: found })));`,
      `await writer.write(uri, JSON.stringify({ mcp: { servers: found } }));`,
      `await writer.write(uri, JSON.stringify({ 'mcpWorkbench.servers': found }));`,
    ],
    through: [
      `void writer.updateSetting(Setting.places, [], target);`,
      `void memento.update('servers.order', []);`,
      `settings.inspect(Setting.servers);`,
      `export const text = setInJson(before, ['servers', name], undefined);`,
      `export const text = setInJson(before, ['steps', -1], step);`,
      `export const text = JSON.stringify({ name, version });`,
      `const path = ['servers', name]; export const text = setInJson(before, path, undefined);`,
      'export const text = `Its "servers" are gone: ${name}`;',
      'void settings.update(`mcpWorkbench.${place}.shown`, true);',
    ],
  },
  {
    rule: 'workspace-writes',
    past: [
      `await vscode.workspace.fs.writeFile(uri, bytes);`,
      `const { writeFile } = vscode.workspace.fs;`,
      `export const write = fs['writeFile'];`,
      `import { writeFile as put } from 'node:fs/promises';`,
      `import { mkdir } from 'fs';`,
      `import { openSync } from 'node:fs';`,
      `import { renameSync } from 'node:fs';`,
      `import { promises } from 'node:fs';`,
      `export * from 'node:fs';`,
      `const disk = require('node:fs');`,
      `const disk = process.getBuiltinModule('fs');`,
      `import { createWriteStream } from 'node:fs';`,
      `await fs.createDirectory(uri);`,
      `await vscode.workspace.fs.rename(one, two);`,
      `await fs.copy(one, two);`,
      `await vscode.workspace.fs.delete(uri);`,
      `await vscode.workspace.applyEdit(edit);`,
      `await document.save();`,
      `await vscode.workspace.save(uri);`,
      `await (await vscode.workspace.openTextDocument(uri)).save();`,
      `const { delete: erase } = vscode.workspace.fs;`,
      `const disk = vscode.workspace.fs;`,
      `import * as disk from 'node:fs/promises';`,
      `import disk from 'node:fs';`,
      `const { rm } = await import('node:fs/promises');`,
      `await vscode.workspace.getConfiguration().update(key, value, target);`,
      `await configuration.update('a.b', value);`,
      `await settings['update'](key, value, vscode.ConfigurationTarget.Workspace);`,
      `const { update } = vscode.workspace.getConfiguration();`,
      `const own = vscode.workspace.getConfiguration(); await own.update(key, value);`,
      `export const set = (all: vscode.WorkspaceConfiguration) => all.update(key, value, false);`,
      `const opened = await vscode.workspace.openTextDocument(uri); await opened.save();`,
      `await vscode.workspace.saveAs(uri);`,
      `await executeCommand('workbench.action.files.saveAll');`,
      `await vscode.commands.executeCommand('explorer.newFile');`,
      `export const all = new Files(vscode.workspace.fs);`,
      `export const all = { fs: vscode.workspace.fs };`,
      `import { mkdtempSync } from 'node:fs';`,
      `import { mkdtemp } from 'node:fs/promises';`,
      `const edit = new vscode.WorkspaceEdit(); edit.createFile(uri, { contents }); return edit;`,
      `edit.renameFile(one, two);`,
      `export const { createFile } = edit;`,
      `await fs.writeFile(...given);`,
    ],
    through: [
      `await writer.write(uri, text);`,
      `await files.write(uri, text);`,
      `import { readFile, stat } from 'node:fs/promises';`,
      `const { fs } = vscode.workspace;`,
      `await vscode.workspace.fs.readFile(uri);`,
      `known.delete(name);`,
      `await vscode.env.clipboard.writeText(text);`,
      `export class Memory { writeFile(): void {} rename(): void {} }`,
      `await configuration.update('a.b', value, vscode.ConfigurationTarget.Global);`,
      `await memento.update('a.b', value);`,
      `await this.save();`,
      `await sets.save(name, tools);`,
      `const own = vscode.workspace.getConfiguration(); own.inspect(key); memento.update(key, value);`,
    ],
  },
  {
    rule: 'user-actions',
    past: [
      `export const cause = { kind: 'call', asked: byUser() };`,
      `export const forged = {} as UserAction;`,
      `export const forged = true as unknown as UserAction;`,
      `export const forged = { asked: {} as never };`,
      `const now = byUser; export const cause = { asked: now() };`,
      `export const causes = [byUser];`,
      `export const forged = {} as QuestionInfo['asked'];`,
      `export const forged = {} as unknown as NonNullable<QuestionContext['wanted']>;`,
      `export const isOne = (one: unknown): one is UserAction => true;`,
      `export const forged = { kind: 'user', action: { at: 0 } } as CallOrigin;`,
      `export const forged = { ...call, origin: { kind: 'user' } } as unknown as ToolCall;`,
      `export const forged = { kind: 'user', action: {} } as ToolCall['origin'];`,
    ],
    through: [
      `export const cause = { kind: 'call', asked };`,
      `export const run = (asked?: UserAction) => start(asked);`,
      `export const outcome = { kind: 'refused', byUser: true };`,
      `const byUser = outcome.byUser === true; if (byUser) stop();`,
    ],
  },
  {
    rule: 'agreed-calls',
    past: [
      `await gate.run({ server, tool, arguments: {}, origin: { kind: 'savedCalls', file } }, options);`,
      `const kind = 'savedCalls'; export const origin = { kind, file };`,
      'export const origin = { kind: `savedCalls` as const, file };',
      `export const origin = { kind: isOwn ? 'user' : 'savedCalls', file };`,
    ],
    through: [
      `if (origin.kind === 'savedCalls') show(origin.file);`,
      `switch (origin.kind) { case 'savedCalls': break; }`,
      `export type Of = { readonly kind: 'savedCalls' };`,
      `await callThroughGate(gate, file, { server, agreedTo, name, args, signal });`,
    ],
  },
  {
    rule: 'own-commands',
    past: [
      `await vscode.commands.executeCommand(Command.startServer, id);`,
      `server.onDidFail(() => void executeCommand(Command.showQuestions));`,
      `await vscode.commands.executeCommand('mcpWorkbench.runTool', found);`,
      'await executeCommand(`mcpWorkbench.runTool`);',
      `await vscode.commands.executeCommand(...given);`,
      `const { executeCommand } = vscode.commands; void executeCommand(Command['addServer'], link);`,
    ],
    through: [
      `await vscode.commands.executeCommand('setContext', key, value);`,
      `export const command = { command: Command.startServer, title };`,
      `await startServer(id, action);`,
      `await runCommand(action, Command.startServer, id);`,
    ],
  },
  {
    rule: 'native-patterns',
    past: [
      'export const a = (text: string) => new RegExp(text);',
      'export const a = (given: [string]) => new RegExp(...given);',
      'export const a = (text: string, given: [string]) => text.match(...given);',
      'export const a = (given: [string, string]) => new vscode.RelativePattern(...given);',
      'export const a = (given: [string]) => vscode.workspace.findFiles(...given);',
      'export const a = (text: string) => RegExp(text, "u");',
      'export const a = (text: string) => new globalThis.RegExp(`^${text}$`);',
      'export const a = (text: string, by: string) => text.match(by);',
      'export const a = (text: string, by: string) => text.search(`^${by}`);',
      `export const a = (text: string, by: string) => text['matchAll'](by);`,
      `import { query } from 'jsonpath-rfc9535';`,
      `export const a = () => import('jsonpath-rfc9535');`,
      `import { minimatch } from 'minimatch';`,
      'const Pattern = RegExp; export const a = (text: string) => new Pattern(text);',
      'export const a = (text: string) => Reflect.construct(RegExp, [text]);',
      'const { RegExp: Pattern } = globalThis; export const a = (text: string) => new Pattern(text);',
      'export class Pattern extends RegExp {}',
      'export const a = (text: string) => /a/.compile(text);',
      'export const a = (glob: string) => new vscode.RelativePattern(base, glob);',
      'export const a = (glob: string) => vscode.workspace.createFileSystemWatcher(glob);',
      'export const a = (glob: string) => vscode.workspace.findFiles(`**/${glob}`);',
      'export const a = (pattern: string) => vscode.languages.match({ pattern }, document);',
      'export const a = (glob: string) => vscode.languages.registerHoverProvider([{ pattern: glob }], b);',
      'export const a = (glob: string) => posix.matchesGlob("a", glob);',
      'export const a = (pathname: string) => new URLPattern({ pathname });',
      'export const a = (schema: JsonObject) => fromJSONSchema(schema);',
      'export const a = new AjvJsonSchemaValidator();',
      'export const a = (by: RegExpConstructor, text: string) => new by(text);',
    ],
    through: [
      'export const a = new RegExp("^a+$", "u");',
      'export const a = (by: unknown): by is RegExp => by instanceof RegExp;',
      'export const a: ReadonlyMap<string, RegExp> = new Map<string, RegExp>();',
      'export const a = new vscode.RelativePattern(base, "*.json");',
      'const pattern = /a/g; export const a = (text: string) => text.matchAll(pattern);',
      'export class Cache { run(file: string) { return this.#compile(file); } }',
      'export const a = (text: string) => text.match(/a/);',
      'export const a = (text: string, by: string) => text.replaceAll(by, "") + text.split(by);',
      'export const a = vscode.languages.match(selector, document);',
      'export const a = await schemas.find(value, path);',
      'const one = new vscode.RelativePattern(base, "*.json"); vscode.workspace.createFileSystemWatcher(one);',
      'export const a = vscode.workspace.findFiles(callsGlob, "**/node_modules/**");',
      'export const a = vscode.languages.match({ pattern: callsGlob }, document);',
      'vscode.languages.registerHoverProvider({ scheme }, provider);',
      'export const a = (folder: string) => findFiles(folder);',
    ],
  },
  {
    rule: 'keyboard',
    past: [
      `await vscode.window.showTextDocument(uri);`,
      `await window.showTextDocument(uri, { preview: true, preserveFocus: true });`,
      `export const show = vscode.window.showTextDocument;`,
      `const { showTextDocument } = vscode.window;`,
      `await vscode.window['showQuickPick'](rows);`,
      `await vscode.window.showInputBox({ title });`,
      `export const box = vscode.window.createInputBox();`,
      `export const pick = vscode.window.createQuickPick();`,
      `await vscode.window.showOpenDialog({});`,
      `await vscode.window.showSaveDialog({});`,
      `await vscode.window.showWorkspaceFolderPick();`,
      `await vscode.commands.executeCommand('vscode.open', uri);`,
      `await vscode.commands.executeCommand('vscode.diff', one, two, title);`,
      `await executeCommand('vscode.openWith', uri, 'default', options);`,
      `await executeCommand('workbench.action.chat.open', { query });`,
      `await executeCommand('workbench.action.openSettings', '@id:a');`,
      `await executeCommand('workbench.trust.manage');`,
      `await executeCommand('revealInExplorer', folder);`,
      'await executeCommand(`${View.servers}.focus`);',
      `await executeCommand('workbench.action.focusActiveEditorGroup');`,
      `await executeCommand('workbench.view.extensions');`,
      `await executeCommand('markdown.showPreviewToSide', uri);`,
      `await executeCommand('editor.action.peekLocations', uri, position, places);`,
      `await executeCommand('mcpWorkbench.servers.focus');`,
      `await executeCommand(manageWorkspaceTrustCommand);`,
      `void executeCommand(...next);`,
      `export const run = vscode.commands.executeCommand;`,
      `hand(executeCommand);`,
      `await vscode.commands.executeCommand.call(undefined, 'vscode.open', uri);`,
      `channel.show();`,
      `vscode.window.createTerminal('a').show();`,
      `export const panel = vscode.window.createWebviewPanel('a', 'b', 1);`,
      `this.panel.reveal();`,
      `this.panel.reveal(undefined, false);`,
      `await view.reveal(row, { focus: true });`,
      `const how = { select: true, focus: isWanted }; await view.reveal(row, how);`,
      `tab.reveal();`,
      `this.page.reveal(undefined, false);`,
      `webviewView.show();`,
      `await vscode.authentication.getSession(id, scopes, { createIfNone: true });`,
      `const { getSession } = vscode.authentication;`,
      `await vscode.workspace.requestWorkspaceTrust();`,
      `await vscode.window.tabGroups.close(tabs);`,
      `const groups = window.tabGroups; await groups.close(tabs);`,
      `await vscode.window.showWarningMessage(text, { modal: true }, yes);`,
      `export const options = { detail, 'modal': isModal };`,
      `export const moment = {} as QuietMoment;`,
      `export const forgedPermit = {} as KeyboardPermit;`,
      `export const forgedPermit = {} as Exclude<Permit, undefined>;`,
      `export const isPermit = (one: unknown): one is QuietMoment => true;`,
    ],
    through: [
      `await showText(uri, action);`,
      `await executeCommand('mcpWorkbench.openResource', uri);`,
      `await executeCommand('setContext', key, value);`,
      `await executeCommand(Command.showQuestions);`,
      `channelOf(id).show(true);`,
      `item.show();`,
      `this.panel.reveal(undefined, true);`,
      `await view.reveal(row, { select: false, expand: true });`,
      `const how = { select: true, focus: false }; await view.reveal(row, how);`,
      `await vscode.window.tabGroups.close(tabs, true);`,
      `await vscode.window.showWarningMessage(text, yes);`,
      `await attachToChat(files, permit);`,
    ],
  },
  {
    rule: 'app-sources',
    past: [
      `export const now = await tab.server.readResource(tab.uri);`,
      `const app = await readApp(server, uri, t); void show((await readApp(server, uri, t)).html);`,
      `export const read = [readApp];`,
      `export const source = { readApp };`,
    ],
    through: [
      `export const text = sourceText(tab.source, t);`,
      `import { readApp } from './page/app'; export const app = await readApp(server, uri, t);`,
    ],
  },
  {
    plugin: ['safeText.mjs', 'text'],
    rule: 'safe-text',
    past: [
      `export const row = new vscode.TreeItem(tool.name);`,
      `export const text = new vscode.MarkdownString(tool.description);`,
      `export const pick = vscode.window.createQuickPick();`,
      `stream.markdown(result);`,
      `void vscode.window.showInformationMessage(error.message);`,
      `await window['showErrorMessage'](plainLabel(text));`,
      `const { showWarningMessage } = vscode.window;`,
      `vscode.window.setStatusBarMessage(text, 3000);`,
      `await vscode.window.withProgress({ location, title }, work);`,
      `export const mark = new vscode.Diagnostic(range, problem);`,
      `export const mark = new vscode.TestMessage(failure.message);`,
      `export const mark = vscode.TestMessage.diff(plainMessage(text), expected, actual);`,
      `export const item = controller.createTestItem(id, step.name, uri);`,
      `export const fix = new vscode.CodeAction(title, kind);`,
      `pick.placeholder = errorMessage(error, vscode.l10n.t);`,
      `this.pick.prompt = isLong ? plainLabel(text) : text;`,
      `box.validationMessage = problem ?? undefined;`,
      `item.tooltip = t('Failed: {0}', server.state.message);`,
      'panel.title = `${plainLabel(app.title)} (${server.name})`;',
      `view.message = lost && lost.join(' ');`,
      `this.view.description = server.name;`,
      `item.error = errorMessage(error, vscode.l10n.t);`,
      `export const said = plainLabel(page.href);`,
      `export const said = wordsLabel(page.href);`,
      `export const said = t('{0} refused the sign-in.', place.issuer);`,
      `export const said = t('Connects to {0}.', config.url);`,
      `export const said = t('Asks {0}.', hostOf(address));`,
      'export const said = plainMessage(`${name} at ${url.host}`);',
      `export const row = treeRow({ label: name, description: isShort ? '' : server.websiteUrl });`,
      `view.message = isLost ? endpoint : '';`,
      `return { errorDetails: { message: errorMessage(error, t) } };`,
      `export const mark = new vscode.Diagnostic(...given);`,
      `export const mark = new vscode.TestMessage(...given);`,
      `item.error = text;`,
      `this.itemOf(uri).error = failure.message;`,
      `export const lens = new vscode.CodeLens(range, { title: tool.name, command });`,
      'export const lens = new vscode.CodeLens(range, { title: `$(play) ${tool.name}`, command });',
      `export const lens = new vscode.CodeLens(...given);`,
      `lens.command = { title: t('Run {0}', tool.name), command };`,
      'item.text = `$(sync) ${server.name}`;',
      `this.statusItem.text = server.name;`,
      `item.text = ['$(key)', server.name].join(' ');`,
    ],
    through: [
      `export const row = treeRow({ label: tool.name });`,
      `return { ...failedAnswer(errorMessage(error, t)), ...record };`,
      `void showMessage('error', error.message);`,
      `await withProgress({ location, title }, work);`,
      `export const mark = new vscode.Diagnostic(range, shownText(problem, 1000));`,
      `export const mark = vscode.TestMessage.diff(plainMessage(text), documentText(expected), documentText(actual));`,
      `pick.placeholder = plainLabel(errorMessage(error, vscode.l10n.t));`,
      `pick.placeholder = hint && plainLabel(hint);`,
      `this.view.description = plainLabel(server.name);`,
      `item.tooltip = t('Failed: {0}', plainLabel(server.state.message));`,
      `item.tooltip = vscode.l10n.t('{0} calls', calls.length);`,
      'panel.title = `${plainLabel(app.title)} (${plainLabel(server.name)})`;',
      `entry.label = text;`,
      `item.error = problem && plainLabel(problem.message);`,
      `this.error = error;`,
      `export const lens = new vscode.CodeLens(range, { title: t('$(play) Run'), command });`,
      `export const lens = new vscode.CodeLens(range, { title: plainLabel(tool.name), command });`,
      'item.text = `$(mcp) ${running} ${plainLabel(server.name)}`;',
      `this.text = document.getText(range);`,
      `export const said = t('{0} refused the sign-in.', addressLabel(place.issuer));`,
      `export const said = plainMessage(t('From {0}.', addressLabel(hostOf(url))));`,
      `export const row = treeRow({ label: name, tooltip: addressLabel(server.websiteUrl) });`,
      `export const said = t('A link leads to {0}.', pathOfAddress(link));`,
    ],
  },
  {
    rule: 'process-starts',
    past: [
      `import { spawn } from 'node:child_process';`,
      `import { type ChildProcess, exec } from 'child_process';`,
      `import * as processes from 'node:child_process';`,
      `const { fork } = await import('node:child_process');`,
      `const processes = require('child_process');`,
      `import cluster from 'node:cluster';`,
      `import { execa } from 'execa';`,
      `export const channel = new StdioTransport({ command, args, env });`,
      `export const channel = new sdk.StdioClientTransport({ command });`,
      `export const handed = new vscode.McpStdioServerDefinition(name, command);`,
      `export const terminal = vscode.window.createTerminal({ shellPath: command });`,
      `export const { createTerminal } = vscode.window;`,
      `await vscode.tasks.executeTask(task);`,
      `export const run = new vscode.ProcessExecution(command);`,
      `export const run = new vscode.ShellExecution(line);`,
      `await vscode.debug.startDebugging(folder, { program: command });`,
      `await vscode.env.openExternal(uri);`,
      `const { openExternal } = vscode.env;`,
    ],
    through: [
      `import type { ChildProcess } from 'node:child_process';`,
      `import { type ChildProcess } from 'node:child_process';`,
      `const started = await confinedCommand(command, config, env, own);`,
      `await openAddress(page.href);`,
      `export const channel = new StreamTransport(url);`,
    ],
  },
  {
    rule: 'program-names',
    past: [
      `execFile('ps', ['-A'], () => {});`,
      `export const child = processes.spawn("printenv", ['PATH']);`,
      'export const child = spawn(`${name}.exe`, args);',
      `export const child = spawnSync(isWindows ? cmd : 'sh', args);`,
      `export const child = spawn(given ?? 'node', args);`,
      `const { stdout } = await promisify(execFile)('ps', ['-o', 'comm=']);`,
      `const table = await run('ps', ['-A', '-ww']);`,
      `exec('/bin/ps -A | grep node', () => {});`,
      `const [command, ...args] = isMac ? ['/usr/bin/open'] : [isOld ? 'gnome-open' : 'xdg-open']; spawn(command, args);`,
      `const command = 'xdg-open'; spawn(command, args);`,
      `await promisify(exec)(line);`,
    ],
    through: [
      `execFile('/bin/ps', ['-A'], () => {});`,
      `export const child = spawn(start.command, start.args);`,
      `export const child = spawn(programOfWindows('cmd'), args);`,
      `await run(programOfWindows('powerShell'), ['-Command', script]);`,
      `await promisify(execFile)('/bin/ps', ['-o', 'comm=']);`,
      `const [command, ...args] = isMac ? ['/usr/bin/open', 'a'] : [opener, 'b']; spawn(command, args);`,
      `suite.run('all', () => {});`,
      `export const found = /a/.exec('a');`,
    ],
  },
  {
    rule: 'app-frames',
    past: [
      `frame.setAttribute('srcdoc', html);`,
      `frame.srcdoc = html;`,
      `frame.src = 'data:text/html,' + html;`,
      `frame['innerHTML'] = html;`,
      `element.outerHTML = html;`,
      `element.insertAdjacentHTML('beforeend', html);`,
      `document.write(html);`,
      `range.createContextualFragment(html);`,
      `new DOMParser().parseFromString(html, 'text/html');`,
      `location.href = address;`,
      `window.location = address;`,
      `Object.assign(one, { srcdoc: html });`,
      `frame.setAttribute('src', address);`,
      `frame.setAttribute(name, html);`,
      `frame.setAttributeNS(null, 'srcdoc', html);`,
      `export const other = document.createElement(name);`,
      `export const other = document.createElementNS(space, 'iframe');`,
      `export const other = document.createElement('script');`,
      `export const other = document.createElement('iframe');`,
      `export const other = document.createElement('object');`,
      `frame.contentWindow.postMessage(data, origin);`,
      `export const { port } = own.contentWindow;`,
      `parent.postMessage(data, '*');`,
      `source.postMessage(data, { targetOrigin: '*' });`,
      `panel.webview.html = content.text;`,
      `const view = panel.webview; view.html = content.text;`,
    ],
    through: [
      `if (source === frame.contentWindow) take(data);`,
      `port.postMessage(data);`,
      `void panel.webview.postMessage({ jsonrpc: '2.0', method });`,
      `document.createElement('main');`,
      `own.setAttribute('title', title);`,
      `export const { src } = icon;`,
      `message.location = new vscode.Location(uri, range);`,
      `stream.write(html);`,
      `this.html = app.html;`,
    ],
  },
  {
    rule: 'token-resources',
    past: [
      `await sdk.startAuthorization(issuer, { resource: url.origin });`,
      `await sdk.requestGrant({ resource: place.resource ?? url.href });`,
      `export const grant = { resource: place.url.resource };`,
      `export const grant = { resource: metadataOf(url).resource };`,
      `export const body = new URLSearchParams({ 'resource': gateway });`,
      `body.set('resource', url.href);`,
      `body.append('audience', url.origin);`,
      `const resource = url.origin;`,
      `const { resource = url.origin } = grant;`,
      `export const request = { audience: url.href };`,
    ],
    through: [
      `const { resource, metadata } = place;`,
      `await sdk.fetchToken(issuer, { ...(resource && { resource }) });`,
      `export const grant = { resource: place.resource };`,
      `export const kept = { resource: this.resource };`,
      `export const request = { audience: place.issuer, resource: resourceFor(place, url) };`,
      `const { resource = place.resource } = grant;`,
      `const resource = resourceToRequest(place, scope);`,
      `export const table = { resource: { codes: [] } };`,
      `body.set('scope', scope);`,
    ],
  },
  {
    rule: 'clipboard',
    past: [
      'await vscode.env.clipboard.writeText(`npx ${name}`);',
      `const { clipboard } = vscode.env;`,
      `export const write = env.clipboard.writeText;`,
      `hand(vscode.env.clipboard);`,
    ],
    through: [
      `export const before = await vscode.env.clipboard.readText();`,
      `await copyText(text);`,
    ],
  },
  {
    rule: 'copied-texts',
    past: [
      `import { copyText } from '../ui/clipboard';`,
      `import { copyAddresses, copyDocument } from '../../ui/clipboard';`,
      `import { posixQuoted } from '../base/text/text';`,
      `import { posixQuoted as quoted } from '../base/text/text';`,
    ],
    through: [
      `import { copyAddresses, copyJson } from '../ui/clipboard';`,
      `await copy(text);`,
      `import { plainLabel } from '../base/text/text';`,
    ],
  },
  {
    rule: 'terminal-texts',
    past: [
      'process.stderr.write(`${error.message}\\n`);',
      `export const out = process.stderr;`,
      `const { stderr } = process;`,
    ],
    through: [`tell(error.message);`, `process.stdout.write(usage);`, `const { stderr } = child;`],
  },
  {
    rule: 'model-texts',
    past: [
      `export const part = new vscode.LanguageModelTextPart(text);`,
      `export const part = new LanguageModelDataPart(bytes, type);`,
      `export const part = new vscode.LanguageModelToolResultPart(id, content);`,
      `export const said = new vscode.LanguageModelChatMessage(role, text);`,
      `export const said = vscode.LanguageModelChatMessage.User(text);`,
      `export const said = vscode.LanguageModelChatMessage.Assistant(text);`,
      `const Part = vscode.LanguageModelTextPart;`,
      `const { LanguageModelTextPart: Part } = vscode;`,
      `export const part = { kind: 'text', text, asTyped: true };`,
    ],
    through: [
      `export const part = toModelContent({ kind: 'text', text });`,
      `export const isText = part instanceof vscode.LanguageModelTextPart;`,
      `export const call = new vscode.LanguageModelToolCallPart(id, name, input);`,
      `export const { asTyped } = part;`,
    ],
  },
];

/** Returns the files that a rule lets pass, with the reason of each. */
async function exceptionsOf(rule: string): Promise<Readonly<Record<string, string>>> {
  const path = join(repositoryRoot, 'tools', 'lint', 'doors.mjs');
  const { default: plugin } = (await import(pathToFileURL(path).href)) as {
    readonly default: {
      readonly rules: Readonly<
        Record<string, { readonly meta: { readonly docs: { readonly exceptions: object } } }>
      >;
    };
  };
  return { ...plugin.rules[rule]?.meta.docs.exceptions };
}

/** The types of the code that nothing is of unless it is claimed, as each has a member that nothing else can name. */
function provingTypes(): readonly string[] {
  const folder = join(repositoryRoot, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      const ofProof = /(?:type|interface) (\w+)(?:<[^=]*>)? (?:=|extends)[^;{]*\bProof<'/g;
      const copied = Array.from(text.matchAll(ofProof), ([, type = '']) => type);
      const ofSymbols = [...text.matchAll(/const (\w+): unique symbol/g)].map(([, symbol]) => {
        const before = text.slice(0, text.indexOf(`[${symbol}]`));
        return /(?:type|interface) (\w+)(?![^]*(?:type|interface) \w+[ <])/.exec(before)?.[1] ?? '';
      });
      return [...copied, ...ofSymbols];
    });
}

/** A proof as those of the code are, and what takes it. */
const proven = `
declare const made: unique symbol;
interface Launch { readonly command: string; readonly [made]: true }
declare function start(launch: Launch): void;
declare const foreign: any;`;

/** The ways in which what nothing is known of would pass for anything. */
const claimed = [
  `start(foreign);`,
  `start(JSON.parse('{}'));`,
  `const launch: Launch = foreign; start(launch);`,
  `const { launch }: { launch: Launch } = foreign; start(launch);`,
  `const launches: readonly Launch[] = [...foreign]; launches.forEach(start);`,
  `const admit = (): Launch => foreign; start(admit());`,
  `const admit = (one: unknown): readonly Launch[] => (Array.isArray(one) ? one : []); admit(1);`,
  `export const name: string = foreign.command;`,
  `export const ran = foreign('node');`,
  `const admit = (one: any): Launch => one; start(admit(1));`,
  `// @ts-ignore\nstart({ command: 'node' });`,
  `// @ts-nocheck\nstart({ command: 'node' });`,
  `const launch = { command: 'node' };\n// @ts-expect-error it is\nstart(launch);`,
];

const typed = [
  `declare const admitted: Launch; start(admitted);`,
  `const found: unknown = foreign; export const isText = typeof found === 'string';`,
  `export const values = JSON.parse('[]') as unknown;`,
];

describe('the rules about types', () => {
  for (const folder of ['src', 'cli'] as const)
    it(`let nothing pass for a proof because its type is unknown: ${folder}`, async function () {
      this.timeout(120_000);
      const pieces = [...claimed, ...typed].map((code) => `${code}\nexport {};`);
      const found = await typedComplaintsOf(folder, pieces, proven);
      assert.deepEqual(found, pieces.slice(0, claimed.length));
    });

  it('let no copy of a proof with another part be one', () => {
    // The compiler is what tells.
    // oxlint-disable typescript/no-misused-spread -- that is tried
    const copies = (
      launch: AdmittedLaunch,
      row: PickRow,
      action: UserAction,
      quiet: QuietMoment,
      resource: TokenResource,
    ) => [
      // @ts-expect-error -- It was another launch that was looked at.
      (): AdmittedLaunch => ({ ...launch, type: 'http', url: 'https://example.com', headers: {} }),
      // @ts-expect-error -- Its texts were escaped, and this one was not.
      (): PickRow => ({ ...row, label: '$(x)' }),
      // @ts-expect-error -- The user acted then.
      (): UserAction => ({ ...action, at: Date.now() }),
      // @ts-expect-error -- It is over.
      (): QuietMoment => ({ ...quiet }),
      // @ts-expect-error -- The texts of another launch were looked at.
      (): AdmittedLaunch => changeTexts(launch, (text) => `${text}x`),
      // @ts-expect-error -- It is part of what is made anew.
      (): AdmittedLaunch => changeTexts({ one: [launch] }, (text) => text).one[0] ?? launch,
      // @ts-expect-error -- Those of the one that comes out were not looked at.
      (): Promise<AdmittedLaunch> => mapTexts(launch, (text) => Promise.resolve(text)),
      // @ts-expect-error -- Another resource was found.
      (): TokenResource => changeTexts(resource, (text) => `${text}/a`),
      // @ts-expect-error -- As is this one.
      (): TokenResource => escapeVariables(resource),
      // @ts-expect-error -- What anybody writes is no action of the user.
      (): CallOrigin => ({ kind: 'user', action: { at: Date.now() } }),
      // @ts-expect-error -- Whoever makes a call of the user says by which action, or that there is none.
      (): CallOrigin => ({ kind: 'user' }),
    ];
    // oxlint-enable typescript/no-misused-spread
    assert.equal(copies.length, 5);
  });

  it('make no proof of an object by a symbol, which a copy keeps', () => {
    const folder = join(repositoryRoot, 'src');
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => {
        const text = readFileSync(join(folder, name), 'utf8');
        const all = text.matchAll(/const (\w+): unique symbol/g);
        return Array.from(all, ([, symbol]) => text.slice(0, text.indexOf(`[${symbol}]`)))
          .filter((before) => !/(?:= string & \{|extends Fetch \{)\s*readonly $/.test(before))
          .map(() => name);
      });
    assert.deepEqual(found, []);
  });

  it('and about doors are turned off by no comment', () => {
    const guarding =
      /^(?:$|doors\/|text\/|picks\/|layers\/|typescript\/no-(?:unsafe|explicit)|typescript\/ban)/;
    const found = ['src', 'cli'].flatMap((folder) =>
      readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .flatMap((name) => {
          const text = readFileSync(join(repositoryRoot, folder, name), 'utf8');
          const all = text.matchAll(/(?:oxlint|eslint)-disable(?:-next-line|-line)?([^\n*]*)/g);
          return Array.from(all, ([, rules = '']) => rules.replace(/--.*/s, '').split(','))
            .flat()
            .filter((rule) => guarding.test(rule.trim()))
            .map((rule) => `${name}: ${rule}`);
        }),
    );
    assert.deepEqual(found, []);
  });
});

describe('the rule of the linter about', () => {
  it('each type that is a proof finds who claims that something is of it', async function () {
    this.timeout(60_000);
    const claims = provingTypes().map((name) => `export const one = value as unknown as ${name};`);
    assert.ok(claims.length >= 7, claims.join('\n'));
    const found = new Set<string>();
    for (const rule of ['proofs', 'user-actions', 'keyboard'])
      for (const one of await complainsOf('doors.mjs', `doors/${rule}`, claims)) found.add(one);
    assert.deepEqual([...found].toSorted(), claims.toSorted());
  });

  for (const { plugin: [file, name] = ['doors.mjs', 'doors'], rule, past, through } of doors)
    it(`${rule} finds each way past the door, and leaves others alone`, async function () {
      this.timeout(60_000);
      assert.deepEqual(await complainsOf(file, `${name}/${rule}`, [...past, ...through]), past);
    });

  for (const { rule } of doors.filter(({ plugin }) => !plugin))
    it(`${rule} lets pass only files that are there and need it`, async function () {
      this.timeout(60_000);
      const files = Object.keys(await exceptionsOf(rule));
      const there = files.filter((file) => existsSync(join(repositoryRoot, file)));
      assert.deepEqual(there, files);
      const texts = files.map((file) => readFileSync(join(repositoryRoot, file), 'utf8'));
      const found = await complainsOf('doors.mjs', `doors/${rule}`, texts);
      assert.deepEqual(
        files.filter((_, index) => !found.includes(texts[index] ?? '')),
        [],
      );
    });
});
