import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { sameBytes } from '../src/base/bytes';
import { UserError, errorMessage } from '../src/base/errors';
import type { SecretMask } from '../src/base/secretMask';
import { canonicalJson } from '../src/base/json';
import { looksBinary } from '../src/base/mediaTypes';
import { jsonText } from '../src/base/text/jsonText';
import { formatBytes, plainLabel, terminalText } from '../src/base/text/text';
import { inEnglish, listText } from '../src/base/translate';
import { reportedAs } from '../src/calls/check/checkResult';
import type { Failure } from '../src/calls/expect/judge';
import { type FileReport, type ReportedResult, exitCodeOf } from '../src/calls/report/report';
import { listSpecs } from '../src/mcp/lists/listSpecs';
import { readBytesBelow } from '../src/mcp/node/files/workspaceFiles';
import { type Skill, maxSkillBytes, pathInSkill, skillDigest } from '../src/mcp/protocol/skills';
import type { Server } from '../src/mcp/server';
import { offersNow } from '../src/mcp/serverState';
import {
  type ReadFile,
  type SkillOrigin,
  currentSkill,
  isStatic,
  maxSavedSkills,
  originFile,
  readSkillOrigin,
  readSkillFile,
  skillSteps,
  skillsPlace,
} from '../src/skills/skillFiles';
import { writeOutput } from './givenFiles';
import { launchOfServer, openServer } from './launch';
import { ofOneServer, reporterOf, mannerOf, readArguments, startUsage, withUsage } from './options';
import { signInUsage, SignIns } from './signIn';
import { writeReports } from './runTest';

/** The text that `skills --help` prints. */
export const skillsUsage = `Usage: mcp-workbench skills --server NAME=COMMAND [options]
       mcp-workbench skills --verify --server NAME=COMMAND [--against FOLDER] [options]
       mcp-workbench skills [options] -- COMMAND [arguments]

Lists the skills of a server, or with --verify reads all of their files and fails for what the editor would refuse:
entries that are not valid, files that cannot be read, and sizes, digests and frontmatter that are not as announced.

  --server NAME=COMMAND   the server; a URL connects instead, and without "=" it is that of .vscode/mcp.json or .mcp.json
  --config FILE           the servers of this file, in place of .vscode/mcp.json and .mcp.json
  --env NAME=VALUE        for the server: of the environment here it gets only what starts programs
${startUsage}  --header "NAME: VALUE"  for a server at a URL
${signInUsage}  --verify                check the skills
  --against FOLDER        compare what was saved of them in ${skillsPlace.join('/')} of this folder, too
  --output FILE           write the list or the report there
  --reporter dot|json|junit
  --summary FILE          add a summary in Markdown
  --protocol-version V    speak this revision of the protocol alone
  --without ABILITY       be a client without roots, tasks, apps or extensions
${withUsage}  --verbose               show what the server logs

Exit code: 0 all is as announced and saved, 1 something is not, 2 it could not be checked.
`;

/** Runs `skills`; resolves with the exit code. */
export async function runSkills(
  args: readonly string[],
  secrets: SecretMask,
  signal: AbortSignal,
): Promise<number> {
  const options = { ...ofOneServer, verify: { type: 'boolean', default: false } } as const;
  const { values, launched } = readArguments(args, { options });
  if (values.help) {
    process.stdout.write(skillsUsage);
    return 0;
  }
  const { verify, against, output, summary, verbose } = values;
  if (against !== undefined && !verify) throw new UserError('--against needs --verify.');
  const launch = await launchOfServer('skills', { ...values, launched });
  const reporter = reporterOf(values.reporter);
  const manner = mannerOf(values);
  const signIns = new SignIns({ asks: values['sign-in'], secrets });
  const saved = against === undefined ? [] : await savedIn(against);
  const began = performance.now();
  const session = await openServer(launch, { verbose, secrets, signal, signIns, manner });
  let results: readonly ReportedResult[];
  try {
    const { server } = session;
    const { items, problems } = listOf(server);
    if (!verify) {
      const text = [...items.map(line), ...problems]
        .map((one) => `${terminalText(secrets.apply(one))}\n`)
        .join('');
      if (output === undefined) process.stdout.write(text);
      else await writeOutput(output, text, 'replace');
      return 0;
    }
    const left = problems.map((message) => failed('skills/list', [{ message }]));
    results = [...left, ...(await new Verification(server, signal).results(items, saved))];
    listOf(server);
  } finally {
    await session.end();
  }
  // What reads reports takes one without results for a run that did not happen.
  if (results.length === 0) results = [reportedAs('no skills')];
  const durationMs = performance.now() - began;
  const files: readonly FileReport[] = [{ path: launch.name, results, problems: [], durationMs }];
  await writeReports(files, { reporter, output, summary, secrets });
  return exitCodeOf(files);
}

