/** What a URL takes for something else than a part of the path. */
const special = /[%\\?#\n\r\t]/g;

/** The `file:` URL of a path with `/`; servers expect less of it to be escaped than an editor's URI has. */
export function fileAddress(path: string, host = ''): string {
  return new URL(`file://${host}${path.replaceAll(special, encodeURIComponent)}`).href;
}
