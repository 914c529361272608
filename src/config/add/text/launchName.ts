import type { McpJsonServer } from '../importedServer';
import { launchVerb } from './commandStart';
import { readContainerRun } from './containerRun';

/** The options of launchers that take the next word as their value, which does not name the server. */
const launcherOptions: readonly (readonly [launcher: RegExp, option: RegExp])[] = [
  [/^uvx?$/, /^(?:-p|--(?:from|with|python|index-url))$/],
];
/** A part of a path that says nothing about the server. */
const commonPart =
  /^(?:|~|\.{1,2}|\$\{[^}]*\}|[A-Za-z]:?|index|main|server|cli|app|start|dist|build|src|bin|out|lib)$/;

/** Returns a name for an unnamed server, from its URL or from what it launches. */
export function nameOf(server: McpJsonServer): string {
  const { url, command, args } = server;
  if (typeof url === 'string') return nameOfUrl(url);
  const image = readContainerRun(server)?.image;
  if (image !== undefined) return nameOfPackage(image);
  const list = Array.isArray(args) ? args.map(String) : [];
  const [, option] = launcherOptions.find(([launcher]) => launcher.test(String(command))) ?? [];
  const words = list.filter((arg, at) => !arg.startsWith('-') && !option?.test(list[at - 1] ?? ''));
  return nameOfPackage(words.find((word) => !launchVerb.test(word)) ?? String(command));
}

/** Returns a name for a server from its URL. */
export function nameOfUrl(url: string): string {
  try {
    return new URL(url).hostname.replace(/^(?:mcp|www|api)\./, '') || 'server';
  } catch {
    return 'server';
  }
}

/** Returns a name for a server from the path, package or image that it is launched from. */
export function nameOfPackage(target: string): string {
  const parts = target
    .replace(/(.)@[^/]*$/, '$1')
    .split(/[\\/]/)
    .map((part) => part.replace(/\.(?:[cm]?js|ts|py|exe|cmd)$|(?!^):[\w.-]*$/, ''));
  const telling = parts.findLast((part) => !commonPart.test(part)) ?? parts.at(-1) ?? target;
  return telling.replace(/^(?:mcp-)?server-/, '') || 'server';
}
