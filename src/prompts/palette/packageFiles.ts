import { companion } from './companionManifest';

/** The longest that an installation of one version takes: what is there for longer, a killed window left. */
const longestInstallMs = 600_000;

/** A version of the generated extension, and the file that it is installed from; later ones are higher. */
export function newPackage(now: number): { readonly version: string; readonly file: string } {
  const version = `1.0.${now}`;
  return { version, file: `${companion.name}-${version}.vsix` };
}

/** Those among the names in a folder that windows which were killed while installing left there. */
export function leftPackages(names: readonly string[], now: number): readonly string[] {
  return names.filter((name) => {
    // Also what was not written to its end, which has more behind its name.
    const [begin = '', rest] = name.split('.vsix');
    const prefix = `${companion.name}-1.0.`;
    if (rest === undefined || !begin.startsWith(prefix)) return false;
    return now - Number(begin.slice(prefix.length)) > longestInstallMs;
  });
}
