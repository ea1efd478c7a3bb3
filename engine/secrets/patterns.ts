/**
 * Secrets that people paste and that the kept rule set does not know, or knows too narrowly: the rule set is made for
 * files with names, and this service reads sentences. A pattern masks its group `secret` or, without one, its match.
 *
 * Every pattern is linear in the text. A run that may be long starts in one place only, and the text that is read
 * before that start is decided is bounded. NUL ends every match: it stands between texts, and in the place of a mask.
 */

/** Words that only ever announce a secret, in the languages people use for them. */
const PASSWORD =
  'passwords?|passwd|passphrase|passcode|pwd|[_-]pass|passwort|kennwort|contraseña|mot de passe|senha|wachtwoord|пароль|密码|密碼|パスワード|비밀번호';
const KEY = [
  'api[_ -]?key',
  'secret[_ -]?key',
  '(?:secret[_ -]?)?access[_ -]?key',
  '(?:shared[_ -]?access|account|private|encryption|signing)[_-]?key',
  'client[_ -]?secret',
  '(?:auth|access|refresh|bearer|session|(?<![a-z])id)[_ -]?token',
].join('|');

/** Between a name and its value: `:`, `=`, `=>` or `>`, in Markdown and JSON too. */
const ASSIGNED = String.raw`["'\x60*]{0,3}[ \t]{0,8}(?:[:：＝>]|=>?)[ \t*]{0,8}["'\x60]?`;
/** Excludes what a program or a template has in the place of a value: `form.get(…)`, `${NAME}`, `{name}`, `<name>`. */
const NO_CODE = String.raw`(?![A-Za-z_$]{1,64}(?:\.[A-Za-z_$]{1,64}){1,5}[(\[]|\$?\{[A-Za-z_.]{1,64}\}|\$[A-Z_]{2,64}\b|<[A-Za-z _-]{1,64}>)`;
/** A quoted value, or all up to a space without the punctuation of the sentence. */
const VALUE = String.raw`${NO_CODE}(?<secret>(?<=")[^"\n\0]{3,}(?=")|(?<=')[^'\n\0]{3,}(?=')|(?<=\x60)[^\x60\n\0]{3,}(?=\x60)|[^\s\0]{2,}[^\s\0.,;:?"'\x60)\]}>])`;

/**
 * No value of `spoken_password` stands further away from its name than this, and each value has a digit. The pattern
 * looks for the digit first, because a name without any value costs more time the more names follow it.
 */
const SPOKEN_REACH_CHARS = 120;

const named = (name: string, flags: string, ...parts: readonly string[]) => ({
  name,
  pattern: new RegExp(parts.join(''), `${flags}d`),
});

export const PATTERNS: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  // Up to its end line, or without one as far as the text looks like a key: half a key is a secret too.
  named(
    'private_key_block',
    'g',
    String.raw`-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----`,
    String.raw`(?:(?:(?!-----)[^\0])*-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----`,
    String.raw`|(?:(?:\s|\\[nr])+[A-Za-z0-9+/=]{16,})+(?:(?:\s|\\[nr])+[A-Za-z0-9+/=]+)?)`,
  ),
  named(
    'url_credentials',
    'gi',
    String.raw`\b[a-z][a-z0-9+.-]{0,20}:\/\/(?<secret>[^\s\0/?#@:]{0,256}:[^\s\0/]{1,512})@`,
  ),
  named('assigned_password', 'giu', `(?:${PASSWORD})`, ASSIGNED, VALUE),
  named('assigned_key', 'gi', `(?:${KEY})`, ASSIGNED, VALUE),
  // These words are used for much else, so the value must look like a secret: long, with a digit.
  named(
    'assigned_token',
    'gi',
    `(?:token|secret|credentials?)`,
    ASSIGNED,
    String.raw`(?<secret>(?=[^\s\0]{0,64}\d)[A-Za-z0-9_+/=.~-]{12,})`,
  ),
  named(
    'spoken_password',
    'giu',
    String.raw`(?:password|passwd|passphrase|passcode|pwd|passwort|kennwort|contraseña|mot de passe|senha)`,
    String.raw`(?=[^\0]{0,${SPOKEN_REACH_CHARS}}?\d)`,
    String.raw`(?:[^.\n\0]{0,40}?(?:\s(?:is|was|ist|war|es|est|é|to)[ \t]|[:=：](?!\/\/))|[ \t])[ \t]{0,8}["'\x60]?(?!https?:)`,
    NO_CODE,
    String.raw`(?<secret>(?=[^\s\0]{0,64}?\d)(?=[^\s\0]{0,64}?\p{L})[^\s\0"'\x60]{5,}[^\s\0.,;:?"'\x60)\]}>])`,
  ),
  named(
    'authorization',
    'gi',
    String.raw`\b(?:bearer[ \t]{1,8}(?=[^\s\0]{0,64}\d)|authorization["']?[ \t]{0,8}[:=][ \t]{0,8}["']?basic[ \t]{1,8})`,
    String.raw`(?<secret>[A-Za-z0-9._~+/=-]{8,})`,
  ),
  // Keys of this service, OpenAI and services with its prefix, Google, AWS, Stripe, xAI, age and Telegram.
  named(
    'known_prefix',
    'g',
    String.raw`(?<![A-Za-z0-9])(?:(?:vch|vpt)_[A-Za-z0-9_-]{20,}`,
    String.raw`|sk-(?=[A-Za-z0-9_-]{0,64}\d)[A-Za-z0-9_-]{20,}`,
    String.raw`|AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}`,
    String.raw`|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])`,
    String.raw`|whsec_[A-Za-z0-9+/=]{24,}|xai-[A-Za-z0-9]{40,}|AGE-SECRET-KEY-1[A-Z0-9]{50,}`,
    String.raw`|[0-9]{8,10}:AA[A-Za-z0-9_-]{32,33}(?![A-Za-z0-9_-]))`,
  ),
  named(
    'json_web_token',
    'g',
    String.raw`(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}`,
  ),
];
