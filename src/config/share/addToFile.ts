import { UserError } from '../../base/errors';
import type { Translate } from '../../base/translate';
import { canonicalJson } from '../../mcp/serverConfig';
import { inputsIn, readInputEntries, type ImportedServer } from '../add/importedServer';
import { AdmittedServers } from '../add/admission';
import { withTimes, type Application } from '../applications/application';
import { readJson } from '../applications/jsonFile';

/** Returns the servers in an application's file that {@link addToFile} can replace, by name. */
export async function ownServers(
  { read, readOwn = read }: Pick<Application, 'read' | 'readOwn'>,
  text: string,
): Promise<ReadonlyMap<string, ImportedServer>> {
  const found = await readOwn(text);
  return new Map(found.map((one) => [one.name, one]));
}

/**
 * Returns the text of an application's file with servers added. Rejects with a `UserError` if that would change
 * another server in the file, as not every style of file can be edited.
 */
export async function addToFile(
  application: Application,
  text: string,
  servers: readonly ImportedServer[],
  t: Translate,
): Promise<string> {
  const before = await ownServers(application, text);
  const names = new Set(servers.map(({ name }) => name));
  const others = [...before.values()].filter(({ name }) => !names.has(name));
  // Whoever reads the file may have values of what it defines; only what no other server uses is of the replaced ones.
  const used = others.flatMap((one) => inputsIn(one.server));
  const replaced = [...before.values()].filter(({ name }) => names.has(name));
  const own = new Set(replaced.flatMap((one) => inputsIn(one.server)));
  const defined = application.carries.inputs ? readInputEntries(readJson(text)['inputs']) : [];
  const taken = [...used, ...defined.map(({ id }) => id).filter((id) => !own.has(id))];
  const named = servers.map((one) => ({
    ...one,
    server: withTimes(one.server, application.carries.times),
  }));
  const written = await application.write(text, AdmittedServers.admit(named, taken));
  const after = await ownServers(application, written);
  const isKept = others.every((one) => canonicalJson(one) === canonicalJson(after.get(one.name)));
  if (!isKept || [...names].some((name) => !after.has(name)))
    throw new UserError(
      t(
        'The file of {0} cannot be changed safely. Add the servers there by hand.',
        application.label,
      ),
    );
  return written;
}
