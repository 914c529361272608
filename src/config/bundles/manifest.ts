import { asRecord, isRecord, type JsonRecord } from '../../base/json';
import { deepestShown, measureJson } from '../../base/measureJson';
import { plainLabel } from '../../base/text/text';
import type { Translate } from '../../base/translate';

/** The largest manifest of a bundle, in bytes. */
export const maxManifestBytes = 1_000_000;

/** The parts of a bundle's manifest that its server is made from. */
export interface BundleManifest {
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
export type BundleKind = (typeof kinds)[number];

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
        plainLabel(platforms.map(String).join(', '), 60),
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