/** Returns the list of skills; throws a `UserError` if the server has none to list, or it was not read. */
function listOf({ name, state, skills }: Server): Server['skills'] {
  if (!offersNow(state, listSpecs.skills))
    throw new UserError(`The server "${name}" does not run, or has no skills.`);
  if (skills.error !== undefined)
    throw new UserError(`The list of skills was not read: ${skills.error}`);
  return skills;
}

function line({ uri, frontmatter, resources }: Skill): string {
  if (resources === 'dynamic') return `${frontmatter.name}  ${uri}  generated on each request`;
  const bytes = resources.reduce((sum, { size }) => sum + size, 0);
  const files = resources.length === 1 ? '1 file' : `${resources.length} files`;
  return `${frontmatter.name}  ${uri}  ${files}, ${formatBytes(bytes)}`;
}

/** A skill that was saved in a folder. */
interface SavedSkill {
  readonly folder: string;
  readonly name: string;
  /** `undefined` for one that was not saved from a server. */
  readonly origin: SkillOrigin | undefined;
}

/** Reads what was saved in a folder; rejects with a `UserError` if that is nothing, or leads out of the folder. */
async function savedIn(given: string): Promise<readonly SavedSkill[]> {
  const folder = resolve(given);
  const entries = await readdir(join(folder, ...skillsPlace), { withFileTypes: true }).catch(
    (cause: unknown) => {
      throw new UserError(`${given} has no folder ${skillsPlace.join('/')}.`, { cause });
    },
  );
  const found = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
  if (found.length > maxSavedSkills)
    throw new UserError(`${given} has more than ${maxSavedSkills} saved skills.`);
  const saved: SavedSkill[] = [];
  for (const { name } of found.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const note = await readSaved({ folder, name }, [originFile]);
    const origin = readSkillOrigin(note && new TextDecoder().decode(note));
    saved.push({ folder, name, origin });
  }
  return saved;
}

/** Reads a file of a saved skill; `undefined` if it does not exist. */
function readSaved(
  { folder, name }: Pick<SavedSkill, 'folder' | 'name'>,
  steps: readonly string[],
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const root = { scheme: 'file', authority: '', path: folder, fsPath: folder };
  return readBytesBelow(root, [...skillsPlace, name, ...steps], maxSkillBytes);
}

function failed(name: string, failures: readonly Failure[]): ReportedResult {
  return { ...reportedAs(plainLabel(name, 200)), outcome: 'failed', failures };
}

/** One pass over the skills of a server. */
class Verification {
  private readonly server: Server;
  private readonly signal: AbortSignal;

  constructor(server: Server, signal: AbortSignal) {
    this.server = server;
    this.signal = signal;
  }

  /** Returns one result for each skill that is listed, and for each saved one that is not. */
  async results(
    listed: readonly Skill[],
    saved: readonly SavedSkill[],
  ): Promise<readonly ReportedResult[]> {
    const results: ReportedResult[] = [];
    for (const skill of listed) {
      const own = saved.filter(({ origin }) => origin?.uri === skill.uri);
      const others = saved.filter(
        (one) => one.name === skill.frontmatter.name && !own.includes(one),
      );
      const result = await this.verify(skill, own);
      const foreign = others.map(({ name }) => `${placeOf(name)} is not of it: not compared.`);
      results.push({ ...result, warnings: [...result.warnings, ...foreign] });
    }
    const known = new Set(listed.map(({ uri }) => uri));
    for (const one of saved) {
      const { uri } = one.origin ?? {};
      if (uri !== undefined && !known.has(uri)) results.push(await this.verifyUnlisted(one, uri));
    }
    return results;
  }

