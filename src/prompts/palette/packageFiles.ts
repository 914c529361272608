import { companion } from './companionManifest';

/** The longest time that installing one version takes: anything older was left behind by a killed window. */
const longestInstallMs = 600_000;

/** Returns a version of the generated extension, higher than all earlier ones, and the file to install it from. */
export function newPackage(now: number): { readonly version: string; readonly file: string } {
  const version = `1.0.${now}`;
  return { version, file: `${companion.name}-${version}.vsix` };
}

/** Returns those file names in a folder that windows killed during an install left behind. */
export function leftPackages(names: readonly string[], now: number): readonly string[] {
  return names.filter((name) => {
    // This includes partially written files, whose names have something after the extension.
    const [begin = '', rest] = name.split('.vsix');
    const prefix = `${companion.name}-1.0.`;
    if (rest === undefined || !begin.startsWith(prefix)) return false;
    return now - Number(begin.slice(prefix.length)) > longestInstallMs;
  });
}
