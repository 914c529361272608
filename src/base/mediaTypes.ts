import { toHex } from './bytes';

/** The size of an image in pixels. */
interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Reads the size that a PNG, JPEG or WebP image declares; `undefined` if it declares none or is something else. */
export function imageSize(bytes: Uint8Array): ImageSize | undefined {
  if (bytes.length < 32) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (sniffMediaType(bytes)) {
    case 'image/png':
      return { width: view.getUint32(16), height: view.getUint32(20) };
    case 'image/jpeg':
      return jpegSize(view);
    case 'image/webp':
      return webpSize(view);
    default:
      return undefined;
  }
}

/** Goes from segment to segment, each of which states its length, to the frame header. */
function jpegSize(view: DataView): ImageSize | undefined {
  for (let at = 2; at + 9 <= view.byteLength; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint16(at);
    if (marker < 0xffc0) return undefined;
    // Some markers among those of frame headers are for tables.
    if (marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker))
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
  }
  return undefined;
}

function webpSize(view: DataView): ImageSize | undefined {
  switch (view.getUint32(12)) {
    case 0x56503820: // `VP8 `
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    case 0x5650384c: {
      // `VP8L`
      const packed = view.getUint32(21, true);
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    case 0x56503858: // `VP8X`
      return {
        width: (view.getUint32(24, true) & 0xffffff) + 1,
        height: (view.getUint32(26, true) >>> 8) + 1,
      };
    default:
      return undefined;
  }
}

/** What an editor does with a document: show text, preview media, or neither. */
export type MediaKind = 'text' | 'image' | 'audio' | 'video' | 'pdf' | 'binary';

/*
 * File extensions by media type, the usual one first. The editor chooses languages, previews and
 * icons by extension, so this is how a media type reaches it.
 */
const extensions: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'application/gzip': 'gz',
    'application/javascript': 'js mjs cjs',
    'application/json': 'json code-workspace geojson ipynb jsonc map webmanifest',
    'application/jsonl': 'jsonl',
    'application/pdf': 'pdf',
    'application/sql': 'sql',
    'application/toml': 'toml',
    'application/typescript': 'ts mts cts',
    'application/wasm': 'wasm',
    'application/x-ndjson': 'jsonl ndjson',
    'application/x-sh': 'sh bash',
    'application/x-tar': 'tar',
    'application/xhtml+xml': 'xhtml',
    'application/xml': 'xml plist xsd xsl xslt',
    'application/yaml': 'yaml yml',
    'application/x-yaml': 'yaml yml',
    'application/zip': 'zip jar vsix',
    'audio/aac': 'aac',
    'audio/flac': 'flac',
    'audio/mp4': 'm4a',
    'audio/mpeg': 'mp3',
    'audio/ogg': 'ogg oga opus',
    'audio/wav': 'wav',
    'audio/wave': 'wav',
    'audio/webm': 'weba',
    'audio/x-wav': 'wav',
    'image/avif': 'avif',
    'image/bmp': 'bmp',
    'image/gif': 'gif',
    'image/jpeg': 'jpg jpeg jpe',
    'image/jpg': 'jpg jpeg jpe',
    'image/png': 'png',
    'image/svg+xml': 'svg',
    'image/vnd.microsoft.icon': 'ico',
    'image/webp': 'webp',
    'image/x-icon': 'ico',
    'text/css': 'css',
    'text/csv': 'csv',
    'text/html': 'html htm',
    'text/javascript': 'js mjs cjs jsx',
    'text/jsx': 'jsx',
    'text/less': 'less',
    'text/markdown': 'md markdown mdx',
    'text/tab-separated-values': 'tsv',
    'text/tsx': 'tsx',
    'text/typescript': 'ts mts cts tsx',
    'text/x-c': 'c h',
    'text/x-c++': 'cpp cc cxx hpp',
    'text/x-csharp': 'cs',
    'text/x-diff': 'diff patch',
    'text/x-dockerfile': 'dockerfile',
    'text/x-go': 'go',
    'text/x-java': 'java',
    'text/x-log': 'log',
    'text/x-markdown': 'md markdown',
    'text/x-patch': 'patch diff',
    'text/x-php': 'php',
    'text/x-python': 'py pyi',
    'text/x-ruby': 'rb',
    'text/x-rust': 'rs',
    'text/x-scss': 'scss',
    'text/x-sh': 'sh bash',
    'text/x-shellscript': 'sh bash',
    'text/x-sql': 'sql',
    'text/x-swift': 'swift',
    'text/x-toml': 'toml',
    'text/x-typescript': 'ts mts cts tsx',
    'text/x-yaml': 'yaml yml',
    'text/xml': 'xml plist xsd xsl xslt',
    'text/yaml': 'yaml yml',
    'video/mp4': 'mp4',
    'video/ogg': 'ogv',
    'video/webm': 'webm',
  }),
);