  private async verifyUnlisted(saved: SavedSkill, uri: string): Promise<ReportedResult> {
    const { server, signal } = this;
    let skill: Skill;
    try {
      skill = await server.getSkill(uri, { signal });
    } catch (error) {
      signal.throwIfAborted();
      const why = `Not compared, as the server does not have ${uri}: ${errorMessage(error)}`;
      return { ...reportedAs(placeOf(plainLabel(saved.name, 100))), warnings: [why] };
    }
    return this.verify(skill, [saved]);
  }

  private async verify(listed: Skill, saved: readonly SavedSkill[]): Promise<ReportedResult> {
    const { server, signal } = this;
    const failures: Failure[] = [];
    const collect = (error: unknown) => {
      signal.throwIfAborted();
      failures.push({ message: errorMessage(error) });
    };
    const given = { server, skill: listed };
    const { skill } = (await currentSkill(given, { signal }).catch(collect)) ?? given;
    if (canonicalJson(skill) !== canonicalJson(listed))
      failures.push({
        message: 'skills/get has another entry than skills/list.',
        expected: jsonText(listed, 2),
        actual: jsonText(skill, 2),
      });
    const uris = isStatic(skill) ? skill.resources.map(({ uri }) => uri) : [skill.uri];
    const files: ReadFile[] = [];
    for (const uri of uris) {
      const file = await readSkillFile({ server, skill }, uri, signal).catch(collect);
      if (file) files.push(file);
    }
    for (const one of saved)
      failures.push(...((await compare(one, skill, files).catch(collect)) ?? []));
    const { name } = skill.frontmatter;
    if (failures.length > 0) return failed(name, failures);
    const dynamic = 'It is generated on each request: nothing says what its files have to be.';
    return { ...reportedAs(name), warnings: isStatic(skill) ? [] : [dynamic] };
  }
}

const placeOf = (name: string) => [...skillsPlace, name].join('/');

/** Returns how what was saved differs from what the server has now. */
async function compare(
  saved: SavedSkill,
  skill: Skill,
  files: readonly ReadFile[],
): Promise<readonly Failure[]> {
  const place = placeOf(saved.name);
  if (!isStatic(skill))
    return [
      { message: `${place} cannot be compared: the skill is generated on each request now.` },
    ];
  const { files: noted = {} } = saved.origin ?? {};
  const failures: Failure[] = [];
  for (const { path, bytes } of files) {
    const mine = await readSaved(saved, skillSteps(path));
    const before = Object.hasOwn(noted, path) ? noted[path] : undefined;
    if (!mine) failures.push({ message: `${place}/${path} is missing.` });
    else if (!sameBytes(mine, bytes)) {
      const isByHand = (await skillDigest(mine)) !== before;
      const isNew = (await skillDigest(bytes)) !== before;
      const why = [
        ...(isByHand ? ['it was changed here since it was saved'] : []),
        ...(isNew ? ['the server has another now'] : []),
      ];
      failures.push({
        message: `${place}/${path}: ${why.join(', and ')}.`,
        ...textsOf(mine, bytes),
      });
    }
  }
  const paths = new Set(skill.resources.map(({ uri }) => pathInSkill(uri, skill)));
  const gone = Object.keys(noted).filter((path) => !paths.has(path));
  if (gone.length > 0) {
    const names = listText(
      gone.slice(0, 20).map((path) => plainLabel(path, 100)),
      inEnglish,
    );
    const more = gone.length > 20 ? ` and ${gone.length - 20} more` : '';
    failures.push({
      message: `${place} has files that the server no longer has: ${names}${more}.`,
    });
  }
  return failures;
}

/** Returns what a difference is shown of, where both are texts. */
function textsOf(mine: Uint8Array, theirs: Uint8Array): Pick<Failure, 'expected' | 'actual'> {
  if (looksBinary(mine) || looksBinary(theirs)) return {};
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { expected: text(mine), actual: text(theirs) };
}
