/* What options of programs a password is behind. Another program may call something else so: it is told by its name. */

/** Options of programs that take a name and a password. */
export const namesUser = /^-{0,2}(?:[uU]|user|proxy-user)$/;

/** The same behind letters of other options, where something is sent: another program may call an option so. */
export const endsInUser = /^-[fgi\dkl#nsv]{1,8}u$/i;

/** What a command line has that sends a user and a password: other programs have other options that begin with `-u`. */
export const sendsUsers = /(?<![\w.-])(?:curl|wget|xh|lftp|svn)(?![\w-])|:\/\//i;

/** The same where it is a program of the line before an option, as {@link lineOf} has it. */
const sender = /(?<![\w.-])(?:curl|wget|xh|lftp|svn) /i;

/** A program that calls something else `-u`, of which options alone may stand before it where it runs another one. */
const hasNoUser =
  /(?<![\w.-])(?:(?:sort|uniq|diff|patch|rsync|socat|tar|zip|unzip|cp|mv|pgrep|lsof|jest|vitest|pip3?) |(?:python[\d.]{0,5}w?|pypy[\d.]{0,5}|perl|(?:ba|da|k|z)?sh)(?: args)?(?: -[^ ]*)* ?$)/i;

/** A host and its port, or a file, which no address of mail is, and what is meant in it. */
const noPassword =
  /:\d{1,5}["']?$|^[^@]*\.(?:[cm]?[jt]sx?|pyw?|rb|go|rs|java|php|sh|sql|json|ya?ml|toml|ini|conf|xml|html?|csv|txt|md|log):/i;

const userAndColon =
  /^(?!["']?(?:\d*:\d+|([^:]+):\1|[A-Za-z]:[\\/].*|[\w+.-]+:\/\/.*)["']?$)["']?[^\s:]{0,100}:(?=[^\s"':])/;

/**
 * Returns the name, if there is one, and the colon before a password behind an option; empty where an id, a path or an address
 * is meant, or by `before`, the beginning of the command line, something else.
 */
export function userOf(option: string, value: string, before: string): string {
  const user = userAndColon.exec(value)?.[0] ?? '';
  // No other program calls something else by the whole word.
  if (user === '' || /user/i.test(option)) return user;
  const line = lineOf(before);
  return !sender.test(line) && (hasNoUser.test(line) || noPassword.test(value)) ? '' : user;
}

/** That is looked for in so many UTF-16 units before an option. */
const sameCommand = 200;

/** Returns what is before an option in a text, as far as its command line may reach. */
export function textBefore(text: string, at: number): string {
  return text.slice(Math.max(0, at - sameCommand), at);
}

/** A command line is looked at in so many UTF-16 units before an option: the patterns read much of it again and again. */
const longestLine = 2000;

/** Returns the words of the last command in a text, also where these are in JSON, each with a blank behind it. */
function lineOf(before: string): string {
  const command =
    before
      .slice(-longestLine)
      .split(/[|;&\n()]/)
      .at(-1) ?? '';
  const words = command.replaceAll(/[\s"'`,:=[\]{}\\]+/g, ' ');
  return words.replaceAll(/\.(?:exe|cmd|bat) /gi, ' ');
}

/**
 * Options for passwords, with a blank where a value may be another word, by which programs they are called so, and the form of
 * the value where there is a user before the password, or none.
 */
const ofPasswords: readonly (readonly [options: RegExp, programs: RegExp, form?: RegExp])[] = [
  // Alone, it has the program ask.
  [
    /^-p$/,
    /(?<![\w.-])(?:(?:mysql|mariadb)(?:[-_]?(?:admin|dump|import|check|show|slap|binlog|pump|upgrade|sh))?|mycli|7z[arz]?|rar|unrar) /i,
  ],
  [/^-p ?$/, /(?<![\w.-])sshpass(?: args)?(?: -[^ ]*)* ?$/i],
  [
    /^-p ?$/,
    /(?<![\w.-])(?:(?:docker|podman|skopeo|nerdctl|buildah|helm|oras|crane|az|oc|cf) (?:.* )?login|mongo(?:sh|dump|restore|import|export|stat|top|files)?|cqlsh|rabbitmqadmin|psexec(?:64)?) /i,
  ],
  [/^-P ?$/, /(?<![\w.-])(?:sqlcmd|bcp|osql|isql|tsql|zip|unzip|ipmitool|mosquitto_\w+) /i],
  [/^-w ?$/, /(?<![\w.-])ldap(?:search|modify|add|delete|passwd|whoami) /i],
  [/^-a ?$/, /(?<![\w.-])(?:redis|valkey)-cli /i],
  [/^-a ?$/, /(?<![\w.-])(?:https?(?! \/\/)|xhs?) /i, /^[^:]+:(?!\d{1,5}$)/],
  [/^-u ?$/, /(?<![\w.-])lftp /i, /,/],
  [/^-U ?$/, /(?<![\w.-])(?:smbclient|smbget|rpcclient|winexe) /i, /%/],
];

/** True for the option of a password, with a blank where the value is another word, by the command line before it. */
function takesPassword(option: string, value: string, before: string): boolean {
  const fitting = ofPasswords.filter(
    ([options, , form]) => options.test(option) && (form?.test(value) ?? true),
  );
  if (fitting.length === 0 || /^(?:[$`]|-|\d+:\d+$)/.test(value)) return false;
  const line = lineOf(before);
  return fitting.some(([, programs]) => programs.test(line));
}

/** The program of an argument is looked for in so many before it. */
const maxBefore = 20;

/** Returns the command line before an argument in a list of them. */
export function lineBefore(list: readonly unknown[], index: number, command: unknown): string {
  return [command, ...list.slice(Math.max(0, index - maxBefore), index), ''].join(' ');
}

/** Returns where the password begins in an argument of a list, by the option before it or its own; `undefined` for none. */
export function passwordAt(
  list: readonly unknown[],
  index: number,
  command: unknown,
): number | undefined {
  const [before, arg] = [list[index - 1], list[index]];
  if (typeof arg !== 'string') return undefined;
  const option =
    typeof before === 'string' && /^-\w$|^--(?:proxy-)?user$/.test(before) ? before : '';
  const own = /^-[A-Za-z]./.test(arg) ? arg.slice(0, 2) : '';
  if (option + own === '') return undefined;
  const line = lineBefore(list, index, command);
  if (takesPassword(`${option} `, arg, line)) return 0;
  if (takesPassword(own, arg.slice(2), line)) return 2;
  return namesUser.test(option) ? userOf(option, arg, line).length || undefined : undefined;
}

/** An option of one letter that may be a password's, and its value, also in quotes or as the next text in a list of JSON. */
const passwordOption =
  /(?<![^\s"'`(])(-[aPpUuw])([ \t]{1,20}|(\\*)"\s{0,20},\s{0,20}\3"|)(?:(?<="(?:-[aPpUuw])?)([^"\\\n]+)|"([^"\\\n]+)|'([^'\n]+)|([^\s"'\\]+))/g;

/** What `-u` begins in one word where a user is not meant: the rest of the name of an option. */
const restOfName =
  /^(?:id|m(?:ask)?|nit|nix|p(?:date|load)?|r[il]|sage|se(?:d|r(?:s|name|ns|id|[-_][^:]*)?)?|t[cf][^:]*):/i;

/** An option for a user and a password, also behind letters that say what else is wanted, and both as far as their word goes. */
const userOption =
  /(?<![^\s"'`(])(-u[ \t]{0,20}|-[fgi\dkl#nsv]{1,8}u[ \t]{1,20}|--(?:proxy-)?user(?:=|[ \t]{1,20}))(["']?[^\s"'\\=-][^\s"'\\]*)/gi;

/** What sends is looked for in so many UTF-16 units before and after an option. */
const sameLine = 500;

/**
 * Changes the passwords behind options of one letter, as in `mysql -px`, and those behind options for a user, as in `-u me:x`;
 * in one word with these or with other options, as in `-ume:x` and `-sSu me:x`, where they are sent: by what is near in the
 * text, or if `areSent` says so.
 */
export function changePasswords(
  text: string,
  change: (password: string) => string,
  areSent = false,
): string {
  return text
    .replaceAll(userOption, (whole, lead: string, value: string, at: number) => {
      const user = userOf(lead.trim(), value, textBefore(text, at));
      const isSent = () =>
        areSent || sendsUsers.test(text.slice(Math.max(0, at - sameLine), at + sameLine));
      const isOneWord = /u$/i.test(lead);
      if (user === '' || (isOneWord && restOfName.test(value))) return whole;
      if (!/^(?:-u[ \t]|--)/i.test(lead) && !isSent()) return whole;
      return lead + user + change(value.slice(user.length));
    })
    .replaceAll(
      passwordOption,
      (
        whole: string,
        option: string,
        between: string,
        _run: string | undefined,
        listed: string | undefined,
        double: string | undefined,
        single: string | undefined,
        bare: string | undefined,
        at: number,
        all: string,
      ) => {
        const value = listed ?? double ?? single ?? bare ?? '';
        const written = between === '' ? option : `${option} `;
        return takesPassword(written, value, textBefore(all, at))
          ? whole.slice(0, -value.length) + change(value)
          : whole;
      },
    );
}