const textApplications =
  /^application\/(?:javascript|jsonl?|sql|toml|typescript|x-ndjson|x-sh|xhtml\+xml|xml|x-yaml|yaml)$/;

/** The media type of a folder of resources. */
export const directoryType = 'inode/directory';

/** Returns the extensions that fit a media type, the usual one first; empty for a type that says nothing. */
export function extensionsOf(mimeType: string | undefined): readonly string[] {
  const type = essence(mimeType);
  const known = extensions.get(type);
  if (known !== undefined) return known.split(' ');
  if (type.endsWith('+json')) return ['json'];
  if (type.endsWith('+xml')) return ['xml'];
  return [];
}

/** Returns the kind of document that a media type announces; `undefined` if it is missing or says nothing. */
export function mediaKind(mimeType: string | undefined): MediaKind | undefined {
  const type = essence(mimeType);
  if (type === '' || type === 'application/octet-stream') return undefined;
  if (type === 'application/pdf') return 'pdf';
  if (type === 'image/svg+xml') return 'text';
  const main = type.slice(0, type.indexOf('/'));
  if (main === 'image' || main === 'audio' || main === 'video') return main;
  return main === 'text' || textApplications.test(type) || /\+(?:json|xml|yaml)$/.test(type)
    ? 'text'
    : 'binary';
}

/** Returns the kind of document that a file extension announces; `undefined` if it announces none. */
export function kindOfExtension(extension: string): MediaKind | undefined {
  const type = typeByExtension.get(extension);
  return type === undefined ? undefined : mediaKind(type);
}

const typeByExtension: ReadonlyMap<string, string> = new Map(
  [...extensions].flatMap(([type, known]) =>
    known.split(' ').map((extension) => [extension, type] as const),
  ),
);

/** Returns the media type of a file by its name, or else by its first bytes. */
export function mediaTypeOfFile(name: string, bytes: Uint8Array): string {
  const type = typeByExtension.get(name.split('.').at(-1)?.toLowerCase() ?? '');
  const other = looksBinary(bytes) ? 'application/octet-stream' : 'text/plain';
  return type ?? sniffMediaType(bytes) ?? other;
}

/** Detects the media type of bytes by the first few, whatever the server calls it; `undefined` if unknown. */
export function sniffMediaType(bytes: Uint8Array): string | undefined {
  const head = toHex(bytes.subarray(0, 16));
  return signatures.find(([pattern]) => pattern.test(head))?.[1];
}

// The first bytes in hexadecimal.
const signatures: readonly (readonly [RegExp, string])[] = [
  [/^89504e470d0a1a0a/, 'image/png'],
  [/^ffd8ff/, 'image/jpeg'],
  [/^47494638(?:37|39)61/, 'image/gif'],
  [/^52494646.{8}57454250/, 'image/webp'],
  [/^52494646.{8}57415645/, 'audio/wav'],
  [/^.{8}6674797061766966/, 'image/avif'],
  [/^.{8}66747970/, 'video/mp4'],
  [/^4f676753/, 'audio/ogg'],
  [/^(?:494433|fff[b32])/, 'audio/mpeg'],
  [/^664c6143/, 'audio/flac'],
  [/^255044462d/, 'application/pdf'],
  [/^504b0304/, 'application/zip'],
  [/^1f8b/, 'application/gzip'],
  [/^0061736d/, 'application/wasm'],
];

/** True if bytes contain what no text does, judged by the first 8,000 as the editor does. */
export function looksBinary(bytes: Uint8Array): boolean {
  const utf16 =
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return !utf16 && bytes.subarray(0, 8000).includes(0);
}

function essence(mimeType: string | undefined): string {
  return (mimeType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
