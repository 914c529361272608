import { isQuote, quotedEnd } from './text/jsonText';

/* Which words of a command line have passwords: told by the program, as another may call something else so. */

/** A password, but no variable, no option and no ports. */
const plain = /^(?![$\x60-]|\d+:\d+$|%\w+%$)/;

/** The name of a user, if there is one, and the colon before a password: none in an id, a path or an address. */
const user =
  /^(?!(?:\d*:\d+|([^:]+):\1|[A-Za-z]:[\\/].*|[\w+.-]+:\/\/.*)$)[^\s:]{0,100}:(?=[^\s"':])/;

/** The same, but for a host and its port, or a file, which no address of mail is, and what is meant in it. */
const likelyUser = new RegExp(
  String.raw`^(?!.*:\d{1,5}$|[^@]*\.(?:[cm]?[jt]sx?|pyw?|rb|go|rs|java|php|sh|sql|json|ya?ml|toml|ini|conf|xml|html?|csv|txt|md|log):)${user.source.slice(1)}`,
  'i',
);

/** The same, but for a switch, such as `flag:on`. */
const noSwitch = new RegExp(
  `^(?![^:]*:(?:on|off|yes|no|true|false|auto|none)$)${likelyUser.source.slice(1)}`,
  'i',
);

/** A password before the last `@`, where there is one, but no file. */
const beforeHost = /^(?![^@]*(?:\.\w{1,4}$|\/))(?:(?=(?<password>[^]+)@)|)/;

/** What a sentence says of what is called like a secret, in place of a value. */
export const saidOfValues =
  /^(?:a|an|and|are|be|can|cannot|could|empty|expired|flag|for|found|from|given|has|have|in|invalid|is|it|may|missing|must|needs?|no|none|not|of|on|option|or|refused|rejected|required|set|should|the|to|unset|was|were|will|with)(?=[.,;!]|$)/i;

/** What is no password. */
const other = /(?!)/;

/** What `-u` begins in one word where a user is not meant: the rest of the name of an option. */
const noName =
  '(?!=|(?:id|m(?:ask)?|nit|nix|p(?:date|load)?|r[il]|sage|se(?:d|r(?:s|name|ns|id|[-_][^:]*)?)?|t[cf][^:]*):)';

/**
 * Programs, none for any; their options with passwords, with a blank where these are another word, or `#` and the number of a
 * word that follows no option; what is before the password; the word that has them called so; and, where another program ends
 * the options, which of these have a value.
 */
const table: readonly (readonly [
  programs: RegExp,
  options: RegExp,
  lead?: RegExp,
  verb?: RegExp | undefined,
  valued?: RegExp,
])[] = [
  [/(?:)/, /^--(?:proxy-)?user[= ]/, user],
  [/(?:)/, /^-(?:[fgikv\d#]{0,4}sSL?)?u[= ]/i, noSwitch],
  // Alone, it has the program ask.
  [
    /(?:mysql|mariadb)(?:[-_]?(?:admin|dump|import|check|show|slap|binlog|pump|upgrade|sh))?|mycli/,
    /^-p(?! )/,
  ],
  [/7z[arz]{0,2}|rar|unrar/, /^-h?p(?! )/],
  [/sshpass/, /^-p ?/, plain, undefined, /^-[fdp]$/],
  [/ssh|scp|sftp/, /^-p/i, other],
  [
    /mongo(?:sh|dump|restore|import|export|stat|top|files)?|cqlsh|rabbitmqadmin|psexec(?:64)?|twine|cypher-shell|beeline|user(?:add|mod)|yt-dlp|youtube-dl|hydra|evil-winrm/,
    /^-p ?/,
  ],
  [
    /docker(?:-compose)?|podman|nerdctl|skopeo|buildah|helm|oras|crane|az|oc|cf/,
    /^-p[= ]?/,
    plain,
    /^login$/,
  ],
  [/sqlcmd|bcp|osql|isql|tsql|zip|unzip|ipmitool|mosquitto_(?:pub|sub|rr)/, /^-P ?/],
  [/ldap\w{2,9}/, /^-w ?/],
  [/ldappasswd/, /^-[as] ?/],
  [/(?:redis|valkey)-cli/, /^-a /],
  [/https?|xhs?/, /^-a ?/, /^[^:]+:(?!\d{1,5}$)/],
  [/lftp/, /^-u ?/, /^[^,]*,/],
  [/smb(?:client|get|map)|rpcclient|winexe|net/, /^-U ?/, /^[^%]*%/],
  [/plink|pscp|psftp|klink|kitty|pdf\w{2,9}/, /^-[ou]?pw /],
  [
    /\w{0,4}freerdp\d?|rdesktop|cmdkey|schtasks|wmic|signtool|certutil|winscp/,
    /^[-/+](?:g?p|rp|pass(?:word)?)[: ]/i,
  ],
  [/snmp(?!(?:trap)?d$)\w{2,12}/, /^-[cAX] ?/],
  [/sqlplus|sqlldr|(?:ex|im)pdp|rman/, /^(?:userid=)?[a-z][\w$#]{0,30}\/(?![/@]) ?/i, beforeHost],
  [/openssl/, /^-pass(?:in|out)? /, /^pass:/],
  [/openssl/, /^-(?:k|hmac) /i],
  [/ssh-keygen/, /^-[NP] ?/],
  [/htpasswd|mosquitto_passwd/, /^#3 /, plain, /^-(?!\w{0,6}n)\w{0,6}b\w{0,6}$/],
  [/htpasswd/, /^#2 /, plain, /^-(?=\w{0,6}n)\w{0,6}b\w{0,6}$/],
  [/net/, /^#1 /, /^(?![*/])/, /^\\\\/],
  [/net/, /^#2 /, /^(?![*/]|[a-z]+$)/, /^user$/],
  [/iu?sql/, /^#2 /, plain, /^(?:[A-Z\d_]{2,}|.*(?:dsn|db).*)$/],
  [
    /nmcli|iwconfig|netsh|mysqladmin|grafana-cli/,
    /^#1 /,
    plain,
    /^(?:psk|key|(?:reset-admin-)?password)$/,
  ],
  [/ConvertTo-SecureString/, /^(?:#1|-String) /i],
  [/(?:smb)?mount(?:\.\w{3,5})?/, /^-o /, /^(?:[^,]{0,100},){0,20}user(?:name)?=[^%,]{1,100}%/],
  [/wpa_passphrase/, /^#2 /],
  [/openssl/, /^#[12] /, plain, /^passwd$/],
  [/db2/, /^#1 /, plain, /^using$/],
  [/mc/, /^#4 /, plain, /^set$/],
  [/rabbitmqctl/, /^#2 /, plain, /^(?:add_user|change_password)$/],
  [/vault/, /^#1 /, /^(?![^]*=|[-$])/, /^login$/],
  [
    /aws|npm|pnpm|yarn/,
    /^#1 /,
    plain,
    /(?:secret_access_key|session_token|[aA]uthToken|_password)$/,
  ],
  [/dotnet|nuget/, /^-k /, plain, /^push$/],
  [/curl/, /^--oauth2-bearer[= ]/],
  [
    /curl|wget|xh|svn/,
    new RegExp(`^-[\\d#aBfgGiIjJklLMnNOpqRsSvVZ]{0,12}[uU](?: |${noName})`),
    user,
  ],
  [
    /sort|uniq|diff|patch|ls|stat|du|df|cut|make|cargo|rg|e?grep|touch|less|rsync|socat|tar|zip|unzip|cp|mv|pgrep|lsof|jest|vitest|pip3?|git|journalctl|nc|ncat|ps|id|date/,
    /^-[a-z]{0,8}u/i,
    other,
  ],
  [
    /python[\d.]{0,5}w?|pypy[\d.]{0,5}|perl|(?:ba|da|k|z)?sh/,
    /^-[a-z]{0,8}u/i,
    other,
    undefined,
    /^-[WX]$/,
  ],
  [/sudo|doas|runuser/, /^-[a-z]{0,8}u|^--user/i, other, undefined, /^(?:-[ugChpTDR]|--user)$/],
  [
    /docker(?:-compose)?|podman|nerdctl/,
    /^-[a-z]{0,8}u|^--user/i,
    other,
    /^(?:run|exec|create)$/,
    /^(?!(?:-[Pditq]+|--(?:rm|init|detach|interactive|tty|privileged|[^=]*=.*))$)-/s,
  ],
];

function rowOf([programs, options, lead = plain, verb, valued]: (typeof table)[number]) {
  const name = new RegExp(`^(?:${programs.source})$`, 'i');
  return { programs: name, options, lead, verb, valued };
}
type Row = ReturnType<typeof rowOf>;

const isForAny = ({ source }: RegExp): boolean => source === '(?:)';

const ofAny = table.filter(([programs]) => isForAny(programs)).map(rowOf);

/** The options for a user that any program may have, where something is sent. */
const ofSenders: Row = {
  programs: /^$/,
  lead: likelyUser,
  verb: undefined,
  valued: undefined,
  options: new RegExp(String.raw`^-(?:[fgi\dkl#nsv]{1,8}u |u${noName})`, 'i'),
};

function makeForPrograms() {
  const own = table.filter(([programs]) => !isForAny(programs));
  const names = own.map(([{ source }]) => source).join('|');
  return { rows: own.map(rowOf), names: new RegExp(`^(?:${names})$`, 'i') };
}

let made: ReturnType<typeof makeForPrograms> | undefined;

/** The rows for programs, and what all their names are like; made for the first command, as a start would wait for it. */
const forPrograms = () => (made ??= makeForPrograms());

const rowsByName = new Map<string, readonly Row[]>();

/** Returns the rows of a program: of each that is in a text again and again, found once. */
function rowsOf(name: string): readonly Row[] {
  const own =
    rowsByName.get(name) ?? forPrograms().rows.filter(({ programs }) => programs.test(name));
  if (rowsByName.size < 100) rowsByName.set(name, own);
  return own;
}

/** What an option calls so is no program. */
const optionOfName = /^--\w{0,20}(?:name|host|network)$/;

/** The options of a program are looked for in so many words behind it. */
const longestCommand = 100;

/** An option, as far as a password, is at most this long, in UTF-16 units. */
const longestOption = 60;

/** The rows of a table that hold for the words behind a program: also where it is among those of another one. */
class Programs {
  private rows: Row[];
  private name = '';
  private at = 0;
  private valued: RegExp | undefined;
  private operands = 0;

  constructor(areSent: boolean) {
    this.rows = areSent ? [ofSenders, ...ofAny] : [...ofAny];
  }

  /** Returns the rows for a word, the ones of the nearest program last, and which of its words without an option it is. */
  rowsFor(word: string, index: number, before: string): { rows: readonly Row[]; operand: string } {
    if (index - this.at > longestCommand) this.keep((row) => row.programs.test(''));
    const isOption = word.startsWith('-');
    const name = isOption ? '' : programOf(word);
    if (forPrograms().names.test(name) && !optionOfName.test(before)) {
      this.keep((row) => row.valued === undefined);
      this.name = name;
      this.at = index;
      this.add((row) => row.verb === undefined);
    } else if (this.name === '') {
      // What any program may have is an option.
      return { rows: isOption ? this.rows : [], operand: '' };
    } else if (this.add((row) => row.verb?.test(word.slice(-longestOption)) === true)) {
      // It says which options are meant.
    } else if (!isOption) {
      if (this.valued && !this.valued.test(before)) this.keep((row) => row.valued === undefined);
      if (!/^-\w{0,6}C$/.test(before)) this.operands += 1;
      return { rows: this.rows, operand: `#${this.operands} ` };
    }
    return { rows: this.rows, operand: '' };
  }

  private keep(isKept: (row: Row) => boolean): void {
    this.rows = this.rows.filter(isKept);
    this.valued = undefined;
  }

  private add(isMeant: (row: Row) => boolean): boolean {
    const added = rowsOf(this.name).filter(isMeant);
    if (added.length === 0) return false;
    this.rows = [...this.rows.filter((row) => !added.includes(row)), ...added];
    this.valued = added.find((row) => row.valued)?.valued;
    this.operands = 0;
    return true;
  }
}

/** Returns the name of the program that a word may be: without its folder, and what a system has its file end with. */
function programOf(word: string): string {
  if (/^[\w+-]*$/.test(word)) return word;
  if (word.includes('://')) return '';
  const end = /(?<![\w.+-])([\w+-][\w.+-]{0,30}?)(?:\.(?:exe|cmd|bat))?[)},;]{0,3}$/i;
  return end.exec(word.slice(-longestOption))?.[1] ?? '';
}

/** Where a password is in a word of a command line; `value` begins with what is before it, such as the name of a user. */
export interface FoundPassword {
  readonly index: number;
  readonly value: number;
  readonly from: number;
  readonly to: number;
}

/** Finds the passwords in the words of a command line, whatever stands before the program in it. */
export function passwordsIn(words: readonly string[]): readonly FoundPassword[] {
  const found: FoundPassword[] = [];
  const programs = new Programs(words.some((word) => word.includes('://')));
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const { rows: open, operand } = programs.rowsFor(word, index, words[index - 1] ?? '');
    const password = passwordOf(open, operand, words, index);
    if (password) found.push(password);
    if (password) index = password.index;
  }
  return found;
}

function passwordOf(
  open: readonly Row[],
  operand: string,
  words: readonly string[],
  index: number,
): FoundPassword | undefined {
  const word = words[index] ?? '';
  const written = word.length > longestOption ? word.slice(0, longestOption) : `${word} `;
  for (const { options, lead } of open.toReversed()) {
    const isOperand = operand !== '' && options.test(operand);
    const option = isOperand ? '' : options.exec(written)?.[0];
    if (option === undefined) continue;
    if (lead === other) return undefined;
    const at = option.length > word.length ? index + 1 : index;
    const begin = at === index ? option.length : 0;
    const value = words[at] ?? '';
    const start = begin + (/^\\{0,99}["']/.exec(value.slice(begin, begin + 100))?.[0].length ?? 0);
    const rest = value.slice(start);
    const found = /^[-=]/.test(rest) ? null : lead.exec(rest);
    if (!found) continue;
    const from = start + found[0].length;
    const to = found.groups?.['password'] ? from + found.groups['password'].length : value.length;
    if (from < to) return { index: at, value: start, from, to };
  }
  return undefined;
}

/** A word of a text, or of a text of JSON in it: a path, one in quotes behind an option, any other; what ends a command. */
const token =
  /(?<word>(?<![\w\\])(?:[A-Za-z]:(?<run>\\{1,8})|\\\\(?=[\w.-]{1,60}(?<one>\\)))[^\s"'`\\]+(?:(?:\k<run>\k<one>)(?!\\)[^\s"'`\\]+)*|(?<!["'`])[-/+][^\s"'`\\]*\\{0,99}["'`](?=[^\s"'`\\,:;)\]}])[^\s"'`\\]*|(?:\\+(?=[^\s"'`\\nrt]))?[^\s"'`\\]+(?:\\+[^\s"'`\\nrt][^\s"'`\\]*)*)|(?<end>\n|\\+[nrt])|\\+/g;

interface Word {
  readonly from: number;
  readonly text: string;
}

/** Returns the words of each command in a text, without their quotes. */
function* commandsIn(text: string): Generator<readonly Word[]> {
  let words: Word[] = [];
  for (const found of text.matchAll(token)) {
    const { word = '', end } = found.groups ?? {};
    const from = found.index;
    const isMark = /^[\]{}[,:]+$/.test(word) || isKey(text, from, from + word.length);
    // An object of JSON ends behind a value, unlike what a template has filled in.
    const isEnd = isMark && word.includes('}') && /\S/.test(text[from - 1] ?? '');
    const isBegun = /^[|;&()]/.test(word) && !isQuote(text[from - 1]);
    if (end !== undefined || isBegun || isEnd) {
      yield words;
      words = [];
    }
    if (word !== '' && !isMark) words.push({ from, text: word.replace(/^(-\w{1,20}),$/, '$1') });
    if (/[|;&()]$/.test(word.slice(-1)) && !isQuote(text[from + word.length])) {
      yield words;
      words = [];
    }
  }
  yield words;
}

/** True for the name of a value in JSON. */
function isKey(text: string, from: number, to: number): boolean {
  return text[from - 1] === '"' && /^\\{0,10}"\s{0,5}:/.test(text.slice(to, to + 20));
}

/** What of a command has it read a password from what it is fed. */
const readsPassword =
  /\b(?:sudo\b.{0,200} -\w{0,9}S\b|chpasswd|cryptsetup|kinit|passwd --stdin|secrets? (?:put|set|create|add))\b|--(?:password|token|passphrase|api-?key)-(?:from-)?stdin|--with-token|--passphrase-fd[ =]|-pass(?:in)? stdin/;

/** Returns the words that a command is fed and reads a password from: behind `<<<`, or those of the command `piped` to it. */
function fedTo(words: readonly Word[], piped: readonly Word[]): readonly Word[] {
  const at = words.findIndex(({ text }) => text.startsWith('<<<'));
  if (!readsPassword.test(words.map(({ text }) => text).join(' '))) return [];
  const [mark, ...rest] = at < 0 ? [] : words.slice(at);
  if (mark) return [{ from: mark.from + 3, text: mark.text.slice(3) }, ...rest];
  const says = piped.findIndex(({ text }) => /^(?:echo|printf)$/.test(text));
  const said = says < 0 ? [] : piped.slice(says + 1).filter(({ text }) => !/^-[neE]+$/.test(text));
  return said.length > 1 && said[0]?.text.includes('%') ? said.slice(1) : said;
}

/** A password that is set in SQL, in its quotes; what else is identified by something is in no statement about users. */
const ofSql =
  /\b((?:password|identified\s{1,20}(?:with\s{1,20}\w{1,60}\s{1,20})?by(?<=\b(?:create|alter|grant)\b[^;]{1,200}))\s{1,20})(\\{0,9}['"])((?![$%])[^\s'"\\]{1,200})(?=\2)/gi;

/**
 * Changes the passwords in the command lines of a text: those behind an option such as `-px` and `-u me:x`, and those that a
 * command or SQL is fed.
 */
export function changePasswords(text: string, change: (password: string) => string): string {
  const pieces: string[] = [];
  let done = 0;
  let before: readonly Word[] = [];
  let piped: readonly Word[] = [];
  const hasFeed = text.includes('<<<');
  for (const words of commandsIn(text)) {
    if (words.length === 0) continue;
    if (words.length === 1 && words[0]?.text === '|') {
      piped = before;
      continue;
    }
    const isFed = hasFeed || piped.length > 0;
    const fed = isFed ? fedTo(words, piped).filter((word) => word.text !== '') : [];
    piped = [];
    const [first, last = first] = [fed[0], fed.at(-1)];
    // What another command prints, or a variable has, is no password.
    const isPrinted = first && (/^[$<(]/.test(first.text) || text[first.from - 1] === '`');
    if (first && last && first.from >= done && !isPrinted) {
      const end = last.from + last.text.length;
      pieces.push(text.slice(done, first.from), change(text.slice(first.from, end)));
      done = end;
    }
    before = words;
    for (const { index, value, from, to } of passwordsIn(words.map((word) => word.text))) {
      const word = words[index] ?? { from: 0, text: '' };
      const start = word.from + from;
      // What a command prints is no password.
      if (start < done || (value === 0 && text[start - 1] === '`')) continue;
      const begin = [word.from + value, word.from].find((place) => isQuote(text[place - 1]));
      const isRest = begin !== undefined && to === word.text.length;
      const end = isRest ? Math.max(start, quotedEnd(text, begin)) : word.from + to;
      if (from === 0 && begin === undefined && saidOfValues.test(text.slice(start, end))) continue;
      pieces.push(text.slice(done, start), change(text.slice(start, end)));
      done = end;
    }
  }
  const changed = pieces.join('') + text.slice(done);
  return changed.replaceAll(ofSql, (whole: string, lead: string, quote: string, value: string) =>
    saidOfValues.test(value) || value.startsWith('‹') ? whole : lead + quote + change(value),
  );
}
