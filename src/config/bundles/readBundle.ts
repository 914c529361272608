import * as vscode from 'vscode';
import { shownPath } from '../../base/uri/fileAddress';
import { UserError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import type { Platform } from '../../mcp/platform';
import { readFileBytes } from '../../ui/documents/readTextFile';
import { askLine } from '../../ui/steps/askLine';
import type { StepFrame } from '../../ui/steps/stepFrame';
import {
  type ImportedServer,
  type InputEntry,
  inputIdOf,
  inputReference,
  toMcpJson,
} from '../add/importedServer';
import type { BundleFolders } from './bundleFolders';
import { listZip, maxBundleBytes, readZipEntry } from './zip';
import { type JsonRecord, asRecord, isRecord } from '../../base/json';
import { deepestShown, measureJson } from '../../base/measureJson';
import { listText, type Translate } from '../../base/translate';

/** The largest manifest of a bundle, in bytes. */
const maxManifestBytes = 1_000_000;

/** The parts of a bundle's manifest that its server is made from. */
interface BundleManifest {
  /** Its display name or, without one, its `name`; also used as the server's name. */
  readonly name: string;
  readonly kind: BundleKind;
  /** The file that starts it, relative to the bundle; empty if the manifest names none. */
  readonly entryPoint: string;
  /** The command line with its variables, as far as the manifest specifies one. */
  readonly launch: JsonRecord;
  readonly userConfig: JsonRecord;
}

const kinds = ['node', 'python', 'binary', 'uv'] as const;

/** The kind of server in a bundle, which determines how it is started. */
type BundleKind = (typeof kinds)[number];

const versions = ['0.1', '0.2', '0.3', '0.4'];

/** Reads the text of a `manifest.json` for a system, named as Node names it; a problem is a whole sentence. */
export function readManifest(
  text: string,
  system: string,
  t: Translate,
): BundleManifest | { readonly problem: string } {
  const manifest = parse(text);
  if (!manifest) return { problem: t('The manifest of the bundle cannot be read.') };
  const version = String(manifest['manifest_version'] ?? manifest['dxt_version']);
  if (!versions.includes(version))
    return {
      problem: t(
        'The bundle has a manifest of the unknown version "{0}".',
        plainLabel(version, 20),
      ),
    };
  const { server, display_name: title, name: id, compatibility } = manifest;
  const name = textOf(title) ?? textOf(id);
  const { type, entry_point: entry, mcp_config: config } = asRecord(server);
  const kind = kinds.find((one) => one === type);
  if (name === undefined || !kind)
    return {
      problem: t('The manifest of the bundle lacks a name or a server that can be started.'),
    };
  const { platforms } = asRecord(compatibility);
  if (Array.isArray(platforms) && platforms.length > 0 && !platforms.includes(system))
    return {
      problem: t(
        'The bundle is not for this system: it runs on {0}.',
        plainLabel(listText(platforms.map(String), t), 60),
      ),
    };
  const launch = launchOn(asRecord(config), system);
  const userConfig = asRecord(manifest['user_config']);
  return { name, kind, entryPoint: textOf(entry) ?? '', launch, userConfig };
}

/** The launch for every system, with the overrides for this one applied. */
function launchOn({ platform_overrides: overrides, ...launch }: JsonRecord, system: string) {
  const own = asRecord(asRecord(overrides)[system]);
  return { ...launch, ...own, env: { ...asRecord(launch['env']), ...asRecord(own['env']) } };
}

function parse(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && measureJson(value).depth <= deepestShown ? value : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Where a bundle is once it is unpacked, and the home folder and path separator of that machine. */
interface BundlePlace {
  /** The absolute path of its folder. */
  readonly folder: string;
  readonly home: string;
  readonly separator: string;
}

/** A value that may have any number of items, so that no input can stand for it. */
interface BundleList {
  readonly key: string;
  readonly title: string;
  readonly description: string;
  readonly initial: readonly string[];
}

/** Returns the values of a manifest that the user provides as a list. */
export function listsOf({ userConfig }: BundleManifest, place: BundlePlace): readonly BundleList[] {
  return Object.entries(userConfig).flatMap(([key, value]) => {
    const { multiple, title, description, default: initial } = asRecord(value);
    if (multiple !== true) return [];
    const texts = [initial ?? []].flat().map(String);
    return [
      {
        key,
        title: typeof title === 'string' ? title : key,
        description: typeof description === 'string' ? description : '',
        initial: texts.map((text) => fillPlaces(text, place)),
      },
    ];
  });
}

/** Returns a bundle's server, with inputs for what the user provides; `undefined` if its command line is invalid. */
export function serverOfBundle(
  manifest: BundleManifest,
  place: BundlePlace,
  lists: ReadonlyMap<string, readonly string[]>,
): ImportedServer | undefined {
  const { name, launch, userConfig } = manifest;
  const inputs = new Map<string, InputEntry>();
  const whole = (text: string): readonly string[] => {
    const key = /^\$\{user_config\.([^}]*)\}$/.exec(text)?.[1];
    return (key !== undefined && lists.get(key)) || [fill(text)];
  };
  const fill = (text: string): string =>
    fillPlaces(text, place).replaceAll(
      /\$\{user_config\.((?:(?!\$\{)[^}])*)\}/g,
      (mark, key: string) => {
        const list = lists.get(key);
        if (list) return list.join(',');
        const definition = Object.hasOwn(userConfig, key) ? userConfig[key] : undefined;
        if (!isRecord(definition)) return mark;
        const input = inputOf(name, key, definition, place);
        inputs.set(input.id, input);
        return inputReference(input.id);
      },
    );
  const { command, args } = { ...usualLaunch(manifest), ...launch };
  const env = Object.entries(asRecord(launch['env'])).map(
    ([key, value]) => [key, typeof value === 'string' ? fill(value) : value] as const,
  );
  const server = toMcpJson({
    type: 'stdio',
    command: typeof command === 'string' ? inBundle(fill(command), place) : command,
    args: (Array.isArray(args) ? (args as unknown[]) : []).flatMap((arg): readonly unknown[] =>
      typeof arg === 'string' ? whole(arg) : [arg],
    ),
    ...(env.length > 0 && { env: Object.fromEntries(env) }),
    // Paths in a manifest are relative to the bundle.
    cwd: place.folder,
  });
  return server && { name, server, ...(inputs.size > 0 && { inputs: [...inputs.values()] }) };
}

/** The default launch for a bundle of this kind, for whatever its manifest leaves out. */
function usualLaunch({ kind, entryPoint }: BundleManifest): JsonRecord {
  const entry = `\${__dirname}/${entryPoint}`;
  switch (kind) {
    case 'node':
      return { command: 'node', args: [entry] };
    case 'python':
      return { command: 'python', args: [entry] };
    case 'uv':
      return { command: 'uv', args: ['run', '--directory', '${__dirname}', entryPoint] };
    case 'binary':
      return { command: entry };
  }
}

/** Makes the relative path of a program within the bundle absolute. */
function inBundle(command: string, { folder, separator }: BundlePlace): string {
  const isRelative = /^[^/\\$]+[/\\]/.test(command) && !/^[A-Za-z]:/.test(command);
  return isRelative ? folder + separator + command.replace(/^\.[/\\]/, '') : command;
}

function fillPlaces(text: string, { folder, home, separator }: BundlePlace): string {
  const known: Readonly<Record<string, string>> = {
    __dirname: folder,
    HOME: home,
    DESKTOP: home + separator + 'Desktop',
    DOCUMENTS: home + separator + 'Documents',
    DOWNLOADS: home + separator + 'Downloads',
    pathSeparator: separator,
    '/': separator,
  };
  return text.replaceAll(/\$\{([\w/]+)\}/g, (mark, key: string) =>
    Object.hasOwn(known, key) ? (known[key] ?? mark) : mark,
  );
}

function inputOf(
  name: string,
  key: string,
  { type, title, description, sensitive, default: initial }: JsonRecord,
  place: BundlePlace,
): InputEntry {
  const texts = [title, description].filter((text) => typeof text === 'string');
  const isSecret = sensitive === true;
  const value = ['string', 'number', 'boolean'].includes(typeof initial)
    ? fillPlaces(String(initial), place)
    : undefined;
  return {
    id: inputIdOf(name, key),
    description: texts.join(': ') || key,
    ...(value !== undefined && !isSecret && { default: value }),
    ...(type === 'boolean'
      ? { type: 'pickString', options: ['true', 'false'] }
      : { type: 'promptString', password: isSecret }),
  };
}

/**
 * Reads the bundle at a path or a `file:` URL, which is unpacked only when its server is written; `undefined` if the
 * user dismissed a question. Rejects with a `UserError` if it cannot be used.
 */
export async function readBundle(
  path: string,
  { programs }: Pick<Platform, 'programs'>,
  folders: BundleFolders,
  frame: StepFrame,
): Promise<ImportedServer | undefined> {
  const { t } = vscode.l10n;
  if (!programs) throw new UserError(t('This window cannot start processes.'));
  const bytes = await readFile(path, programs.home);
  const entries = orThrow(listZip(bytes, t));
  const entry = entries.find((one) => one.path === 'manifest.json');
  const text = entry && entry.size <= maxManifestBytes && (await readZipEntry(bytes, entry));
  if (!text) throw new UserError(t('The manifest of the bundle cannot be read.'));
  const manifest = orThrow(readManifest(new TextDecoder().decode(text), programs.system, t));
  const folder = folders.reserve(manifest.name);
  const place = { folder: folder.fsPath, home: programs.home, separator: programs.separator };
  const lists = await askLists(manifest, place, frame);
  if (!lists) return undefined;
  const server = serverOfBundle(manifest, place, lists);
  if (!server)
    throw new UserError(t('The manifest of the bundle lacks a command that can be run.'));
  return { ...server, unpack: (to) => folders.unpack(folder, bytes, entries, to) };
}

function orThrow<T extends object>(read: T | { readonly problem: string }): T {
  if ('problem' in read) throw new UserError(read.problem);
  return read;
}

async function readFile(path: string, home: string): Promise<Uint8Array> {
  const { t } = vscode.l10n;
  const uri = path.startsWith('file:')
    ? vscode.Uri.parse(path)
    : vscode.Uri.file(path.replace(/^~(?=[\\/])/, () => home));
  const shown = plainLabel(shownPath(uri), 100);
  try {
    return await readFileBytes(uri, maxBundleBytes);
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw new UserError(t('{0} cannot be read.', shown), { cause });
  }
}

/** Asks for the values that are lists; `undefined` if the user dismissed a question. */
async function askLists(
  manifest: BundleManifest,
  place: BundlePlace,
  frame: StepFrame,
): Promise<ReadonlyMap<string, readonly string[]> | undefined> {
  const given = new Map<string, readonly string[]>();
  for (const { key, title, description, initial } of listsOf(manifest, place)) {
    const what = plainLabel([title, description].filter(Boolean).join(': '), 300);
    const text = await askLine({
      frame,
      prompt: vscode.l10n.t('{0} (separate several with semicolons)', what),
      value: initial.join(';'),
    });
    if (text === undefined) return undefined;
    const values = text.split(';').map((one) => one.trim());
    given.set(key, values.filter(Boolean));
  }
  return given;
}
