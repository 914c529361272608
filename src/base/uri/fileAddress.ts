/** The characters that a URL would not take as part of its path. */
const special = /[%\\?#\n\r\t]/g;

/** Returns the `file:` URL of a path with `/`; servers expect fewer escaped characters than an editor's URI has. */
export function fileAddress(path: string, host = ''): string {
  return new URL(`file://${host}${path.replaceAll(special, encodeURIComponent)}`).href;
}
