import { escapeMarkup } from '../../base/text/markup';

/** The fields of an extension's manifest that its package needs. */
export interface VsixManifest {
  readonly publisher: string;
  readonly name: string;
  readonly version: string;
  readonly displayName: string;
  readonly description: string;
}

/** Makes the package (VSIX) of an extension that consists of its manifest and of files, given by their paths in it. */
export async function createVsix(
  manifest: VsixManifest,
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<Uint8Array> {
  const { strToU8, zipSync } = await import('fflate');
  return zipSync({
    '[Content_Types].xml': strToU8(contentTypes),
    'extension.vsixmanifest': strToU8(packageManifest(manifest)),
    'extension/package.json': strToU8(JSON.stringify(manifest)),
    ...Object.fromEntries(
      Object.entries(files).map(([path, content]) => [
        `extension/${path}`,
        typeof content === 'string' ? strToU8(content) : content,
      ]),
    ),
  });
}

const contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension=".json" ContentType="application/json"/><Default Extension=".vsixmanifest" ContentType="text/xml"/><Default Extension=".md" ContentType="text/markdown"/><Default Extension=".png" ContentType="image/png"/></Types>
`;

function packageManifest(manifest: VsixManifest): string {
  const [name, version, publisher] = [manifest.name, manifest.version, manifest.publisher].map(
    escapeMarkup,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/>
    <DisplayName>${escapeMarkup(manifest.displayName)}</DisplayName>
    <Description xml:space="preserve">${escapeMarkup(manifest.description)}</Description>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>
`;
}
