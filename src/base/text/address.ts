import { maxTooltipLength, plainLabel, truncateMiddle, unseenCharacters } from './text';

/**
 * Returns an address with each hidden character in it percent-encoded, which most servers and programs take for the same:
 * nothing in it ends a line, acts on a terminal or looks like another address.
 */
export function seenAddress(uri: string): string {
  return uri.replace(unseenCharacters(), (character) =>
    encodeURIComponent(character.toWellFormed()),
  );
}

/** What of an address says who it belongs to: all before its path, as parsers read it; longer ones lead nowhere. */
const longestPlace = 1000;
const beforePath = /^(?:[a-z][\w+.-]*:[\\/]*)?[^\\/?#]*/i;

/** At most this many UTF-16 units have the last three names of a host and a port; longer ones lead nowhere. */
const longestEnd = 200;

function placeOf(address: string): string {
  return beforePath.exec(address)?.[0] ?? '';
}

/**
 * Returns a web address whose beginning is as what connects reads it, which no spelling hides: hosts in ASCII, numbers in
 * their usual form, and neither blanks nor backslashes. Others, and those whose host was cut or is a variable, stay as they are.
 */
export function addressAsRead(address: string): string {
  // oxlint-disable-next-line no-control-regex -- what parsers skip
  const text = address.replaceAll(/^[\0- ]+|[\t\n\r]+/g, '');
  const place = placeOf(text);
  const [start, user = ''] = /^(?:https?|wss?):[\\/]*([^]*@)?/i.exec(place) ?? [];
  if (start === undefined || /\u2026|\$\{/.test(place.slice(start.length)) || !URL.canParse(place))
    return address;
  const { protocol, host } = new URL(place);
  return `${protocol}//${user}${host}${text.slice(place.length)}`;
}

/** Cuts what is before the path of an address: the user, then the first names of its host, but never inside a name. */
function cutPlace(place: string, maxLength: number): string {
  if (place.length <= maxLength) return place;
  const [, start = '', user, host = ''] =
    /^((?:[a-z][\w+-]{0,20}:\/{0,3})?)([^]*@)?([^]*)$/i.exec(place) ?? [];
  const before = start + (user === undefined ? '' : '…@');
  if (before.length + host.length <= maxLength) return before + host;
  const names = host.split('.');
  let end = names.splice(-3).join('.');
  if (end.length > longestEnd) return `${start}…${host.slice(start.length + 1 - maxLength)}`;
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    if (`${start}….${name}.${end}`.length > maxLength) return `${start}….${end}`;
    end = `${name}.${end}`;
  }
  return before + end;
}

/**
 * Returns an address or a host as a label that says who it belongs to: as {@link addressAsRead} has it, and cut in its path.
 * Any host that there is fits into 300 UTF-16 units; of one that is longer than `maxLength`, at least the last three names stay.
 */
export function addressLabel(address: string, maxLength = 300): string {
  const read = addressAsRead(address);
  const place = placeOf(read);
  const near = plainLabel(truncateMiddle(place, longestPlace), maxTooltipLength);
  const shown = cutPlace(near, maxLength);
  const rest = read.slice(place.length);
  return shown.length < maxLength ? plainLabel(shown + rest, maxLength) : shown;
}
