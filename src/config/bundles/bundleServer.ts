import { asRecord, isRecord, type JsonRecord } from '../../base/json';
import {
  inputIdOf,
  inputReference,
  toMcpJson,
  type ImportedServer,
  type InputEntry,
} from '../add/importedServer';
import type { BundleManifest } from './manifest';

/** Where a bundle is once it is unpacked, and the home folder and path separator of that machine. */
export interface BundlePlace {
  /** The absolute path of its folder. */
  readonly folder: string;
  readonly home: string;
  readonly separator: string;
}

/** A value that may have any number of items, so that no input can stand for it. */
export interface BundleList {
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
    fillPlaces(text, place).replaceAll(/\$\{user_config\.([^}]*)\}/g, (mark, key: string) => {
      const list = lists.get(key);
      if (list) return list.join(',');
      const definition = Object.hasOwn(userConfig, key) ? userConfig[key] : undefined;
      if (!isRecord(definition)) return mark;
      const input = inputOf(name, key, definition, place);
      inputs.set(input.id, input);
      return inputReference(input.id);
    });
  const { command, args } = { ...usualLaunch(manifest), ...launch };
  const env = Object.entries(asRecord(launch['env'])).map(([key, value]) => [
    key,
    typeof value === 'string' ? fill(value) : value,
  ]);
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
