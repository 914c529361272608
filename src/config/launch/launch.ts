import { canonicalJson } from '../../base/json';
import { looksSecret } from '../../base/secrets';
import { addressAsRead, addressLabel } from '../../base/text/address';
import { plainLabel, revealHidden } from '../../base/text/text';
import { type Translate, inEnglish, pairText } from '../../base/translate';
import { kindOf } from '../../mcp/launch/launchKinds';
import type { ServerConfig } from '../../mcp/serverConfig';
import { type LaunchPart, launchHeadings } from './kinds/launchRules';
import { rulesOf } from './kinds/rulesOf';
import { type Values, boundValues, namedValues } from './launchValues';

/** How a launch has changed: lines that are new, and lines that are gone. */
interface LaunchChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Compares two texts of a launch line by line, regardless of order; titles and blank lines do not count. */
export function launchChanges(before: string, now: string): LaunchChanges {
  const [old, young] = [linesOf(before), linesOf(now)];
  return { added: without(young, old), removed: without(old, young) };
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => (/^\s+\S/.test(line) ? [line.trim()] : []));
}

/** Returns the lines that occur more often here than in `others`. */
function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

/** What would run or be reached, as the user is asked about it. */
export interface Launch {
  readonly serverName: string;
  /** Where it is configured, for people. */
  readonly place: string;
  /**
   * What runs once it is trusted: with the program resolved to its file, variables replaced, and the values of
   * its file of variables among the others. Only inputs are not filled in before the user agrees.
   */
  readonly config: ServerConfig;
  /** The configuration as written, without the values from its file of variables; of the same kind. */
  readonly written: ServerConfig;
  /** The names of the stored values that were entered for other launches and that this one would get. */
  readonly sends?: readonly string[];
  /** The key that the marks of hidden values are made with: the same for all marks that are compared. */
  readonly markKey?: string;
}

/** Returns the words of a command, or an address as what connects reads it, with hidden characters shown. */
function wordsOf(config: ServerConfig): readonly string[] {
  const kind = kindOf(config);
  const words = kind.line(config);
  return (kind.isProcess ? words : words.map(addressAsRead)).map(oneLine);
}

/** Returns the command line, or the address as what connects reads it, whole on one line, with hidden characters shown. */
export function launchLine(config: ServerConfig): string {
  return wordsOf(config).join(' ');
}

/** Returns this line as a label, which of an address keeps the host, however long it is. */
export function shortLine(config: ServerConfig, maxLength: number): string {
  const label = kindOf(config).isProcess ? plainLabel : addressLabel;
  return label(launchLine(config), maxLength);
}

/** Describes the whole launch in a text with a line for each argument, and warnings before what runs or is reached. */
export function launchText(launch: Launch, t: Translate = inEnglish): string {
  const { serverName, place, config } = launch;
  const lines = wordsOf(config).join('\n');
  const all: readonly LaunchPart[] = [
    { heading: 'server', text: serverName },
    { heading: 'place', text: place },
    { heading: 'warnings', text: launchWarnings(launch, t).join('\n') },
    ...partsOf(launch, lines, t),
  ];
  return all
    .flatMap(({ heading, text }) =>
      text ? [`${sectionText(launchHeadings[heading](t), text)}\n`] : [],
    )
    .join('\n');
}

function headingIn(english: string, t: Translate): string {
  const all = Object.values(launchHeadings);
  return all.find((heading) => heading(inEnglish) === english)?.(t) ?? english;
}

/** Returns a {@link launchText} that was kept in English, to be compared in any language, with its headings in the user's. */
export function withHeadings(text: string, t: Translate): string {
  return text.replaceAll(/^\S.*$/gm, (heading) => headingIn(heading, t));
}

/**
 * Shortens a {@link launchText} that was kept in English to one line: what runs or is reached first, without the server's
 * name and place.
 */
export function storedLine(text: string, t: Translate): string {
  const sections = text.split('\n\n').slice(2);
  const title = `${launchHeadings.warnings(inEnglish)}\n`;
  const warns = (section: string) => section.startsWith(title);
  return [...sections.filter((one) => !warns(one)), ...sections.filter(warns)]
    .map((section) => section.trimEnd().split('\n    '))
    .map(([heading = '', ...lines], index) =>
      index === 0 ? lines.join(' ') : pairText(headingIn(heading, t), lines.join(' '), t),
    )
    .join(' · ');
}

/** A part of a launch under its title. */
export interface LaunchSection {
  readonly title: string;
  readonly lines: readonly string[];
  /** True for a part that every launch of its kind has, so that its line may leave it out. */
  readonly isUsual: boolean;
}

/** Describes what would run or be reached, line by line, with the command line on one line. */
export function launchSections(launch: Launch, t: Translate): readonly LaunchSection[] {
  return partsOf(launch, launchLine(launch.config), t).flatMap(
    ({ heading, text, isUsual = false }) =>
      text
        ? [{ title: launchHeadings[heading](t), lines: revealHidden(text).split('\n'), isUsual }]
        : [],
  );
}

/** Returns what a decision about a launch is bound to; only for a fingerprint, as it may contain secrets. */
export function launchIdentity({ place, config, written }: Launch): unknown {
  const rules = rulesOf(config);
  const values = { written: rules.values(written), config: rules.values(config) };
  return { place, ...rules.bound(config, written, boundValues(values)) };
}

/**
 * Returns sentences about what is worth knowing: first which values it would get, and then such as what makes it run
 * something other than it names.
 */
export function launchWarnings(
  { config, sends = [] }: Pick<Launch, 'config' | 'sends'>,
  t: Translate = inEnglish,
): readonly string[] {
  const rules = rulesOf(config);
  return [...sends.map((value) => rules.sends(config, value, t)), ...rules.warnings(config, t)];
}

function sectionText(title: string, text: string): string {
  return `${title}\n${revealHidden(text).replaceAll(/^/gm, '    ')}`;
}

function oneLine(text: string): string {
  return revealHidden(text).replaceAll('\n', '⏎');
}

function partsOf({ config, written, markKey = '' }: Launch, line: string, t: Translate) {
  const rules = rulesOf(config);
  const names = rules.values(written);
  const part = (isOwn: boolean) =>
    Object.fromEntries(
      Object.entries(rules.values(config)).filter(([name]) => Object.hasOwn(names, name) === isOwn),
    );
  const own = { written: names, config: part(true) };
  const ofFile = { written: {}, config: part(false) };
  return rules.parts(config, written, { line, own, ofFile, markKey }, t);
}

/** Returns what no log may show of a launch, or of the environment variables that its configuration names. */
export function launchSecrets(config: ServerConfig, written: ServerConfig, env: Values): string[] {
  return [...lineSecrets(config, written, env), ...rulesOf(config).secrets(config)];
}

/** Returns what looks secret in the command line or address itself, or in the environment variables that it names. */
export function lineSecrets(config: ServerConfig, written: ServerConfig, env: Values): string[] {
  const named = Object.fromEntries(
    Array.from(canonicalJson(written).matchAll(/\$\{(?:env:)?(\w+)/g), ([, name = '']) => [
      name,
      env[name],
    ]),
  );
  return [...namedValues(named, looksSecret), ...rulesOf(config).lineSecrets(config)];
}
